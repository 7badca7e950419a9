// Networks. An activation is a place in the heap with a shape: [n], or [height, width, channels].

const halfTable = (() => {
  const table = new Float32Array(65536);
  for (let i = 0; i < 65536; i++) {
    const sign = i & 0x8000 ? -1 : 1, exponent = (i >> 10) & 31, fraction = i & 1023;
    table[i] = exponent === 0 ? sign * fraction * 2 ** -24
      : exponent === 31 ? (fraction ? NaN : sign * Infinity)
      : sign * 2 ** (exponent - 25) * (1024 + fraction);
  }
  return table;
})();

const readers = {
  f4: (buffer, offset, n) => new Float32Array(buffer, offset, n),
  f2: (buffer, offset, n) => Float32Array.from(new Uint16Array(buffer, offset, n), (h) => halfTable[h]),
  i1: (buffer, offset, n) => new Int8Array(buffer, offset, n),
  i2: (buffer, offset, n) => new Int16Array(buffer, offset, n),
};

const count = (shape) => shape.reduce((a, b) => a * b, 1);
const four = (n) => 4 * Math.ceil(n / 4);

function readArray(buffer, place) {
  return readers[place.kind](buffer, place.offset, count(place.shape));
}

// Where everything of a network will lie: weights, and the value and the slope after each layer.
function planNetwork(layers, shape) {
  const input = reserve(count(shape));
  let before = shape;
  const planned = layers.map((layer) => {
    const after = shapeAfter(layer, before), found = { ...layer, before, after };
    found.value = reserve(count(after));
    found.slopes = reserve(count(after));
    if (layer.weight) {
      found.dims = layer.weight.shape;
      const inner = layer.type === "transposed" ? count(found.dims.slice(1)) : found.dims[found.dims.length - 1];
      found.inner = inner;
      found.weight = reserve((count(found.dims) / inner) * four(inner));
      if (layer.type === "transposed") found.stamp = reserve(inner);
    }
    before = after;
    return found;
  });
  return { layers: planned, input, shape, outShape: before, passes: 0, stored: layers };
}

function shapeAfter(layer, shape) {
  const [h, w] = shape;
  switch (layer.type) {
    case "linear": return [layer.weight.shape[1]];
    case "flatten": return [count(shape)];
    case "unflatten": return [layer.shape[1], layer.shape[2], layer.shape[0]];
    case "crop": return [layer.height, layer.width, shape[2]];
    case "conv": {
      const [kh, kw, , cout] = layer.weight.shape, [sy, sx] = layer.stride, pad = layer.padding;
      return pad === "same" ? [Math.ceil(h / sy), Math.ceil(w / sx), cout]
        : [Math.floor((h + 2 * pad[0] - kh) / sy) + 1, Math.floor((w + 2 * pad[1] - kw) / sx) + 1, cout];
    }
    case "transposed": {
      const [, kh, kw, cout] = layer.weight.shape, [sy, sx] = layer.stride, pad = layer.padding;
      return [(h - 1) * sy - 2 * pad[0] + kh + layer.extra[0], (w - 1) * sx - 2 * pad[1] + kw + layer.extra[1], cout];
    }
    default: return shape;
  }
}

// Put the stored numbers in their places; weights are whole steps, one size a channel.
function fillNetwork(network, buffer) {
  network.layers.forEach((layer, i) => {
    const stored = network.stored[i];
    for (const name of ["bias", "scale", "shift"]) if (stored[name]) layer[name] = readArray(buffer, stored[name]);
    if (!stored.weight) return;
    const numbers = readArray(buffer, stored.weight), steps = readArray(buffer, stored.steps);
    const { inner } = layer, wide = four(inner), n = steps.length;
    for (let k = 0, row = layer.weight; k < numbers.length; row += wide) {
      for (let j = 0; j < inner; j++, k++) heap[row + j] = numbers[k] * steps[j % n];
    }
  });
  delete network.stored;
}

function linear(layer, from, to, biased) {
  const [m, n] = layer.dims;
  heap.fill(0, to, to + four(n));
  if (biased) heap.set(layer.bias, to);
  addProducts(to, four(n), from, m, layer.weight);
}

// "same": the odd row or column, if any, goes to the far side.
function conv(layer, from, to, biased) {
  const [kh, kw, cin, cout] = layer.dims, [height, width] = layer.before, [h, w] = layer.after;
  const [sy, sx] = layer.stride, same = layer.padding === "same", wide = four(cout);
  const top = same ? Math.max(0, sy * (h - 1) + kh - height) >> 1 : layer.padding[0];
  const left = same ? Math.max(0, sx * (w - 1) + kw - width) >> 1 : layer.padding[1];
  heap.fill(0, to, to + h * w * cout + 4);
  for (let y = 0; y < h; y++) {
    for (let u = 0; u < w; u++) {
      const o = to + (y * w + u) * cout;
      if (biased) heap.set(layer.bias, o);
      const first = Math.max(0, left - u * sx), last = Math.min(kw, width + left - u * sx);
      for (let ky = 0; ky < kh; ky++) {
        const row = y * sy + ky - top;
        if (row < 0 || row >= height) continue;
        const at = from + (row * width + u * sx + first - left) * cin;
        addProducts(o, wide, at, (last - first) * cin, layer.weight + (ky * kw + first) * cin * wide);
      }
    }
  }
}

function transposed(layer, from, to, biased) {
  const [cin, kh, kw, cout] = layer.dims, [height, width] = layer.before, [h, w] = layer.after;
  const [sy, sx] = layer.stride, [top, left] = layer.padding, { stamp } = layer, wide = four(layer.inner);
  heap.fill(0, to, to + h * w * cout);
  if (biased) for (let o = 0; o < h * w; o++) heap.set(layer.bias, to + o * cout);
  for (let y = 0; y < height; y++) {
    for (let u = 0; u < width; u++) {
      heap.fill(0, stamp, stamp + wide);
      addProducts(stamp, wide, from + (y * width + u) * cin, cin, layer.weight);
      const start = u * sx - left, first = Math.max(0, -start), n = (Math.min(kw, w - start) - first) * cout;
      for (let ky = 0; ky < kh; ky++) {
        const row = y * sy + ky - top;
        if (row < 0 || row >= h) continue;
        const o = to + (row * w + start + first) * cout, s = stamp + (ky * kw + first) * cout;
        for (let j = 0; j < n; j++) heap[o + j] += heap[s + j];
      }
    }
  }
}

function affine(layer, from, to, biased) {
  const n = layer.scale.length, total = count(layer.after);
  for (let i = 0; i < total; i++) heap[to + i] = heap[from + i] * layer.scale[i % n] + (biased ? layer.shift[i % n] : 0);
}

function crop(layer, from, to) {
  const [, width, c] = layer.before, [h, w] = layer.after;
  for (let y = 0; y < h; y++) heap.copyWithin(to + y * w * c, from + y * width * c, from + (y * width + w) * c);
}

// Channels last to channels first, flat; and back.
function flatten(layer, from, to) {
  const [h, w, c] = layer.before.length === 3 ? layer.before : [layer.before[0], 1, 1], n = h * w;
  for (let i = 0; i < n; i++) for (let k = 0; k < c; k++) heap[to + k * n + i] = heap[from + i * c + k];
}

function unflatten(layer, from, to) {
  const [h, w, c] = layer.after, n = h * w;
  for (let i = 0; i < n; i++) for (let k = 0; k < c; k++) heap[to + i * c + k] = heap[from + k * n + i];
}

const identity = (layer, from, to) => heap.copyWithin(to, from, from + count(layer.after));
const linearLayers = { linear, conv, transposed, affine, crop, flatten, unflatten, identity };

// Value, and slope as a function of the value.
const pointwise = {
  relu: [(v) => (v > 0 ? v : 0), (y) => (y > 0 ? 1 : 0)],
  leaky: [(v, layer) => (v > 0 ? v : layer.slope * v), (y, layer) => (y > 0 ? 1 : layer.slope)],
  tanh: [(v) => Math.tanh(v), (y) => 1 - y * y],
  sigmoid: [(v) => 1 / (1 + Math.exp(-v)), (y) => y * (1 - y)],
};

// Runs all layers on numbers; the values after each one stay until the next pass.
function forward(network, numbers) {
  heap.set(numbers, network.input);
  network.passes++;
  let from = network.input;
  for (const layer of network.layers) {
    const point = pointwise[layer.type];
    if (point) {
      const f = point[0], n = count(layer.after), to = layer.value;
      for (let i = 0; i < n; i++) heap[to + i] = f(heap[from + i], layer);
    } else linearLayers[layer.type](layer, from, layer.value, true);
    from = layer.value;
  }
  return channelsFirst(from, network.outShape);
}

// The derivative along a direction, at the point of the last pass.
function push(network, direction) {
  heap.set(direction, network.input);
  let from = network.input;
  for (const layer of network.layers) {
    const point = pointwise[layer.type];
    if (point) {
      const f = point[1], n = count(layer.after), to = layer.slopes;
      for (let i = 0; i < n; i++) heap[to + i] = heap[from + i] * f(heap[layer.value + i], layer);
    } else linearLayers[layer.type](layer, from, layer.slopes, false);
    from = layer.slopes;
  }
  return channelsFirst(from, network.outShape);
}

function channelsFirst(from, shape) {
  if (shape.length === 1) return heap.slice(from, from + shape[0]);
  const [h, w, c] = shape, n = h * w, found = new Float32Array(n * c);
  for (let i = 0; i < n; i++) for (let k = 0; k < c; k++) found[k * n + i] = heap[from + i * c + k];
  return found;
}

// The image of a latent vector: channels first, flat; within [0, 1] unless it is a vector.
function decode(run, z) {
  const out = forward(run.decoder, z);
  if (!run.isVector) for (let i = 0; i < out.length; i++) out[i] = Math.min(1, Math.max(0, out[i]));
  return out;
}

// The columns of the decoder's Jacobian for some units, one at a time.
function* jacobianColumns(run, z, units) {
  const at = Float32Array.from(z);
  let pass = -1;
  for (const unit of units) {
    if (pass !== run.decoder.passes) { forward(run.decoder, at); pass = run.decoder.passes; }
    const direction = new Float32Array(at.length);
    direction[unit] = 1;
    yield push(run.decoder, direction);
  }
}

// Mean and log-variance of an image given channels first, flat.
function encode(run, image) {
  const [c, h, w] = run.shape, n = h * w, last = new Float32Array(n * c);
  for (let i = 0; i < n; i++) for (let k = 0; k < c; k++) last[i * c + k] = image[k * n + i];
  const out = forward(run.encoder, last), d = run.latent_dim;
  const mean = out.slice(0, d), second = out.slice(d, 2 * d);
  if (!run.full) return { mean, logVariance: second };
  const logVariance = new Float32Array(d);
  for (let row = 0, at = 2 * d; row < d; row++) {
    let sum = Math.exp(2 * second[row]);
    for (let j = 0; j < row; j++) sum += out[at++] ** 2;
    logVariance[row] = Math.log(sum);
  }
  return { mean, logVariance };
}
