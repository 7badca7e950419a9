// Numbers by value, words by letter, what is missing last; a second press turns the order round.
(() => {
  const key = (cell) => ("value" in cell.dataset ? (cell.dataset.value === "" ? null : +cell.dataset.value) : cell.textContent);
  const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
  const sort = (name) => {
    const up = name.getAttribute("aria-sort") !== "ascending", body = name.closest("table").tBodies[0];
    [...name.parentNode.cells].forEach((other) => other.removeAttribute("aria-sort"));
    name.setAttribute("aria-sort", up ? "ascending" : "descending");
    [...body.rows].map((row) => [key(row.cells[name.cellIndex]), row])
      .sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : up ? order(a, b) : order(b, a)))
      .forEach(([, row]) => body.append(row));
  };
  document.addEventListener("click", (event) => {
    const name = event.target.closest("table.sortable th");
    if (name) sort(name);
  });
})();
