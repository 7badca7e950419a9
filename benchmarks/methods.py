"""What each method costs: its time for a step, relative to the beta-VAE on the same network.

Beside it, how many times longer the same step takes on PyTorch's kernels than on ours.

    python benchmarks/methods.py [--size 64] [--steps 10] [--rounds 5] [method ...]

One process, one thread, batches of 64 images; rounds of some steps alternate between the beta-VAE,
the method, and the method on PyTorch's kernels, and medians of the rounds' ratios are printed.
Seconds are processor time, so that other work on the machine matters less.
"""

import argparse
import os
import statistics
import time

import torch

from gordium.datasets import in_memory, load_dataset
from gordium.methods import METHODS, BetaVAE
from gordium.networks import Convolutional
from gordium.training import Settings, Task
from gordium.training.machine import SWITCH, keep_freed_memory
from gordium.training.step import training_task

HELD = {"wall_hue": 5, "object_hue": 0, "scale": 4, "shape": 0}
CPU = torch.device("cpu")


def main() -> None:
    """Measure the methods asked for, by default all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(METHODS))
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--width", type=float, default=1.0)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(1)
    keep_freed_memory()
    dataset = in_memory(load_dataset("shapes3d", size=options.size).hold(**HELD))
    network = Convolutional(options.width)
    settings = Settings(latent_dim=6, steps=10**9, architecture=network)
    for name in options.methods:
        made = (BetaVAE(), "on"), (METHODS[name](), "on"), (METHODS[name](), "off")
        tasks = [(training_task(m, dataset, settings, CPU)[1], switch) for m, switch in made]
        rounds = [
            [seconds(task, switch, k, options.steps) for task, switch in tasks]
            for k in range(options.rounds + 1)
        ][1:]
        cost = statistics.median(own / plain for plain, own, _ in rounds)
        gain = statistics.median(theirs / own for _, own, theirs in rounds)
        print(
            f"{name:24} {cost:5.2f} times the beta-VAE's time, on PyTorch's kernels {gain:.2f} "
            "times as long",
            flush=True,
        )


def seconds(task: Task, switch: str, k: int, steps: int) -> float:
    """Of the k-th round, with our kernels on or off."""
    os.environ[SWITCH] = switch
    begun = time.process_time()
    for i in range(k * steps, (k + 1) * steps):
        task.step(i)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
