// The stage: the input image, what each run decodes from it, and examples to start from.

function buildStage() {
  const pictures = $("pictures");
  explorer.datasets.forEach((data, i) => {
    const many = explorer.datasets.length > 1;
    data.canvas = element("canvas", { role: "img" });
    data.caption = element("figcaption", { text: many ? `Image · ${data.name}` : "Image" });
    pictures.append(element("figure", {}, data.canvas, data.caption));
    for (const run of explorer.runs.filter((r) => r.dataset === i)) {
      run.canvas = element("canvas", { role: "img", class: "decoded" });
      const name = explorer.runs.length > 1 ? run.label : "Decoded";
      const caption = element("figcaption", { text: name });
      pictures.append(run.decoder ? element("figure", {}, run.canvas, caption)
        : element("figure", {}, element("div", { class: "absent", text: "No decoder was trained." }), caption));
    }
  });
  pictures.style.setProperty("--many", Math.min(3, pictures.children.length));
  onChange(drawStage);
}

function drawStage({ input, run: moved }) {
  if (input) explorer.datasets.forEach(drawInput);
  for (const run of explorer.runs) {
    if (!run.decoder || (moved && moved !== run)) continue;
    run.image = decode(run, run.z);
    paint(run.canvas, run.image, run.shape);
    run.canvas.setAttribute("aria-label", `Decoded by ${run.label}`);
  }
}

function drawInput(data, i) {
  const { kind, index, images } = explorer.input;
  if (kind === "own") paint(data.canvas, images[i], data.shape); else drawStored(data.canvas, data, kind, index);
  data.canvas.setAttribute("aria-label", `Image: ${inputWords()}`);
}

function inputWords() {
  const { kind, index } = explorer.input;
  return kind === "own" ? "your own picture" : factorWords(explorer.datasets[0], kind, index);
}

function factorWords(data, kind, index) {
  const k = data.factors.length, table = kind === "kept" ? data.kept : data.points;
  return data.factors.map((factor, j) => {
    const value = table[index * k + j];
    return `${words(factor.name)} ${factor.kind === "continuous" ? number(value) : value}`;
  }).join(", ");
}

function buildExamples() {
  const data = explorer.datasets[0];
  data.examples.forEach((index, i) => {
    const canvas = element("canvas", { "aria-hidden": "true" });
    drawStored(canvas, data, "kept", index);
    $("examples").append(element("button", {
      type: "button", class: "thumb", "aria-label": `Example ${i + 1}: ${factorWords(data, "kept", index)}`,
      title: factorWords(data, "kept", index),
      onclick: () => setInput({ kind: "kept", index, example: i }),
    }, canvas));
  });
  onChange(({ input }) => {
    if (!input) return;
    [...$("examples").children].forEach((button, i) => {
      button.setAttribute("aria-pressed", explorer.input.kind === "kept" && explorer.input.index === data.examples[i]);
    });
  });
}

// One slider for each factor. On a grid that is stored whole every combination can be reached; else
// each slider walks the stored line through an example.
function buildFactors() {
  const data = explorer.datasets[0], place = $("factors");
  if (!data.stops.length) {
    place.append(element("p", { class: "note", text: "This data set is not a grid of factor values, so there are no lines to walk along; start from an example or from a point of the table's plots." }));
    return;
  }
  data.sliders = data.factors.map((factor, k) => {
    const stops = data.stops[k], id = `factor-${k}`;
    const output = element("output", { for: id });
    const slider = element("input", {
      type: "range", id, min: 0, max: stops.length - 1, step: 1, value: 0,
      oninput: () => { walk(data, k, +slider.value, slider.dataset.held === "yes"); slider.dataset.held = "yes"; },
      onchange: () => { slider.dataset.held = ""; },
    });
    if (stops.length < 2) slider.disabled = true;
    place.append(element("div", { class: "factor" }, element("label", { for: id, text: words(factor.name) }), slider, output));
    return { slider, output };
  });
  place.append(element("p", { class: "note", text: data.whole
    ? "Every combination of values is in this page."
    : `Each slider walks its own line through the example; of ${data.size.toLocaleString("en")} images the page holds ${(data.kept.length / data.factors.length).toLocaleString("en")} on such lines.` }));
  onChange(({ input }) => { if (input) showFactors(data); });
}

function walk(data, k, stop, quiet) {
  if (data.whole) {
    const values = data.sliders.map(({ slider }) => +slider.value);
    values[k] = stop;
    const index = values.reduce((at, value, j) => at * data.factors[j].size + value, 0);
    setInput({ kind: "kept", index, example: explorer.input.example ?? 0 }, { quiet });
    return;
  }
  const example = explorer.input.example ?? 0;
  setInput({ kind: "kept", index: data.lines[example][k][stop], example, factor: k }, { quiet });
}

function showFactors(data) {
  const { kind, index } = explorer.input, n = data.factors.length;
  const table = kind === "kept" ? data.kept : kind === "point" ? data.points : null;
  data.sliders.forEach(({ slider, output }, k) => {
    const value = table ? table[index * n + k] : null;
    output.textContent = value === null ? "–" : `${value}`;
    if (value !== null) slider.value = nearest(data.stops[k], value);
    slider.setAttribute("aria-valuetext", value === null ? "unknown" : `${value} of 0 to ${data.factors[k].size - 1}`);
  });
}

const nearest = (stops, value) => stops.reduce((best, stop, i) => (Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best), 0);

// A picture of the user's; `sample` cuts it to a centred rectangle of the right shape.
function buildDrop() {
  const zone = $("drop"), file = $("file");
  if (explorer.runs[0].isVector) { zone.remove(); return; }
  file.addEventListener("change", () => { if (file.files.length) open(file.files[0]); file.value = ""; });
  for (const name of ["dragenter", "dragover"]) {
    document.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add("over"); });
  }
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) zone.classList.remove("over"); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files.length) open(event.dataTransfer.files[0]);
  });
}

async function open(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    say(`${file.name} is not a picture that this browser can read.`);
    return;
  }
  setInput({ kind: "own", images: explorer.datasets.map((data) => sample(bitmap, data.shape)) });
  say(`${file.name} is encoded.`);
}

function sample(bitmap, [c, h, w]) {
  const canvas = element("canvas", { width: w, height: h }), context = canvas.getContext("2d");
  const scale = Math.min(bitmap.width / w, bitmap.height / h);
  const sw = w * scale, sh = h * scale;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, (bitmap.width - sw) / 2, (bitmap.height - sh) / 2, sw, sh, 0, 0, w, h);
  const { data } = context.getImageData(0, 0, w, h), n = h * w, found = new Float32Array(c * n);
  for (let i = 0; i < n; i++) {
    const rgb = [data[4 * i], data[4 * i + 1], data[4 * i + 2]];
    if (c === 3) for (let k = 0; k < 3; k++) found[k * n + i] = rgb[k] / 255;
    else for (let k = 0; k < c; k++) found[k * n + i] = dot(rgb, [0.299, 0.587, 0.114]) / 255;
  }
  return found;
}
