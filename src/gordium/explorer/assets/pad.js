// Two units at once: a plane of decoded images under the pointer.

const PLANE = 9;

function buildPad(run, panel) {
  const units = run.units.filter((unit) => unit.active).length > 1 ? run.units.filter((unit) => unit.active) : run.units;
  if (!run.decoder || units.length < 2) {
    panel.append(element("p", { class: "note", text: run.decoder ? "This run has one unit; a plane needs two." : "Without a decoder there is nothing to draw." }));
    return;
  }
  const pad = { across: units[0], down: units[1], plane: element("canvas", { class: "plane", "aria-hidden": "true" }) };
  run.pad = pad;
  const choose = (which, text) => {
    const id = `pad-${run.index}-${which}`;
    const select = element("select", { id, onchange: () => { choosePair(run, which, +select.value); } });
    for (const unit of units) select.append(element("option", { value: unit.unit, text: `z${unit.unit}` }));
    select.value = pad[which].unit;
    pad[`${which}Select`] = select;
    return element("span", { class: "choice" }, element("label", { for: id, text }), select);
  };
  pad.mark = element("div", { class: "mark" });
  pad.surface = element("div", {
    class: "pad", tabindex: 0, role: "application", "aria-roledescription": "plane of two units",
    onpointerdown: (event) => { remember(); pad.surface.setPointerCapture(event.pointerId); movePad(run, event); },
    onpointermove: (event) => { if (event.buttons) movePad(run, event); },
    onkeydown: (event) => stepPad(run, event),
  }, pad.plane, pad.mark);
  pad.output = element("output", { class: "values" });
  panel.append(element("div", { class: "choices" }, choose("across", "across"), choose("down", "up"), pad.output), pad.surface);
  // Out of view it is not updated; `plane` updates it when it comes into view.
  onChange(({ run: moved }) => { if ((!moved || moved === run) && seen.has("pair")) showPad(run); });
  slow.add("pair", () => plane(run));
}

function choosePair(run, which, unit) {
  const pad = run.pad, other = which === "across" ? "down" : "across";
  const found = run.units.find((u) => u.unit === unit);
  if (pad[other] === found) { pad[other] = pad[which]; pad[`${other}Select`].value = pad[other].unit; }
  pad[which] = found;
  pad.drawn = "";
  showPad(run);
  slow.restart("pair");
}

const along = (unit, share) => unit.low + share * (unit.high - unit.low);
const shareOf = (unit, value) => Math.min(1, Math.max(0, (value - unit.low) / (unit.high - unit.low)));

function movePad(run, event) {
  const box = run.pad.surface.getBoundingClientRect(), { across, down } = run.pad;
  const clip = (x) => Math.min(1, Math.max(0, x));
  run.z[across.unit] = along(across, clip((event.clientX - box.left) / box.width));
  run.z[down.unit] = along(down, clip(1 - (event.clientY - box.top) / box.height));
  changed({ run });
}

function stepPad(run, event) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  if (!steps) return;
  event.preventDefault();
  if (!event.repeat) remember();
  const size = event.shiftKey ? 0.5 : 0.1;
  [run.pad.across, run.pad.down].forEach((unit, i) => {
    run.z[unit.unit] = Math.min(unit.high, Math.max(unit.low, run.z[unit.unit] + size * unit.spread * steps[i]));
  });
  changed({ run });
}

function showPad(run) {
  const { across, down, mark, surface, output } = run.pad;
  const text = `z${across.unit} ${number(run.z[across.unit])}, z${down.unit} ${number(run.z[down.unit])}`;
  mark.style.left = `${100 * shareOf(across, run.z[across.unit])}%`;
  mark.style.top = `${100 * (1 - shareOf(down, run.z[down.unit]))}%`;
  output.textContent = text;
  surface.setAttribute("aria-label", `${text}. Arrow keys move, with shift by more.`);
}

// The images depend on the other units only, so moving over the plane redraws none of them.
function* plane(run) {
  const { across, down, plane: canvas } = run.pad, [, h, w] = run.isVector ? [0, 160, 256] : run.shape;
  const others = run.z.slice();
  others[across.unit] = others[down.unit] = 0;
  const key = `${across.unit},${down.unit},${others.join()}`;
  showPad(run);
  if (run.pad.drawn === key) return;
  if (canvas.width !== PLANE * w) { canvas.width = PLANE * w; canvas.height = PLANE * h; }
  const context = canvas.getContext("2d"), z = run.z.slice(), small = element("canvas");
  const cells = [...Array(PLANE * PLANE).keys()], middle = (PLANE - 1) / 2;
  const far = (i) => (i % PLANE - middle) ** 2 + (Math.floor(i / PLANE) - middle) ** 2;
  for (const i of cells.sort((a, b) => far(a) - far(b))) {
    const column = i % PLANE, row = Math.floor(i / PLANE);
    z[across.unit] = along(across, (column + 0.5) / PLANE);
    z[down.unit] = along(down, 1 - (row + 0.5) / PLANE);
    paint(small, decode(run, z), run.shape);
    context.drawImage(small, column * w, row * h);
    yield;
  }
  run.pad.drawn = key;
}
