// What is chosen above, and the lines of tables that it leaves.
const $ = (id) => document.getElementById(id);
const study = JSON.parse($("study").textContent);
const filters = $("filters");
const KEYS = ["dataset", "variant", "method", "strength"];
const chosen = (name) => (filters.elements[name] ? filters.elements[name].value : "");
const text = (value) => (value === null ? "" : String(value));

function make(tag, attributes = {}, ...children) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") found.textContent = value; else found.setAttribute(name, value);
  }
  found.append(...children);
  return found;
}

// Runs that fit the choice, each with its value of a metric; a failed run has none.
function chosenRuns(metric) {
  const values = study.values[metric];
  return study.runs.filter((run, i) => {
    run.value = values[i];
    return run.value !== null && KEYS.every((key) => chosen(key) === "" || chosen(key) === text(run[key]) || (key === "strength" && run.strength !== null && +chosen(key) === run.strength));
  });
}

function filterTables() {
  for (const table of document.querySelectorAll("table.filterable")) {
    let left = 0;
    for (const row of table.tBodies[0].rows) {
      const fits = [...KEYS, "metric"].every((key) => !(key in row.dataset) || chosen(key) === "" || row.dataset[key] === chosen(key));
      row.hidden = !fits;
      left += fits;
    }
    const place = table.closest(".filtered");
    place.querySelector(".empty").hidden = left > 0;
  }
  for (const part of document.querySelectorAll("[data-only]")) {
    part.hidden = ["dataset", "variant"].some((key) => chosen(key) !== "" && part.dataset[key] !== chosen(key));
  }
}
