"""What each method costs: its time for a step, relative to the beta-VAE on the same network.

    python benchmarks/methods.py [--size 64] [--steps 10] [--rounds 5] [method ...]

One process, one thread, batches of 64 images; rounds of some steps alternate between the beta-VAE
and the method, and the median of the rounds' ratios is printed.
"""

import argparse
import statistics
import time

import torch

from gordium.datasets import in_memory, load_dataset
from gordium.methods import METHODS, BetaVAE
from gordium.training import Settings, Task
from gordium.training.step import training_task

HELD = {"wall_hue": 5, "object_hue": 0, "scale": 4, "shape": 0}


def main() -> None:
    """Measure the methods asked for, by default all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(METHODS))
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(1)
    dataset = in_memory(load_dataset("shapes3d", size=options.size).hold(**HELD))
    settings = Settings(latent_dim=6, steps=10**9)

    def timed(task: Task, start: int) -> float:
        begun = time.perf_counter()
        for i in range(start, start + options.steps):
            task.step(i)
        return time.perf_counter() - begun

    for name in options.methods:
        device = torch.device("cpu")
        both = [
            training_task(method, dataset, settings, device)[1]
            for method in (BetaVAE(), METHODS[name]())
        ]
        for task in both:
            timed(task, 0)
        ratios = []
        for k in range(1, options.rounds + 1):
            plain, own = (timed(task, k * options.steps) for task in both)
            ratios.append(own / plain)
        print(f"{name:16} {statistics.median(ratios):5.2f} times the beta-VAE's time", flush=True)


if __name__ == "__main__":
    main()
