"""How fast data sets give random batches, against one training step in the same run.

    python benchmarks/data.py [--batches 30] [--steps 5] [name ...]

Each set gives batches of 64 random images at 64 x 64 (or at its own size, if it has one only),
in turn with steps of a beta-VAE with the convolutional network on Shapes3D, in one thread. Times
are the processor's, so that other programs do not count. Sets whose files are absent are left
out. Memory is what the process has more than before the first batch, pages of mapped files
included. A batch that takes over a fifth of a step is too slow: then the exit code is 1.
"""

import argparse
import dataclasses
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gordium.datasets import DATASETS, Dataset, load_dataset, overview
from gordium.methods import BetaVAE
from gordium.training import Settings, Task
from gordium.training.step import training_task

BATCH = 64
MOST = 0.2


def measured(name: str, task: Task, batches: int, steps: int) -> dict[str, float]:
    """Seconds of a batch, of a step and of the first batch; MB of memory."""
    before = _megabytes()
    dataset = _large(name)
    rng = np.random.default_rng(0)

    def batch() -> object:
        return dataset.images(rng.integers(len(dataset), size=BATCH))

    first = _seconds(batch, 1)
    turns: dict[str, list[float]] = {"batch": [], "step": []}
    for _ in range(steps):
        turns["step"].append(_seconds(lambda: task.step(1), 1))
        turns["batch"].append(_seconds(batch, max(1, batches // steps)))
    medians = {part: statistics.median(found) for part, found in turns.items()}
    return {**medians, "first": first, "MB": _megabytes() - before}


def _large(name: str) -> Dataset:
    kind: Any = DATASETS[name]
    is_sized = any(field.name == "size" for field in dataclasses.fields(kind))
    return load_dataset(name, **({"size": 64} if is_sized else {}))


def _seconds(work: Callable[[], object], times: int) -> float:
    started = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - started) / times


def _megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(DATASETS))
    parser.add_argument("--batches", type=int, default=30)
    parser.add_argument("--steps", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(1)
    shapes, settings = load_dataset("shapes3d"), Settings(latent_dim=6, steps=10**9)
    task = training_task(BetaVAE(), shapes, settings, torch.device("cpu"))[1]
    task.step(0)
    slow = 0
    for name in options.names:
        if (source := overview(name).source).startswith("not here"):
            print(f"{name:20} {source}", flush=True)
            continue
        found = measured(name, task, options.batches, options.steps)
        ratio = found["batch"] / found["step"]
        slow += ratio > MOST
        speed, memory = BATCH / found["batch"], found["MB"]
        print(
            f"{name:20} {speed:9,.0f} images/s, {memory:4.0f} MB; first one {found['first']:.1f} s"
            f", then a batch is {ratio:.3f} of a step ({found['step']:.2f} s)",
            flush=True,
        )
    return min(slow, 1)


if __name__ == "__main__":
    sys.exit(main())
