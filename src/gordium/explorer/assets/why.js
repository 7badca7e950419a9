// Why units are what they are: the decoder's Jacobian here, beside the data's principal components.

const MOST_COLUMNS = 12;

function buildWhy(run, panel) {
  if (!run.decoder) {
    panel.append(element("p", { class: "note", text: "Without a decoder there is no Jacobian." }));
    return;
  }
  const active = run.units.filter((unit) => unit.active);
  const all = active.length ? active : run.units;
  run.why = { units: all.slice(0, MOST_COLUMNS), headline: element("p", { class: "headline" }), body: element("div", {}) };
  panel.append(run.why.headline, run.why.body);
  if (all.length > MOST_COLUMNS) panel.append(element("p", { class: "note", text: `The ${MOST_COLUMNS} most important of ${all.length} units.` }));
  slow.add("why", () => why(run));
}

function* why(run) {
  const { units } = run.why, columns = [];
  for (const column of jacobianColumns(run, run.z, units.map((unit) => unit.unit))) { columns.push(column); yield; }
  const gram = gramOf(columns), { values, vectors } = eigen(gram);
  yield;
  const near = nearestComponents(run);
  yield;
  sayWhy(run, gram, vectors);
  run.why.body.replaceChildren(
    gallery("What a small step of each unit changes", columns, units.map((u) => `z${u.unit}`), columns.map((c) => Math.sqrt(dot(c, c))), run.shape),
    ...(near ? [gallery("The data's local principal components", near.directions, near.directions.map((_, i) => `component ${i + 1}`), near.deviations, run.shape, near)] : []),
    element("div", { class: "trio" },
      angles("Angles between units", units, columns, units, columns, true),
      ...(near ? [angles("Units and components", units, columns, near.directions.map((_, i) => ({ name: `${i + 1}` })), near.directions, false)] : []),
      bars("Singular values", values.map(Math.sqrt), near ? near.deviations : null)),
  );
}

function sayWhy(run, gram, vectors) {
  const { headline, units } = run.why;
  headline.replaceChildren();
  if (units.length < 2) { headline.append("One unit has no other to be orthogonal to."); return; }
  const distance = distanceToOrthogonality(vectors);
  let cosines = 0, pairs = 0;
  for (let i = 0; i < gram.length; i++) for (let j = 0; j < i; j++) {
    cosines += degrees(gram[i][j] / Math.max(1e-12, Math.sqrt(gram[i][i] * gram[j][j])));
    pairs++;
  }
  const chance = run.chance !== null && units.length === run.units.filter((u) => u.active).length ? ` Axes turned at random are at ${number(run.chance)}.` : "";
  headline.append(element("b", { text: number(distance) }), ` distance to orthogonality at this point.${chance} Units are ${number(cosines / pairs, 0)}° apart on average.`);
  headline.dataset.distance = distance;
}

// The stored example whose code is nearest, in the directions that matter.
function nearestComponents(run) {
  const data = explorer.datasets[run.dataset];
  if (!data.components) return null;
  const far = data.examples.map((index) => {
    const { mean } = storedPosterior(run, "kept", index);
    return run.why.units.reduce((sum, u) => sum + ((mean[u.unit] - run.z[u.unit]) / u.spread) ** 2, 0);
  });
  const example = far.indexOf(Math.min(...far)), { directions, deviations, dims } = data.components;
  const [, k, p] = dims, found = [];
  for (let i = 0; i < k; i++) {
    const raw = Float32Array.from(directions.subarray((example * k + i) * p, (example * k + i + 1) * p));
    const length = Math.sqrt(dot(raw, raw));
    if (length > 0) found.push(raw.map((v) => v / length));
  }
  return { directions: found, deviations: [...deviations.subarray(example * k, example * k + found.length)], example, index: data.examples[example], data };
}

// Changes as pictures, all on one scale for units, each on its own for directions of length one.
function gallery(title, changes, names, lengths, shape, near = null) {
  const most = (c) => c.reduce((a, v) => Math.max(a, Math.abs(v)), 1e-9);
  const scale = Math.max(...changes.map(most));
  const figures = changes.map((change, i) => {
    const canvas = element("canvas", { role: "img", "aria-label": `Change by ${names[i]}` });
    paintChange(canvas, change, near ? most(change) : scale, shape);
    return element("figure", {}, canvas, element("figcaption", {}, element("b", { text: names[i] }), ` ${number(lengths[i], 1)}`));
  });
  const heading = element("h4", { text: title });
  const note = near ? element("p", { class: "note" }, thumbnail(near), ` at the nearest stored example, ${near.example + 1}; numbers are standard deviations of the image along each.`)
    : element("p", { class: "note", text: "Grey is no change; numbers are the lengths of the Jacobian's columns." });
  return element("div", { class: "gallery" }, heading, note, element("div", { class: "row" }, ...figures));
}

function thumbnail({ data, index }) {
  const canvas = element("canvas", { class: "inline", role: "img", "aria-label": factorWords(data, "kept", index) });
  drawStored(canvas, data, "kept", index);
  return canvas;
}

// Degrees between changes; a right angle is blank, the same direction is dark.
function angles(title, rows, a, columns, b, symmetric) {
  const name = (x) => x.name ?? `z${x.unit}`, norm = (v) => Math.max(1e-12, Math.sqrt(dot(v, v)));
  const head = element("tr", {}, element("td"), ...columns.map((c) => element("th", { scope: "col", text: name(c) })));
  const body = rows.map((row, i) => element("tr", {}, element("th", { scope: "row", text: name(row) }), ...columns.map((_, j) => {
    if (symmetric && j >= i) return element("td", { class: "empty" });
    const angle = degrees(dot(a[i], b[j]) / (norm(a[i]) * norm(b[j]))), cell = element("td", { text: `${Math.round(angle)}°` });
    Object.assign(cell.style, shade(1 - angle / 90));
    return cell;
  })));
  return element("div", { class: "angles" }, element("h4", { text: title }), element("div", { class: "wide" }, element("table", { class: "matrix" }, element("thead", {}, head), element("tbody", {}, ...body))));
}

function bars(title, ours, theirs) {
  const most = Math.max(...ours, 1e-9), other = theirs ? Math.max(...theirs, 1e-9) : 1;
  const line = (value, top, kind) => element("div", { class: `bar ${kind}` }, element("span", { style: `width:${(100 * value) / top}%` }), element("i", { text: number(value, 1) }));
  const pairs = ours.map((value, i) => element("div", { class: "pair" }, line(value, most, "ours"), theirs && i < theirs.length ? line(theirs[i], other, "theirs") : null));
  const legend = theirs ? element("p", { class: "note legend" }, element("span", { class: "key ours" }), " decoder ", element("span", { class: "key theirs" }), " data, each to its own largest") : null;
  return element("div", { class: "values" }, element("h4", { text: title }), legend, ...pairs);
}
