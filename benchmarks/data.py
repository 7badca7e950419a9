"""How fast data sets give random batches, against one training step on them.

    python benchmarks/data.py [--batches 30] [--steps 5] [name ...]

Each set gives batches of 64 random images at 64 x 64 (its own size where it has one only), in a
process of its own with one thread, where a beta-VAE's step with the convolutional network is
timed in turn with them. Sets whose files are absent are left out. The last column is the time of
a batch in steps: above 0.2, data would slow training down, and the exit code is 1.
"""

import argparse
import dataclasses
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

BATCH = 64
MOST = 0.2


def measure(name: str, batches: int, steps: int) -> dict[str, float]:
    """Seconds of a batch and of a step, medians of turns; MB that the data set took."""
    import numpy as np
    import torch

    import gordium as gd
    from gordium.datasets import DATASETS
    from gordium.methods import BetaVAE
    from gordium.networks import Convolutional
    from gordium.training import Settings
    from gordium.training.step import training_task

    torch.set_num_threads(1)
    shapes = gd.load_dataset("shapes3d")
    settings = Settings(latent_dim=6, steps=10**9, architecture=Convolutional())
    task = training_task(BetaVAE(), shapes, settings, torch.device("cpu"))[1]
    task.step(0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    is_sized = any(field.name == "size" for field in dataclasses.fields(DATASETS[name]))  # type: ignore[arg-type]
    dataset = gd.load_dataset(name, **({"size": 64} if is_sized else {}))
    rng = np.random.default_rng(0)

    def batch() -> None:
        dataset.images(rng.integers(len(dataset), size=BATCH))

    started = time.perf_counter()
    batch()
    first = time.perf_counter() - started
    seconds: dict[str, list[float]] = {"batch": [], "step": []}
    for turn in range(steps):
        seconds["step"].append(_timed(lambda turn=turn: task.step(turn + 1), 1))
        seconds["batch"].append(_timed(batch, max(1, batches // steps)))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    medians = {part: statistics.median(found) for part, found in seconds.items()}
    return {**medians, "first": first, "MB": grown / 1024}


def _timed(work: Callable[[], object], times: int) -> float:
    started = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - started) / times


def main() -> int:
    from gordium.datasets import list_datasets, overview

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list_datasets())
    parser.add_argument("--batches", type=int, default=30)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--part", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        print(json.dumps(measure(options.part, options.batches, options.steps)))
        return 0
    slow = 0
    for name in options.names:
        if overview(name).source.startswith("not here"):
            print(f"{name:20} {overview(name).source}", flush=True)
            continue
        counts = ["--batches", str(options.batches), "--steps", str(options.steps)]
        command = [sys.executable, __file__, "--part", name, *counts]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        ratio = found["batch"] / found["step"]
        slow += ratio > MOST
        print(
            f"{name:20} {BATCH / found['batch']:9,.0f} images/s, first batch {found['first']:.1f} s,"
            f" {found['MB']:.0f} MB, a batch is {ratio:.3f} of a step",
            flush=True,
        )
    return min(slow, 1)


if __name__ == "__main__":
    sys.exit(main())
