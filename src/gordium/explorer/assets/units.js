// A slider for every unit, the most important first, below images of what the unit changes.

const STRIP = 9;

function buildUnits(run, panel) {
  const active = run.units.filter((unit) => unit.active), passive = run.units.filter((unit) => !unit.active);
  run.rows = [];
  if (!active.length) {
    panel.append(element("p", { class: "warning", text: "This model has collapsed: every unit copies the prior, so all images are decoded to the same one." }));
  }
  for (const unit of active) panel.append(unitRow(run, unit));
  if (passive.length) {
    const kl = passive.reduce((sum, unit) => sum + unit.kl, 0);
    const title = `${passive.length} passive ${passive.length === 1 ? "unit" : "units"}, KL ${number(kl, 3)} nats together`;
    const fold = element("details", { open: !active.length }, element("summary", { text: title }));
    for (const unit of passive) fold.append(unitRow(run, unit));
    panel.append(fold);
  }
  onChange(({ run: moved, unit, input }) => { if (!moved || moved === run) showUnits(run, unit, input); });
  if (run.decoder && !run.isVector) slow.add("units", () => strips(run));
}

function unitRow(run, unit) {
  const id = `unit-${run.index}-${unit.unit}`;
  const slider = element("input", {
    type: "range", id, min: unit.low, max: unit.high, step: 0.01, disabled: !run.decoder,
    oninput: () => {
      if (slider.dataset.held !== "yes") { remember(); slider.dataset.held = "yes"; }
      setUnit(run, unit.unit, +slider.value);
    },
    onchange: () => { slider.dataset.held = ""; },
  });
  const output = element("output", { for: id });
  const strip = run.decoder && !run.isVector && unit.active ? element("canvas", { class: "strip", "aria-hidden": "true" }) : null;
  const posterior = svg("g", { class: "posterior" });
  const fact = unit.kl === null ? "" : `KL ${number(unit.kl)}`;
  run.rows.push({ unit, slider, output, strip, posterior });
  return element("div", { class: unit.active ? "unit" : "unit passive" },
    element("div", { class: "name" }, element("label", { for: id, text: `z${unit.unit}` }), element("span", { class: "kl", text: fact })),
    element("div", { class: "track" }, strip, rail(unit, run, posterior), slider),
    output);
}

// Codes of the data as a ridge, the prior's middle as a band; the posterior is put in later.
function rail(unit, run, posterior) {
  const at = (value) => 1000 * (value - unit.low) / (unit.high - unit.low);
  const step = 1000 / unit.ridge.length;
  const line = unit.ridge.map((height, i) => `L${((i + 0.5) * step).toFixed(1)} ${(30 - 0.26 * height).toFixed(1)}`).join("");
  const band = [unit.mean - 2 * unit.spread, unit.mean + 2 * unit.spread].map((x) => Math.min(1000, Math.max(0, at(x))));
  const parts = [
    svg("path", { class: "ridge", d: `M0 30${line}L1000 30Z` }),
    svg("rect", { class: "groove", x: 0, y: 32, width: 1000, height: 4 }),
    svg("rect", { class: "prior", x: band[0], y: 31, width: band[1] - band[0], height: 6 }),
    svg("rect", { class: "zero", x: at(unit.mean) - 1, y: 26, width: 2, height: 16 }),
  ];
  return svg("svg", { class: "rail", viewBox: "0 0 1000 44", preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts, posterior);
}

// Update all rows, or that of the one unit that moved; posteriors change only with the input.
function showUnits(run, moved, input) {
  for (const row of run.rows) {
    const { unit, slider, output } = row, value = run.z[unit.unit];
    if (moved !== undefined && moved !== unit.unit) continue;
    if (Math.abs(slider.value - value) > 0.006) slider.value = value;
    output.textContent = number(value);
    if (input) showPosterior(run, row);
    slider.setAttribute("aria-valuetext", number(value) + row.tail);
  }
}

function showPosterior(run, row) {
  const { unit, posterior } = row, mean = run.posterior.mean[unit.unit];
  const deviation = run.has_noise ? Math.exp(run.posterior.logVariance[unit.unit] / 2) : 0;
  row.tail = run.has_noise ? `; this image's posterior is ${number(mean)} ± ${number(deviation)}` : `; this image's code is ${number(mean)}`;
  const at = (x) => Math.min(1000, Math.max(0, 1000 * (x - unit.low) / (unit.high - unit.low)));
  const [left, right] = [at(mean - 2 * deviation), at(mean + 2 * deviation)];
  posterior.replaceChildren(
    svg("rect", { class: "spread", x: left, y: 28, width: Math.max(0, right - left), height: 12 }),
    svg("rect", { class: "mean", x: at(mean) - 2.5, y: 24, width: 5, height: 20 }),
  );
}

// Decoded images along each unit, the others as they are.
function* strips(run) {
  const [, h, w] = run.shape;
  for (const { unit, strip } of run.rows) {
    if (!strip) continue;
    if (strip.width !== STRIP * w) { strip.width = STRIP * w; strip.height = h; }
    const context = strip.getContext("2d"), z = run.z.slice();
    for (let i = 0; i < STRIP; i++) {
      z[unit.unit] = unit.low + ((i + 0.5) / STRIP) * (unit.high - unit.low);
      context.putImageData(pixels(decode(run, z), run.shape), i * w, 0);
      yield;
    }
  }
}
