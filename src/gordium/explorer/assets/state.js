// The state of the page: one input for all runs, a latent vector for each, and earlier states.

const explorer = { runs: [], datasets: [], input: null, past: [], listeners: [] };
const MEMORY = 200;

const onChange = (listener) => explorer.listeners.push(listener);

// Tell all listeners, which draw at once; slow work is restarted, and done when there is time.
function changed(what) {
  for (const listener of explorer.listeners) listener(what);
  slow.restart();
}

function remember() {
  const { input, runs } = explorer;
  explorer.past.push({ input, states: runs.map((run) => ({ z: run.z.slice(), posterior: run.posterior })) });
  if (explorer.past.length > MEMORY) explorer.past.shift();
  $("undo").disabled = false;
}

function undo() {
  const before = explorer.past.pop();
  if (!before) return;
  explorer.input = before.input;
  before.states.forEach((state, i) => Object.assign(explorer.runs[i], state));
  $("undo").disabled = explorer.past.length === 0;
  say("Undone.");
  changed({ input: true });
}

// The posterior that a run has of a stored image: kind is "kept" or "point".
function storedPosterior(run, kind, index) {
  const d = run.latent_dim, part = (name) => run[`${kind}_${name}`].subarray(index * d, (index + 1) * d);
  return { mean: part("codes"), logVariance: part("log_variances") };
}

// input: {kind, index, example, factor}, or {kind: "own", images} with an image for each data set.
function setInput(input, { quiet = false } = {}) {
  if (explorer.input && !quiet) remember();
  explorer.input = input;
  for (const run of explorer.runs) {
    run.posterior = input.kind === "own" ? encode(run, input.images[run.dataset]) : storedPosterior(run, input.kind, input.index);
    run.z = Float32Array.from(run.posterior.mean);
  }
  changed({ input: true });
}

function setUnit(run, unit, value) {
  run.z[unit] = value;
  changed({ run, unit });
}

function reset() {
  remember();
  for (const run of explorer.runs) run.z = Float32Array.from(run.posterior.mean);
  say("Units are back at the image's codes.");
  changed({});
}

function drawRandom() {
  remember();
  const noise = Array.from({ length: Math.max(...explorer.runs.map((run) => run.latent_dim)) }, gaussian);
  for (const run of explorer.runs) {
    for (const unit of run.units) run.z[unit.unit] = unit.mean + unit.spread * noise[unit.rank];
  }
  say("A random draw.");
  changed({});
}

function gaussian() {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

let saying = null;
function say(text) {
  clearTimeout(saying);
  saying = setTimeout(() => { $("said").textContent = text; }, 50);
}

// Work that takes many decodes: done in slices while nothing moves, and only for sections in view.
const slow = {
  jobs: [], queue: [], timer: null, running: false,
  // steps() is a generator; it runs only while its section is in view.
  add(section, steps) { this.jobs.push({ section, steps, stale: true }); },
  restart(section = null) {
    for (const job of this.jobs) if (!section || job.section === section) job.stale = true;
    this.queue = [];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fill(), 70);
  },
  fill() {
    const wanted = this.jobs.filter((job) => job.stale && seen.has(job.section));
    const queued = new Set(this.queue.map(({ job }) => job));
    for (const job of wanted) if (!queued.has(job)) this.queue.push({ job, work: job.steps() });
    if (this.queue.length && !this.running) this.slice();
  },
  // All of it at once, in view or not: before printing.
  finish() {
    clearTimeout(this.timer);
    this.queue = [];
    for (const job of this.jobs) if (job.stale) { for (const _ of job.steps()); job.stale = false; }
  },
  slice() {
    this.running = true;
    const end = performance.now() + 12;
    while (this.queue.length && performance.now() < end) {
      const { job, work } = this.queue[0];
      if (work.next().done) { job.stale = false; this.queue.shift(); }
    }
    if (this.queue.length) setTimeout(() => this.slice(), 0); else this.running = false;
  },
};

const seen = new Set();
const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) seen.add(target.id); else seen.delete(target.id);
  }
  slow.fill();
}, { rootMargin: "150px" });
