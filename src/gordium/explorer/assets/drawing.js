// Elements, canvases, and colours that read in light and dark.

const $ = (id) => document.getElementById(id);

// element("p", {class: "x", text: "...", onclick: f}, child, ...): text is never markup.
function element(tag, attributes = {}, ...children) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") found.textContent = value;
    else if (name.startsWith("on")) found.addEventListener(name.slice(2), value);
    else found.setAttribute(name, value === true ? "" : value);
  }
  found.append(...children.filter((child) => child !== null));
  return found;
}

const svgSpace = "http://www.w3.org/2000/svg";
function svg(tag, attributes = {}, ...children) {
  const found = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") found.textContent = value; else found.setAttribute(name, value);
  }
  found.append(...children);
  return found;
}

const words = (name) => name.replaceAll("_", " ");
const number = (x, digits = 2) => x.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−");

let palette = {};
function readPalette() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["card", "ink", "muted", "line", "accent", "warm", "deep"]) {
    palette[name] = style.getPropertyValue(`--${name}`).trim();
  }
}

const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const luminance = (rgb) => dot(rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)), [0.2126, 0.7152, 0.0722]);

// A cell's background from the card's colour (0) to the deep one (1), and ink that reads on it.
function shade(share, from = palette.card, to = palette.deep) {
  const t = Math.min(1, Math.max(0, share)), a = channels(from), b = channels(to);
  const rgb = a.map((x, i) => Math.round(x + t * (b[i] - x)));
  return { background: `rgb(${rgb})`, color: luminance(rgb) > 0.179 ? "#000000" : "#ffffff" };
}

// An image in [0, 1], channels first and flat, on a canvas of its own size; vectors as bars.
function paint(canvas, image, shape) {
  const [c, h, w] = shape;
  if (h * w === 1) { paintBars(canvas, image); return; }
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  canvas.getContext("2d").putImageData(pixels(image, shape), 0, 0);
}

function pixels(image, [c, h, w]) {
  const found = new ImageData(w, h), n = h * w, out = found.data;
  const g = c === 3 ? n : 0, b = c === 3 ? 2 * n : 0;
  for (let i = 0, o = 0; i < n; i++, o += 4) {
    out[o] = 255 * image[i] + 0.5; out[o + 1] = 255 * image[g + i] + 0.5; out[o + 2] = 255 * image[b + i] + 0.5;
    out[o + 3] = 255;
  }
  return found;
}

// A signed change: grey is none, brighter and darker are more and less of a colour.
function paintChange(canvas, change, scale, shape) {
  if (shape[1] * shape[2] === 1) { paintBars(canvas, change.map((v) => v / scale)); return; }
  paint(canvas, Float32Array.from(change, (v) => Math.min(1, Math.max(0, 0.5 + (0.5 * v) / scale))), shape);
}

function paintBars(canvas, values) {
  canvas.width = 256; canvas.height = 160;
  const context = canvas.getContext("2d"), most = Math.max(1e-9, ...values.map(Math.abs));
  const step = canvas.width / values.length;
  context.fillStyle = palette.line;
  context.fillRect(0, 79, canvas.width, 2);
  context.fillStyle = palette.accent;
  values.forEach((v, i) => {
    const height = 76 * Math.abs(v) / most;
    context.fillRect(i * step + step * 0.15, v > 0 ? 80 - height : 80, step * 0.7, height);
  });
}

// Tiles of a sheet, or rows of numbers where samples are vectors.
function drawStored(canvas, data, kind, index) {
  const rows = data[`${kind}_rows`];
  if (rows) {
    const n = data.shape[0];
    paintBars(canvas, rows.subarray(index * n, (index + 1) * n));
    return;
  }
  const sheet = data[`${kind}_sheet`], [w, h] = sheet.tile;
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  drawTile(canvas.getContext("2d"), sheet, index, 0, 0, w, h);
}

function drawTile(context, sheet, index, x, y, width, height) {
  const [w, h] = sheet.tile, column = index % sheet.columns, row = Math.floor(index / sheet.columns);
  context.drawImage(sheet.image, column * w, row * h, w, h, x, y, width, height);
}

// Sizes a canvas to its place on the screen; drawing is then in CSS pixels.
function crisp(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
