// Reading the page's data, building its parts, and the interface for scripts.

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

async function load() {
  const content = JSON.parse($("content").textContent), buffer = await inflate($("blob").textContent.trim());
  $("blob").remove();
  explorer.datasets = await Promise.all(content.datasets.map((data) => readData(buffer, data)));
  explorer.runs = content.runs.map((run, index) => readRun(buffer, run, index, content));
  openHeap();
  for (const { encoder, decoder } of explorer.runs) for (const network of [encoder, decoder]) if (network) fillNetwork(network, buffer);
  return content;
}

async function readData(buffer, data) {
  for (const name of ["points", "kept", "kept_rows", "point_rows"]) if (data[name]) data[name] = readArray(buffer, data[name]);
  for (const name of ["kept_sheet", "point_sheet"]) {
    if (!data[name]) continue;
    data[name].image = new Image();
    data[name].image.src = data[name].source;
    await data[name].image.decode();
    delete data[name].source;
  }
  if (data.components) {
    const { directions, deviations } = data.components;
    data.components = { dims: directions.shape, directions: readArray(buffer, directions), deviations: readArray(buffer, deviations) };
  }
  return data;
}

function readRun(buffer, run, index, content) {
  for (const name of ["point_codes", "point_log_variances", "kept_codes", "kept_log_variances"]) run[name] = readArray(buffer, run[name]);
  run.shape = content.datasets[run.dataset].shape;
  const [c, h, w] = run.shape;
  run.encoder = planNetwork(run.encoder, [h, w, c]);
  run.decoder = run.decoder && planNetwork(run.decoder, [run.latent_dim]);
  run.isVector = run.shape[1] * run.shape[2] === 1;
  run.index = index;
  run.units.forEach((unit, rank) => { unit.rank = rank; });
  run.label = runLabel(run, content.runs);
  return run;
}

// A label that tells a run from the others on the page.
function runLabel(run, runs) {
  const several = (key) => new Set(runs.map((r) => r[key])).size > 1;
  const options = Object.entries(run.options).map(([name, value]) => `${words(name)} ${value}`).join(", ");
  const parts = [runs.length === 1 || several("method") ? run.method : null, runs.length > 1 ? options : null,
    several("data") ? run.data : null, runs.length > 1 ? `seed ${run.seed}` : null];
  return parts.filter(Boolean).join(" · ") || run.method;
}

function buildHead(content) {
  const facts = explorer.runs.map((run) => {
    const options = Object.entries(run.options).map(([name, value]) => `${words(name)} ${value}`).join(", ");
    const active = run.units.filter((unit) => unit.active).length;
    const units = run.has_noise ? `${active} of ${run.latent_dim} units active` : `${run.latent_dim} units`;
    return [run.method + (options ? ` (${options})` : ""), run.data, units, run.trained, `seed ${run.seed}`].join(" · ");
  });
  for (const fact of facts) $("facts").append(element("li", { text: fact }));
  const [c, h, w] = explorer.runs[0].shape;
  const errors = explorer.runs.filter((run) => run.error !== null).map((run) => run.error);
  const exact = errors.length ? ` Weights are stored in 16 bits: over 100 random codes that changes no value by more than ${number(Math.max(...errors), 2)} ${explorer.runs[0].isVector ? "" : "grey levels of 255"}.` : "";
  $("about").textContent = `Made by Gordium ${content.version}. Images are ${w} × ${h} with ${c} ${c === 1 ? "channel" : "channels"}; networks run in this page, which fetches nothing.${exact}`;
  if (content.command) $("command").textContent = content.command; else $("command").remove();
}

function buildPanels() {
  const builders = { units: buildUnits, pair: buildPad, table: buildTable, why: buildWhy };
  for (const [id, build] of Object.entries(builders)) {
    const place = $(`${id}-panels`);
    for (const run of explorer.runs) {
      const panel = element("div", { class: "panel" });
      if (explorer.runs.length > 1) panel.append(element("h3", { text: run.label }));
      place.append(panel);
      build(run, panel);
    }
    watcher.observe($(id));
  }
  document.body.classList.toggle("several", explorer.runs.length > 1);
}

function listen() {
  $("reset").addEventListener("click", reset);
  $("random").addEventListener("click", drawRandom);
  $("undo").addEventListener("click", undo);
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "z") { event.preventDefault(); undo(); }
  });
  addEventListener("beforeprint", () => slow.finish());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  if (!explorer.runs.some((run) => run.decoder)) for (const id of ["reset", "random"]) $(id).disabled = true;
}

function recolour() {
  readPalette();
  for (const run of explorer.runs) { colourTable(run); drawScatter(run); }
  slow.restart("why");
}

const ready = load().then((content) => {
  readPalette();
  buildStage();
  buildExamples();
  buildFactors();
  buildDrop();
  buildPanels();
  buildHead(content);
  listen();
  setInput({ kind: "kept", index: explorer.datasets[0].examples[0], example: 0 });
  document.body.classList.remove("loading");
  performance.mark("gordium-ready");
});
ready.catch((error) => {
  document.body.classList.remove("loading");
  $("failed").hidden = false;
  $("failed").textContent = `This page cannot start: ${error.message}. It needs a browser of 2023 or later.`;
  throw error;
});

// For scripts: most functions give promises of numbers, of the first run unless another is named.
window.gordium = {
  ready,
  decode: async (z, run = 0) => (await ready, Array.from(decode(explorer.runs[run], z))),
  encode: async (image, run = 0) => {
    await ready;
    const { mean, logVariance } = encode(explorer.runs[run], image);
    return { mean: Array.from(mean), logVariance: Array.from(logVariance) };
  },
  jacobian: async (z, run = 0) => {
    await ready;
    const { latent_dim: d } = explorer.runs[run];
    return [...jacobianColumns(explorer.runs[run], z, [...Array(d).keys()])].map((c) => Array.from(c));
  },
  codes: (run = 0) => Array.from(explorer.runs[run].z),
  runs: () => explorer.runs.map((run) => run.label),
  kernel: () => (addFour === plainLoop ? "plain" : "vector"),
};
