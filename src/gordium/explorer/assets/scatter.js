// Codes of a unit against values of a factor: every point is an image that can be looked at.

const MARGIN = { left: 46, right: 12, top: 12, bottom: 40 };

function buildScatter(run, panel) {
  const canvas = element("canvas", {
    class: "scatter", tabindex: 0, role: "application", "aria-roledescription": "plot of points",
    onpointermove: (event) => point(run, nearestPoint(run, event)),
    onpointerleave: () => point(run, null),
    onclick: (event) => { const i = nearestPoint(run, event); if (i !== null) setInput({ kind: "point", index: i }); },
    onkeydown: (event) => stepScatter(run, event),
  });
  const picture = element("canvas", { role: "img", "aria-label": "The image of the point" });
  const words_ = element("p", { class: "note", "aria-live": "polite" });
  const images = element("input", { type: "checkbox", id: `images-${run.index}`, onchange: () => { run.scatter.images = images.checked; drawScatter(run); } });
  const hasSheet = !run.isVector;
  run.scatter = { canvas, picture, words: words_, at: null, images: false };
  panel.append(element("figure", { class: "plot" },
    element("figcaption", {}, run.scatter.title = element("b", {}),
      hasSheet ? element("label", { class: "switch" }, images, " draw images") : null),
    element("div", { class: "beside" }, canvas, element("div", { class: "looked" }, picture, words_))));
  new ResizeObserver(() => drawScatter(run)).observe(canvas.parentNode);
  onChange(({ input }) => { if (input) drawScatter(run); });
}

function showScatter(run, unit, factor) {
  Object.assign(run.scatter, { unit, factor, at: null });
  for (const cell of run.cells) cell.setAttribute("aria-pressed", +cell.dataset.unit === unit && +cell.dataset.factor === factor);
  const data = explorer.datasets[run.dataset], n = data.points.length / data.factors.length;
  run.scatter.title.textContent = `z${unit} against ${words(data.factors[factor].name)}, ${n.toLocaleString("en")} images`;
  place(run);
  drawScatter(run);
  point(run, null);
}

// Where the points lie, in shares of the plot; values of a factor are spread a little.
function place(run) {
  const { unit, factor } = run.scatter, data = explorer.datasets[run.dataset], k = data.factors.length;
  const n = data.points.length / k, d = run.latent_dim, kind = data.factors[factor].kind;
  const x = Float32Array.from({ length: n }, (_, i) => data.points[i * k + factor]);
  const y = Float32Array.from({ length: n }, (_, i) => run.point_codes[i * d + unit]);
  const range = (values, pad) => { const low = Math.min(...values), high = Math.max(...values), room = pad * (high - low || 1); return [low - room, high + room]; };
  const size = data.factors[factor].size;
  const across = kind === "continuous" ? range(x, 0.04) : [-0.7, size - 0.3], up = range(y, 0.05);
  const spread = kind === "continuous" ? 0 : 0.55;
  const jitter = (i) => spread * (((i * 0.618034) % 1) - 0.5);
  run.scatter.points = { n, across, up,
    x: x.map((v, i) => (v + jitter(i) - across[0]) / (across[1] - across[0])),
    y: y.map((v) => 1 - (v - up[0]) / (up[1] - up[0])), values: x };
}

function frame(run) {
  const width = run.scatter.canvas.clientWidth || 480, height = Math.min(420, Math.max(260, width * 0.62));
  return { width, height, w: width - MARGIN.left - MARGIN.right, h: height - MARGIN.top - MARGIN.bottom };
}

function drawScatter(run) {
  const { canvas, points, at, images, unit, factor } = run.scatter;
  if (!points) return;
  const { width, height, w, h } = frame(run), context = crisp(canvas, width, height);
  const data = explorer.datasets[run.dataset];
  axes(context, { w, h, points, name: words(data.factors[factor].name), unit, factor: data.factors[factor] });
  const spot = (i) => [MARGIN.left + points.x[i] * w, MARGIN.top + points.y[i] * h];
  const size = Math.max(14, Math.min(30, w / 24));
  context.fillStyle = palette.accent;
  for (let i = 0; i < points.n; i++) {
    const [x, y] = spot(i);
    if (images) { drawTile(context, data.point_sheet, i, x - size / 2, y - size / 2, size, size); continue; }
    context.globalAlpha = 0.55;
    context.beginPath(); context.arc(x, y, 2.6, 0, 7); context.fill();
  }
  context.globalAlpha = 1;
  const { input } = explorer, current = input && input.kind === "point" ? input.index : null;
  for (const [i, colour] of [[current, palette.warm], [at, palette.ink]]) {
    if (i === null) continue;
    const [x, y] = spot(i);
    context.strokeStyle = colour; context.lineWidth = 2.5;
    context.beginPath(); context.arc(x, y, images ? size * 0.7 : 6, 0, 7); context.stroke();
  }
}

function axes(context, { w, h, points, name, unit, factor }) {
  const { left, top } = MARGIN, ticks = factor.kind === "continuous" ? niceTicks(points.across, 6) : wholeTicks(factor.size);
  context.font = "12px system-ui, sans-serif";
  context.strokeStyle = palette.line; context.fillStyle = palette.muted; context.lineWidth = 1;
  context.textAlign = "right"; context.textBaseline = "middle";
  for (const value of niceTicks(points.up, 5)) {
    const y = Math.round(top + h * (1 - (value - points.up[0]) / (points.up[1] - points.up[0]))) + 0.5;
    context.beginPath(); context.moveTo(left, y); context.lineTo(left + w, y); context.stroke();
    context.fillText(number(value, 1), left - 6, y);
  }
  context.textAlign = "center"; context.textBaseline = "top";
  for (const value of ticks) {
    const x = left + w * (value - points.across[0]) / (points.across[1] - points.across[0]);
    context.fillText(factor.kind === "continuous" ? number(value, 1) : `${value}`, x, top + h + 6);
  }
  context.fillStyle = palette.ink;
  context.fillText(name, left + w / 2, top + h + 22);
  context.save();
  context.translate(11, top + h / 2); context.rotate(-Math.PI / 2); context.textBaseline = "middle";
  context.fillText(`code z${unit}`, 0, 0);
  context.restore();
}

function niceTicks([low, high], n) {
  const raw = (high - low) / n, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw), found = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) found.push(v);
  return found;
}

function wholeTicks(size) {
  const step = Math.ceil(size / 16);
  return Array.from({ length: Math.ceil(size / step) }, (_, i) => i * step);
}

function nearestPoint(run, event) {
  const { points, canvas } = run.scatter, { w, h } = frame(run), box = canvas.getBoundingClientRect();
  const px = event.clientX - box.left - MARGIN.left, py = event.clientY - box.top - MARGIN.top;
  let found = null, least = 24 ** 2;
  for (let i = 0; i < points.n; i++) {
    const far = (points.x[i] * w - px) ** 2 + (points.y[i] * h - py) ** 2;
    if (far < least) { least = far; found = i; }
  }
  return found;
}

function point(run, i) {
  const { picture, words: text, canvas, unit } = run.scatter, data = explorer.datasets[run.dataset];
  if (run.scatter.at !== i) { run.scatter.at = i; drawScatter(run); }
  picture.style.visibility = i === null ? "hidden" : "visible";
  if (i === null) {
    canvas.setAttribute("aria-label", `${run.scatter.title.textContent}. Left and right go from point to point, Enter starts from one.`);
    text.textContent = "Point at a dot to see its image; a click starts from it. Arrow keys and Enter do the same.";
    return;
  }
  drawStored(picture, data, "point", i);
  const description = `${factorWords(data, "point", i)}: z${unit} is ${number(run.point_codes[i * run.latent_dim + unit])}`;
  text.textContent = description;
  canvas.setAttribute("aria-label", description);
}

function stepScatter(run, event) {
  const { points, at } = run.scatter, step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (event.key === "Enter" && at !== null) setInput({ kind: "point", index: at });
  if (!step) return;
  event.preventDefault();
  const order = [...Array(points.n).keys()].sort((a, b) => points.x[a] - points.x[b]);
  const now = at === null ? -1 : order.indexOf(at);
  point(run, order[(now + step + points.n) % points.n]);
}
