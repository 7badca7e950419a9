"""What the runner itself costs: status and rows of many runs, and workers against one another.

    python benchmarks/study.py [--runs 10000]              a store of synthetic runs
    python benchmarks/study.py --scaling [--steps 2000]    two workers against one

The second also prints the runner's own share: wall time that is not a worker's.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gordium.store import FINISHED, PLAN, Store


def synthetic(folder: Path, n: int) -> None:
    """A study whose runs were never made."""
    Store(folder).declare({"name": "synthetic"})
    metrics = ("mig", "dci", "sap", "modularity", "beta_vae_score", "factor_vae_score")
    with (folder / PLAN).open("w") as plan, (folder / FINISHED).open("w") as finished:
        for i in range(n):
            method, strength = f"method-{i % 6}", float(i // 6 % 6)
            node = {"kind": "run", "key": f"{i:016x}", "data": f"data-{i % 7}"}
            node |= {"variant": "original", "method": method, "strength": strength, "seed": i // 36}
            plan.write(json.dumps(node) + "\n")
            record = {
                "key": node["key"],
                "scores": {name: (i * 7919 % 1000) / 1000 for name in metrics},
                "active_units": 6,
                "over_pruned": i % 50 == 0,
                "n_images": 10_000,
                "steps": 300_000,
                "hyperparameters": {"name": method, "beta": strength},
                "versions": {"gordium": "0", "torch": "0"},
            }
            finished.write(json.dumps(record) + "\n")


def timed(*arguments: str) -> float:
    begun = time.perf_counter()
    command = [sys.executable, "-m", "gordium", "study", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begun


SCALING = """
name = "scaling"
metrics = ["mig"]
seeds = {seeds}
[settings]
steps = {steps}
architecture = {{ name = "convolutional", width = 0.5 }}
[data.shapes3d]
size = 32
hold = {{ wall_hue = 5, object_hue = 0, scale = 4, shape = 0 }}
[method.beta-vae]
beta = 8.0
"""


def scaling(steps: int, seeds: int = 4) -> None:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "scaling.toml"
        file.write_text(SCALING.format(seeds=seeds, steps=steps))
        seconds = [
            timed("run", str(file), "--out", f"{place}/{n}", "--workers", str(n)) for n in (1, 2)
        ]
        print(
            f"{seeds} runs of {steps} steps: one worker {seconds[0]:.1f} s, two {seconds[1]:.1f} s"
        )
        print(f"two workers do {seconds[0] / seconds[1]:.2f} times the runs per hour of one")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--steps", type=int, default=1000)
    given = parser.parse_args()
    if given.scaling:
        scaling(given.steps)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "many"
        synthetic(folder, given.runs)
        status = min(timed("status", str(folder)) for _ in range(3))
        print(f"status of {given.runs:,} runs: {status:.2f} s")
        print(f"rows of {given.runs:,} runs: {timed('rows', str(folder)):.2f} s")
        print(f"report of {given.runs:,} runs: {timed('report', str(folder)):.2f} s")


if __name__ == "__main__":
    main()
