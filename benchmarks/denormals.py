"""How much slower a step is if floats below 1e-38 are computed with, instead of counted as zero.

    python benchmarks/denormals.py [--warm-up 2000] [--steps 20] [--rounds 5]

A beta-VAE learns dSprites at 32 x 32 with the direct kernels, as in the laptop studies; where it
is sure of the empty background, many gradients are so small. Then rounds of steps alternate
between both ways, in milliseconds a step of processor time.
"""

import argparse
import time
from collections.abc import Iterator
from statistics import median

import torch

import gordium as gd
from gordium.networks import Convolutional
from gordium.optimisers import Adam
from gordium.training import Settings
from gordium.training.machine import flush_denormals, keep_freed_memory
from gordium.training.step import Steps, training_steps


def main() -> None:
    """Train, then time both ways in turn."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warm-up", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(1)
    keep_freed_memory()
    steps, numbers = start(options.warm_up), iter(range(options.warm_up, 10**9))
    spent: dict[str, list[float]] = {"computed with": [], "counted as zero": []}
    for _ in range(options.rounds):
        spent["computed with"].append(time_steps(steps, numbers, options.steps))
        with flush_denormals():
            spent["counted as zero"].append(time_steps(steps, numbers, options.steps))
    print("| small floats | ms a step | lowest, highest |\n|---|---|---|")
    for way, times in spent.items():
        print(f"| {way} | {median(times):.2f} | {min(times):.2f}, {max(times):.2f} |")
    slower, faster = (median(times) for times in spent.values())
    print(f"{slower / faster:.2f} times as fast")


def start(warm_up: int) -> Steps:
    """A run of the laptop studies on dSprites after so many steps."""
    dataset = gd.datasets.in_memory(
        gd.load_dataset("dsprites", size=32).hold(shape=2, orientation=0)
    )
    settings = Settings(
        latent_dim=4,
        steps=1,
        likelihood="bernoulli-x4",
        architecture=Convolutional(width=0.25),
        optimiser=Adam(learning_rate=1e-3),
    )
    steps = training_steps(gd.methods.BetaVAE(beta=2), dataset, settings, torch.device("cpu"))
    with flush_denormals():
        for i in range(warm_up):
            steps.take(i)
    return steps


def time_steps(steps: Steps, numbers: Iterator[int], n: int) -> float:
    """Milliseconds of processor time a step."""
    began = time.process_time()
    for _ in range(n):
        steps.take(next(numbers))
    return 1000 * (time.process_time() - began) / n


if __name__ == "__main__":
    main()
