// The list of runs, and a run's own place: the page's address with #run=KEY.
const LISTED = 200;

function listRuns() {
  const metric = chosen("metric"), runs = chosenRuns(metric).slice().sort((a, b) => b.value - a.value);
  $("metric-name").textContent = words(metric);
  $("runs").replaceChildren(...runs.slice(0, LISTED).map((run) => {
    const value = make("td", { text: run.value.toFixed(4), "data-value": run.value });
    const cells = ["method", "strength", "seed", "dataset", "variant"].map((key) => make("td", { text: text(run[key]) }));
    return make("tr", {}, make("td", {}, make("a", { href: `#run=${run.run}`, text: run.run })), ...cells, value, make("td", { text: run.note }));
  }));
  const more = runs.length - LISTED;
  $("more-runs").textContent = more > 0 ? `${more} more runs fit the choice; choose a data set or a method above to see them.` : "";
}

// "3 of 35": how many runs on the same images have a value at least as high.
function rank(metric, i) {
  const { dataset, variant } = study.runs[i], values = study.values[metric];
  const peers = study.runs.map((run, j) => (run.dataset === dataset && run.variant === variant ? values[j] : null)).filter((v) => v !== null);
  return `${1 + peers.filter((v) => v > values[i]).length} of ${peers.length}`;
}

function showRun() {
  const key = decodeURIComponent((location.hash.match(/^#run=(.+)$/) || [])[1] || ""), i = study.runs.findIndex((run) => run.run === key);
  const place = $("run");
  place.hidden = i < 0;
  if (i < 0) return;
  const run = study.runs[i], facts = { method: run.method, strength: text(run.strength), seed: run.seed, "data set": run.dataset, variant: run.variant, "active units": text(run.active_units), note: run.note, run: run.run, gordium: run.version };
  const list = make("dl");
  for (const [name, value] of Object.entries(facts)) if (text(value) !== "") list.append(make("dt", { text: name }), make("dd", { text: text(value) }));
  const lines = Object.keys(study.values).filter((metric) => study.values[metric][i] !== null).map((metric) =>
    make("tr", {}, make("td", { text: words(metric) }), make("td", { text: study.values[metric][i].toFixed(4) }), make("td", { text: rank(metric, i) })));
  const head = make("tr", {}, ...["score", "value", "rank, highest first, on the same images"].map((name) => make("th", { scope: "col", text: name })));
  const links = (study.links[run.run] || []).map(([address, name]) => make("p", {}, make("a", { href: address, text: name })));
  const close = make("a", { href: "#every", text: "Back to all runs" });
  place.replaceChildren(make("h2", { text: `Run ${run.run}` }), list, ...links, make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Scores of the run" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines))), close);
  place.focus();
  place.scrollIntoView({ block: "nearest" });
}

function redraw() {
  filterTables();
  listRuns();
  return Promise.all([drawRuns(), drawStrengths(), drawAgainst()]);
}

filters.addEventListener("change", redraw);
filters.addEventListener("submit", (event) => event.preventDefault());
filters.addEventListener("reset", () => setTimeout(redraw));
if ($("other")) $("other").addEventListener("change", drawAgainst);
addEventListener("hashchange", showRun);
// A list of hundreds of runs is for pressing, not for paper.
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = !part.querySelector("#more-runs"); }));
drawKeys();
window.report = { ready: redraw().then(showRun) };
