// The one loop that takes most of the time, in WebAssembly with vectors of four, or in JavaScript if
// a browser has no WebAssembly. All numbers of all networks lie in one heap of floats.

let heap = null;
let addFour = null;
let reserved = 4;

// Reserve room for n numbers, and a few more that a vector of four may touch. A place is an index
// into the heap.
function reserve(n) {
  const place = reserved;
  reserved += 4 * Math.ceil(n / 4) + 4;
  return place;
}

// To be called once, when everything has its place.
function openHeap() {
  const memory = wasmMemory(4 * reserved);
  heap = new Float32Array(memory ? memory.buffer : reserved);
  addFour = memory ? vectorLoop(memory) : plainLoop;
}

function wasmMemory(bytes) {
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) });
    vectorLoop(memory);
    return memory;
  } catch {
    return null;
  }
}

// heap[o + j] += a heap[p + j] + b heap[q + j] + c heap[r + j] + d heap[s + j] for j < n; n is a
// multiple of four.
function plainLoop(o, n, p, q, r, s, a, b, c, d) {
  for (let j = 0; j < n; j++) {
    heap[o + j] += a * heap[p + j] + b * heap[q + j] + c * heap[r + j] + d * heap[s + j];
  }
}

const [I32, F32, V128, EMPTY] = [0x7f, 0x7d, 0x7b, 0x40];
const op = {
  get: (i) => [0x20, i], set: (i) => [0x21, i], number: (n) => [0x41, n], add: [0x6a], shift: [0x74],
  less: [0x49], loop: [0x03, EMPTY], again: [0x0d, 0], end: [0x0b],
  load: [0xfd, 0x00, 4, 0], store: [0xfd, 0x0b, 4, 0], splat: [0xfd, 0x13],
  plus: [0xfd, 0xe4, 0x01], times: [0xfd, 0xe6, 0x01],
};

// The same with places in bytes: a WebAssembly module, put together here.
function vectorLoop(memory) {
  const [o, n, first, factor, wide] = [0, 1, 2, 6, 10];
  const four = [0, 1, 2, 3];
  const bytes = (i) => [op.get(i), op.number(2), op.shift, op.set(i)];
  const body = [
    ...bytes(o), ...bytes(n), ...four.flatMap((i) => bytes(first + i)),
    op.get(o), op.get(n), op.add, op.set(n),
    ...four.flatMap((i) => [op.get(factor + i), op.splat, op.set(wide + i)]),
    op.loop,
    op.get(o), op.get(o), op.load,
    ...four.flatMap((i) => [op.get(first + i), op.load, op.get(wide + i), op.times, op.plus]),
    op.store,
    ...[o, first, first + 1, first + 2, first + 3].flatMap((i) => [op.get(i), op.number(16), op.add, op.set(i)]),
    op.get(o), op.get(n), op.less, op.again,
    op.end, op.end,
  ].flat();
  const size = (n_) => (n_ < 128 ? [n_] : [(n_ & 127) | 128, n_ >> 7]);
  const section = (id, content) => [id, ...size(content.length), ...content];
  const name = (text) => [text.length, ...[...text].map((c) => c.charCodeAt(0))];
  const code = [1, 4, V128, ...body];
  const module = Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 10, I32, I32, I32, I32, I32, I32, F32, F32, F32, F32, 0]),
    ...section(2, [1, ...name("m"), ...name("m"), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name("f"), 0, 0]),
    ...section(10, [1, ...size(code.length), ...code]),
  ]);
  return new WebAssembly.Instance(new WebAssembly.Module(module), { m: { m: memory } }).exports.f;
}

let picked = new Int32Array(1 << 12);

// heap[o + j] += sum over i < m of heap[at + i] * heap[from + i * n + j], j < n; zeros cost nothing.
function addProducts(o, n, at, m, from) {
  if (m + 4 > picked.length) picked = new Int32Array(2 * m + 8);
  let found = 0;
  for (let i = 0; i < m; i++) if (heap[at + i] !== 0) picked[found++] = i;
  if (found === 0) return;
  let k = 0;
  for (; k + 4 <= found; k += 4) {
    const a = picked[k], b = picked[k + 1], c = picked[k + 2], d = picked[k + 3];
    addFour(o, n, from + a * n, from + b * n, from + c * n, from + d * n, heap[at + a], heap[at + b], heap[at + c], heap[at + d]);
  }
  if (k === found) return;
  const p = (i) => from + picked[Math.min(i, found - 1)] * n, x = (i) => (i < found ? heap[at + picked[i]] : 0);
  addFour(o, n, p(k), p(k + 1), p(k + 2), p(k + 3), x(k), x(k + 1), x(k + 2), x(k + 3));
}
