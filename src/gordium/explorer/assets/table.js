// Units against factors: what a unit tells of a factor, as a share of all there is to tell.

const MOST_ROWS = 24;

function buildTable(run, panel) {
  const data = explorer.datasets[run.dataset], { share, gaps, n } = run.information;
  const shown = run.units.filter((unit, i) => unit.active || run.units.length <= 12).slice(0, MOST_ROWS);
  const head = element("tr", {}, element("td"), ...data.factors.map((f) => element("th", { scope: "col", text: words(f.name) })));
  const rows = shown.map((unit) => element("tr", { class: unit.active ? "" : "quiet" },
    element("th", { scope: "row", text: `z${unit.unit}` }),
    ...data.factors.map((factor, k) => element("td", {}, cellButton(run, unit, k, share, factor)))));
  const table = element("table", { class: "information" }, element("caption", { class: "unseen", text: `Mutual information of units and factors of ${run.label}` }),
    element("thead", {}, head), element("tbody", {}, ...rows));
  if (gaps) {
    const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length;
    table.append(element("tfoot", {}, element("tr", {}, element("th", { scope: "row", text: "gap" }),
      ...gaps.map((gap) => element("td", {}, element("div", { class: "gap", title: "best unit minus runner-up" },
        element("span", { class: "bar", style: `width:${100 * Math.max(0, gap)}%` }), element("b", { text: number(gap) })))))));
    panel.append(element("p", { class: "headline" }, element("b", { text: number(mean) }), ` mutual information gap (MIG), from ${n.toLocaleString("en")} images`));
  }
  panel.append(element("div", { class: "wide" }, table));
  run.cells = [...table.querySelectorAll("button.cell")];
  buildScatter(run, panel);
  const first = best(share, 0);
  showScatter(run, first, 0);
  colourTable(run);
}

const best = (share, k) => share.reduce((at, row, i) => (row[k] > share[at][k] ? i : at), 0);

function cellButton(run, unit, k, share, factor) {
  const value = share[unit.unit][k], order = share.map((row, i) => i).sort((a, b) => share[b][k] - share[a][k]);
  const rank = order.indexOf(unit.unit), mark = rank === 0 ? " best" : rank === 1 ? " second" : "";
  const note = rank === 0 ? ", the best unit" : rank === 1 ? ", the runner-up" : "";
  return element("button", {
    type: "button", class: `cell${mark}`, "data-share": value, "data-unit": unit.unit, "data-factor": k,
    "aria-label": `z${unit.unit} tells ${number(value)} of ${words(factor.name)}${note}; show its plot`,
    text: number(value), onclick: () => showScatter(run, unit.unit, k),
  });
}

function colourTable(run) {
  for (const cell of run.cells) Object.assign(cell.style, shade(+cell.dataset.share));
}
