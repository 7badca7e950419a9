// Small matrices as arrays of rows.

const dot = (a, b) => { let sum = 0; for (let i = 0; i < a.length; i++) sum += a[i] * b[i]; return sum; };
const gramOf = (columns) => columns.map((a) => columns.map((b) => dot(a, b)));
const degrees = (cosine) => (180 / Math.PI) * Math.acos(Math.min(1, Math.abs(cosine)));

// Eigenvalues, the largest first, and eigenvectors as columns of a symmetric matrix: Jacobi rotations.
function eigen(matrix) {
  const n = matrix.length, a = matrix.map((row) => Float64Array.from(row));
  const v = a.map((row, i) => row.map((_, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0, on = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (i === j) on += a[i][j] ** 2; else off += a[i][j] ** 2;
    if (off <= 1e-22 * on || off === 0) break;
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(a, v, p, q);
  }
  const order = [...a.keys()].sort((i, j) => a[j][j] - a[i][i]);
  return { values: order.map((i) => Math.max(0, a[i][i])), vectors: v.map((row) => order.map((i) => row[i])) };
}

function rotate(a, v, p, q) {
  if (a[p][q] === 0) return;
  const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1), s = t * c, n = a.length;
  for (let k = 0; k < n; k++) {
    const x = a[k][p], y = a[k][q];
    a[k][p] = c * x - s * y; a[k][q] = s * x + c * y;
  }
  for (let k = 0; k < n; k++) {
    const x = a[p][k], y = a[q][k];
    a[p][k] = c * x - s * y; a[q][k] = s * x + c * y;
    const e = v[k][p], f = v[k][q];
    v[k][p] = c * e - s * f; v[k][q] = s * e + c * f;
  }
}

// The column of each row in the assignment of the least total cost (shortest augmenting paths).
function assign(cost) {
  const n = cost.length, u = new Float64Array(n + 1), v = new Float64Array(n + 1);
  const match = new Int32Array(n + 1), way = new Int32Array(n + 1);
  for (let i = 1; i <= n; i++) {
    match[0] = i;
    const least = new Float64Array(n + 1).fill(Infinity), used = new Uint8Array(n + 1);
    let j0 = 0;
    do {
      used[j0] = 1;
      const row = match[j0];
      let delta = Infinity, next = 0;
      for (let j = 1; j <= n; j++) {
        if (used[j]) continue;
        const left = cost[row - 1][j - 1] - u[row] - v[j];
        if (left < least[j]) { least[j] = left; way[j] = j0; }
        if (least[j] < delta) { delta = least[j]; next = j; }
      }
      for (let j = 0; j <= n; j++) if (used[j]) { u[match[j]] += delta; v[j] -= delta; } else least[j] -= delta;
      j0 = next;
    } while (match[j0] !== 0);
    for (; j0; j0 = way[j0]) match[j0] = match[way[j0]];
  }
  const found = new Array(n);
  for (let j = 1; j <= n; j++) found[match[j] - 1] = j - 1;
  return found;
}

// |V - P(V)| of Rolinek et al. 2019, Eq. 29: P is the nearest signed permutation.
function distanceToOrthogonality(vectors) {
  const cost = vectors.map((row) => row.map((x) => -Math.abs(x)));
  const support = assign(cost).reduce((sum, j, i) => sum + Math.abs(vectors[i][j]), 0);
  return Math.sqrt(Math.max(0, 2 * vectors.length - 2 * support));
}
