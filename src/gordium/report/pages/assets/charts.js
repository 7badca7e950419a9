// Figures: Vega-Lite draws, one panel a data set and variant, all with the same axes.
const COLOURS = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `var(--m${i})`);
const SHAPES = ["circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "triangle-right", "triangle-left"];
const FEW = 10; // below it a box would say more than the runs do
const INK = "var(--ink)", MUTED = "var(--muted)", LINE = "var(--line)";
const CONFIG = {
  background: "transparent", font: "system-ui, sans-serif", view: { stroke: null },
  axis: { labelColor: INK, titleColor: INK, gridColor: LINE, domainColor: MUTED, tickColor: MUTED, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelLimit: 150 },
};
const words = (metric) => study.words[metric];
const style = (key, names) => ({
  color: { field: key, type: "nominal", scale: { domain: names, range: names.map((_, i) => COLOURS[i % COLOURS.length]) }, legend: null },
  shape: { field: key, type: "nominal", scale: { domain: names, range: names.map((_, i) => SHAPES[i % SHAPES.length]) }, legend: null },
});
const said = (metric, more = []) => [
  { field: "method" }, { field: "strength" }, { field: "seed" }, ...more, { field: "value", title: words(metric), format: ".4f" },
  { field: "dataset", title: "data set" }, { field: "variant" }, { field: "run" }, { field: "note" },
].map((line) => ({ type: "nominal", ...line }));

// Equal for all panels, with some room on both sides.
function domain(values) {
  const low = Math.min(...values), high = Math.max(...values), room = 0.06 * (high - low || Math.abs(high) || 1);
  return [low - room, high + room];
}

const panelsOf = (runs, keys) => {
  const found = new Map();
  for (const run of runs) {
    const name = keys.map((key) => run[key]).join(" · ");
    found.set(name, [...(found.get(name) || []), run]);
  }
  return [...found];
};

const drawn = new Map();
function draw(id, panels, spec, describe) {
  for (const view of drawn.get(id) || []) view.then((v) => v.finalize());
  const place = $(id);
  place.replaceChildren();
  drawn.set(id, panels.map(([name, runs]) => {
    const chart = make("div", { class: "chart" });
    place.append(make("div", { class: "panel" }, make("h3", { text: name }), chart));
    const whole = { description: describe(name, runs), config: CONFIG, width: "container", autosize: { type: "fit-x", contains: "padding" }, ...spec(runs) };
    const options = { renderer: "svg", mode: "vega-lite", actions: { export: true, source: false, compiled: false, editor: false }, downloadFileName: name.replaceAll(" · ", "-") };
    return vegaEmbed(chart, whole, options).then(({ view }) => {
      view.addEventListener("click", (_, item) => { if (item && item.datum && item.datum.run) location.hash = `run=${item.datum.run}`; });
      return view;
    });
  }));
  return Promise.all(drawn.get(id));
}

// Every run of every method; an interval where all of a method's runs share one setting.
function drawRuns() {
  const metric = chosen("metric"), runs = chosenRuns(metric), names = study.order.method;
  const ends = intervals(runs, metric).flatMap((s) => [s.low, s.high]);
  const x = { type: "quantitative", title: words(metric), scale: { domain: domain([...runs.map((r) => r.value), ...ends]), nice: false, zero: false }, axis: { tickCount: 4 } };
  const y = { field: "method", type: "nominal", sort: names, title: null, scale: { domain: names.filter((n) => runs.some((r) => r.method === n)) } };
  const spec = (some) => {
    const counts = new Map(panelsOf(some, ["method"]));
    const boxed = some.filter((r) => counts.get(r.method).length >= FEW);
    const means = intervals(some, metric);
    return {
      height: 34 * y.scale.domain.length,
      layer: [
        { data: { values: boxed }, mark: { type: "boxplot", size: 18, outliers: false, opacity: 0.3, ticks: false, median: { color: INK }, rule: { color: MUTED } }, encoding: { x: { ...x, field: "value" }, y, color: style("method", names).color } },
        { data: { values: means }, mark: { type: "rule", strokeWidth: 2, yOffset: 11 }, encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, y, color: { value: INK } } },
        { data: { values: means }, mark: { type: "tick", thickness: 3, size: 12, yOffset: 11 }, encoding: { x: { ...x, field: "mean" }, y, color: { value: INK } } },
        { data: { values: some }, mark: { type: "point", filled: true, size: 60, opacity: 0.8, yOffset: -3 }, encoding: { x: { ...x, field: "value" }, y, ...style("method", names), tooltip: said(metric) } },
      ],
    };
  };
  $("nothing").hidden = runs.length > 0;
  return draw("every-run", panelsOf(runs, ["dataset", "variant"]), spec, (name, some) => `${words(metric)} of ${some.length} runs, ${name}; the numbers are in the table of scores`);
}

// Of methods that have one setting among the runs of a data set and variant.
function intervals(some, metric) {
  const strengths = new Map(panelsOf(some, ["dataset", "variant", "method"]).map(([name, part]) => [name, new Set(part.map((r) => r.strength)).size]));
  return summaries(some, metric).filter((s) => s.low !== null && strengths.get([s.dataset, s.variant, s.method].join(" · ")) === 1);
}

function summaries(some, metric) {
  const settings = new Set(some.map((r) => KEYS.map((key) => text(r[key])).join("|")));
  return study.summary.filter((s) => s.metric === metric && settings.has(KEYS.map((key) => text(s[key])).join("|")));
}

// A metric along the strength of the regulariser, a panel a method, a colour a variant.
function drawStrengths() {
  if (!$("strengths")) return null;
  const metric = chosen("metric"), names = study.order.variant;
  const runs = chosenRuns(metric).filter((r) => r.strength !== null);
  const several = panelsOf(runs, ["dataset", "method"]).filter(([, some]) => new Set(some.map((r) => r.strength)).size > 1);
  const ends = several.flatMap(([, some]) => summaries(some, metric).filter((s) => s.low !== null).flatMap((s) => [s.low, s.high]));
  const y = { type: "quantitative", title: words(metric), scale: { domain: domain([...several.flatMap(([, some]) => some.map((r) => r.value)), ...ends]), nice: false, zero: false }, axis: { tickCount: 4 } };
  const { color, shape } = style("variant", names);
  const spec = (some) => {
    const x = { field: "strength", type: "ordinal", title: "strength of the regulariser", axis: { labelAngle: 0 } };
    const means = summaries(some, metric);
    return {
      height: 190,
      layer: [
        { data: { values: means.filter((s) => s.low !== null) }, mark: { type: "rule", strokeWidth: 2, opacity: 0.6 }, encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color } },
        { data: { values: means }, mark: { type: "line", strokeWidth: 2 }, encoding: { x, y: { ...y, field: "mean" }, color } },
        { data: { values: some }, mark: { type: "point", filled: true, size: 45, opacity: 0.7 }, encoding: { x, y: { ...y, field: "value" }, color, shape, tooltip: said(metric) } },
      ],
    };
  };
  $("no-strengths").hidden = several.length > 0;
  return draw("strengths", several, spec, (name, some) => `${words(metric)} along the strength, ${some.length} runs, ${name}`);
}

// One metric against another, every run.
function drawAgainst() {
  if (!$("against")) return null;
  const metric = chosen("metric"), other = $("other").value, names = study.order.method;
  const runs = chosenRuns(other).map((r) => ({ ...r, other: r.value }));
  const values = new Map(chosenRuns(metric).map((r) => [r.run, r.value]));
  const both = runs.filter((r) => values.has(r.run)).map((r) => ({ ...r, value: values.get(r.run) }));
  const axis = (field, name) => ({ field, type: "quantitative", title: words(name), scale: { domain: domain(both.map((r) => r[field])), nice: false, zero: false }, axis: { tickCount: 4 } });
  const spec = (some) => ({
    height: 240, data: { values: some }, mark: { type: "point", filled: true, size: 55, opacity: 0.75 },
    encoding: { x: axis("other", other), y: axis("value", metric), ...style("method", names), tooltip: said(metric, [{ field: "other", title: words(other), format: ".4f" }]) },
  });
  return draw("against", panelsOf(both, ["dataset", "variant"]), spec, (name, some) => `${words(metric)} against ${words(other)} of ${some.length} runs, ${name}`);
}

// What a colour and shape mean, drawn as Vega draws them.
const OUTLINES = { circle: "M8,3A5,5 0 1 1 7.99,3Z", square: "M3,3H13V13H3Z", diamond: "M8,1.5L14,8L8,14.5L2,8Z", "triangle-up": "M8,2L14,13H2Z", "triangle-down": "M2,3H14L8,14Z", cross: "M6,2H10V6H14V10H10V14H6V10H2V6H6Z", "triangle-right": "M3,2L14,8L3,14Z", "triangle-left": "M13,2L2,8L13,14Z" };
function drawKeys() {
  for (const place of document.querySelectorAll("ul.key")) {
    const names = study.order[place.dataset.of];
    place.replaceChildren(...names.map((name, i) => {
      const line = make("li");
      line.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path fill="${COLOURS[i % 8]}" d="${OUTLINES[SHAPES[i % 8]]}"/></svg>`;
      line.append(name);
      return line;
    }));
  }
}
