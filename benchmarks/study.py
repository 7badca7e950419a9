"""What the runner itself costs: status and rows of many runs, workers, and Ray.

    python benchmarks/study.py [--runs 20000]                      a store of synthetic runs
    python benchmarks/study.py --scaling [--minutes 5 --number 2]  two workers against one
    python benchmarks/study.py --ray [--number 100]                overhead of a run on Ray

`--scaling` also prints what of one worker's wall time is no job's: once at the start, and for each
run; and how much two cores can do at most here, where a run slows another one down. With the
defaults it takes a quarter of an hour, and wants a machine with two idle cores.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gordium.files import seal, seal_sorted
from gordium.study.store import STUDY, Store


def synthetic(folder: Path, n: int) -> None:
    """A study whose runs were never made."""
    Store(folder).declare({"name": "synthetic"})
    metrics = ("mig", "dci", "sap", "modularity", "beta_vae_score", "factor_vae_score")
    plan, finished = [], []
    with sqlite3.connect(folder / STUDY) as store:
        for i in range(n):
            method, strength = f"method-{i % 6}", float(i // 6 % 6)
            node = {"kind": "run", "key": f"{i:016x}", "data": f"data-{i % 7}"}
            node |= {"variant": "original", "method": method, "strength": strength, "seed": i // 36}
            plan.append((node["key"], seal_sorted(node)))
            record = {
                "key": node["key"],
                "scores": {name: (i * 7919 % 1000) / 1000 for name in metrics},
                "active_units": 6,
                "over_pruned": i % 50 == 0,
                "n_images": 10_000,
                "steps": 300_000,
                "hyperparameters": {"name": method, "beta": strength},
                "versions": {"gordium": "0", "torch": "0"},
                "closing": {"reconstruction": 100.0, "kl": 10.0, "elbo": -110.0},
            }
            finished.append((node["key"], seal(record)))
        store.executemany("INSERT INTO plan (key, node) VALUES (?, ?)", plan)
        store.executemany("INSERT INTO results VALUES (?, ?)", finished)
    store.close()


def claimed(folder: Path, n: int = 200) -> float:
    """Milliseconds to claim a run, with a look at whether it was finished, and to give it back."""
    store = Store(folder)
    begun = time.perf_counter()
    for i in range(n):
        claim = store.claim(f"new-{i}")
        assert claim is not None
        assert store.result(claim.key) is None
        store.release(claim)
    return 1000 * (time.perf_counter() - begun) / n


def timed(*arguments: str) -> float:
    begun = time.perf_counter()
    command = [sys.executable, "-m", "gordium", "study", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begun


SCALING = """
name = "scaling"
metrics = ["mig"]
seeds = {runs}
[settings]
steps = {steps}
architecture = {{ name = "convolutional", width = 0.5 }}
[data.shapes3d]
size = 32
hold = {{ wall_hue = 5, object_hue = 0, scale = 4, shape = 0 }}
[method.beta-vae]
beta = 8.0
"""

EMPTY = """
name = "empty"
metrics = ["mcc"]
seeds = {runs}
[settings]
steps = 1
architecture = "linear"
likelihood = "gaussian"
[data.square]
name = "synthetic-linear"
n = 50
[method.beta-vae]
"""


def clocked(path: str, function: Any, arguments: tuple[Any, ...], *claim: Any, report: Any) -> Any:
    """A job that also leaves when it began and when it ended in its worker."""
    begun = time.time()
    result = function(*arguments, *claim, report=report)
    with Path(path).open("a") as file:
        file.write(f"{begun} {time.time()}\n")
    return result


class Worked(NamedTuple):
    """Seconds that all jobs took in their workers, and when the first of them began."""

    busy: float
    first: float


def work(text: str, out: Path, engine: Any, workers: int) -> Worked:
    """Work a study off."""
    from gordium.study.engine import Job
    from gordium.study.read import study_of
    from gordium.study.runner import run_study

    clock = out.with_suffix(".clock")

    def with_clock(jobs: Sequence[Any], **options: Any) -> Any:
        timed = [
            Job(job.label, clocked, (str(clock), job.function, job.arguments), job.key)
            for job in jobs
        ]
        return engine(timed, **options)

    study = study_of(tomllib.loads(text))
    ended = run_study(study, Store(out), workers=workers, engine=with_clock)
    assert not ended.failed, ended.failed
    times = [tuple(map(float, line.split())) for line in clock.read_text().splitlines()]
    return Worked(sum(end - begun for begun, end in times), min(times)[0])


def steps_of(minutes: float) -> int:
    """How many steps take so long on one worker of this machine."""
    from gordium.study.price import estimate_price
    from gordium.study.read import study_of

    study = study_of(tomllib.loads(SCALING.format(runs=1, steps=1000)))
    [milliseconds] = estimate_price(study, seconds=10.0).milliseconds_per_step.values()
    return max(1, round(minutes * 60_000 / milliseconds))


def scaling(minutes: float, runs: int) -> None:
    """Runs per hour of two workers and of one; and what of one worker's time is no job's.

    Each number of workers is a process of its own, so that its start and imports count.
    """
    steps = steps_of(minutes)
    per_hour, busy = {}, {}
    with tempfile.TemporaryDirectory() as place:
        for workers in (1, 2):
            begun = time.time()
            words = ["--child", f"{place}/{workers}", "--workers", str(workers)]
            words += ["--steps", str(steps), "--number", str(runs)]
            command = [sys.executable, __file__, *words]
            output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
            worked = Worked(*map(float, output.split()))
            wall, start = time.time() - begun, worked.first - begun
            per_hour[workers], busy[workers] = 3600 * runs / wall, worked.busy / runs
            print(f"{workers} worker(s): {runs} runs of {steps:,} steps in {wall:.1f} s, ", end="")
            print(f"{per_hour[workers]:.1f} runs per hour, {busy[workers]:.1f} s of work each")
            if workers == 1:
                own = (wall - start - worked.busy) / runs
                share = 100 * (wall - worked.busy) / wall
                print(
                    f"the runner's own: {start:.1f} s before the first run, then {own:.2f} s ",
                    end="",
                )
                print(f"each; {share:.2f} % in all")
    print(
        f"two workers do {per_hour[2] / per_hour[1]:.2f} times the runs per hour of one; ", end=""
    )
    print(f"{2 * busy[1] / busy[2]:.2f} if no time but the runs' own counted")


def child(out: str, workers: int, steps: int, runs: int) -> None:
    from gordium.study.local_engine import execute

    print(*work(SCALING.format(runs=runs, steps=steps), Path(out), execute, workers))


def overhead_of_ray(runs: int) -> None:
    """Wall time of each run that is not its job's, when the cluster and its worker are warm."""
    from gordium.study.ray_engine import ray_engine

    with tempfile.TemporaryDirectory() as place:
        begun = time.perf_counter()
        with ray_engine() as engine:
            print(f"a cluster on this machine starts in {time.perf_counter() - begun:.1f} s")
            work(EMPTY.format(runs=1), Path(place) / "warm", engine, 1)
            begun, own = time.perf_counter(), time.process_time()
            busy = work(EMPTY.format(runs=runs), Path(place) / "many", engine, 1).busy
            wall, own = time.perf_counter() - begun, time.process_time() - own
    print(f"{runs} runs of one step, one at a time: {wall / runs:.3f} s each, of which ", end="")
    print(f"{busy / runs:.3f} s are the run's; overhead {(wall - busy) / runs:.3f} s")
    print(f"the runner's own CPU time: {own / runs:.4f} s a run; load {os.getloadavg()[0]:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--ray", action="store_true")
    parser.add_argument("--number", type=int, default=None)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--steps", type=int, default=1, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child, given.workers, given.steps, given.number)
    elif given.scaling:
        scaling(given.minutes, given.number or 2)
    elif given.ray:
        overhead_of_ray(given.number or 100)
    else:
        many(given.runs)


def many(runs: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "many"
        synthetic(folder, runs)
        print(f"claiming one of {runs:,} runs: {claimed(folder):.2f} ms")
        status = min(timed("status", str(folder)) for _ in range(3))
        print(f"status of {runs:,} runs: {status:.2f} s")
        print(f"rows of {runs:,} runs: {timed('rows', str(folder)):.2f} s")
        print(f"report of {runs:,} runs: {timed('report', str(folder)):.2f} s")


if __name__ == "__main__":
    main()
