"""How fast training is, against a bare PyTorch loop and the machine's own limit.

Run `python benchmarks/training.py`. All parts take turns in one run, so that their ratios mean
something on a machine that is not quiet. "Bare" is the loop that one would write first: the same
network, loss and batch, PyTorch's default memory layout, optimiser and allocator, one batch of
floats that is already there. Peak is a 1024 x 1024 matrix product.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

WARM_UP, STEPS, BATCH = 3, 25, 64
# Multiply-adds of one 64x64x3 image through encoder and decoder, from the layers' sizes.
ENCODER = [
    32**2 * 48 * 32,
    16**2 * 512 * 32,
    8**2 * 128 * 64,
    4**2 * 256 * 64,
    1024 * 256,
    256 * 20,
]
DECODER = [
    10 * 256,
    256 * 1024,
    4**2 * 1024 * 64,
    8**2 * 1024 * 32,
    16**2 * 512 * 32,
    32**2 * 512 * 3,
]
# Forward, and backward to weights and inputs; the images themselves need no gradient.
FLOPS = 2 * (3 * sum(ENCODER + DECODER) - ENCODER[0])


def bare() -> float:
    """Images per second of the plain loop."""
    import torch
    from torch import nn
    from torch.nn import functional as F

    encoder = nn.Sequential(
        nn.Conv2d(3, 32, 4, 2, 1), nn.ReLU(), nn.Conv2d(32, 32, 4, 2, 1), nn.ReLU(),
        nn.Conv2d(32, 64, 2, 2), nn.ReLU(), nn.Conv2d(64, 64, 2, 2), nn.ReLU(),
        nn.Flatten(), nn.Linear(1024, 256), nn.ReLU(), nn.Linear(256, 20),
    )  # fmt: skip
    decoder = nn.Sequential(
        nn.Linear(10, 256), nn.ReLU(), nn.Linear(256, 1024), nn.ReLU(), nn.Unflatten(1, (64, 4, 4)),
        nn.ConvTranspose2d(64, 64, 4, 2, 1), nn.ReLU(),
        nn.ConvTranspose2d(64, 32, 4, 2, 1), nn.ReLU(),
        nn.ConvTranspose2d(32, 32, 4, 2, 1), nn.ReLU(),
        nn.ConvTranspose2d(32, 3, 4, 2, 1),
    )  # fmt: skip
    optimiser = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-4)
    x = torch.rand(BATCH, 3, 64, 64)

    def step() -> None:
        mean, log_variance = encoder(x).chunk(2, dim=1)
        z = mean + torch.randn_like(mean) * (0.5 * log_variance).exp()
        nll = F.binary_cross_entropy_with_logits(decoder(z), x, reduction="sum") / len(x)
        kl = 0.5 * (mean**2 + log_variance.exp() - log_variance - 1).sum(dim=1).mean()
        optimiser.zero_grad()
        (nll + 4 * kl).backward()
        optimiser.step()

    return _speed(step)


def ours() -> float:
    """Images per second of `gordium.train` on shapes3d, data included."""
    from dataclasses import dataclass, field

    import gordium as gd
    from gordium.datasets.base import Wrapper

    @dataclass(frozen=True)
    class Timed(Wrapper):
        """Notes when each batch is asked for."""

        marks: list = field(default_factory=list)
        declaration = {"name": "timed"}  # noqa: RUF012

        def render(self, indices):  # noqa: ANN001, ANN202
            self.marks.append(time.perf_counter())
            return self.base.render(indices)

    dataset = Timed(gd.load_dataset("shapes3d"))
    method = gd.methods.BetaVAE(beta=4)
    gd.train(method, dataset, steps=WARM_UP + STEPS + 1, latent_dim=10, device="cpu")
    return BATCH * STEPS / (dataset.marks[-1] - dataset.marks[-1 - STEPS])


def data_share() -> float:
    """The part of a step that goes into making its batch."""
    import numpy as np

    import gordium as gd

    dataset = gd.load_dataset("shapes3d")
    rng = np.random.default_rng(0)
    dataset.images(rng.integers(len(dataset), size=BATCH))
    times = []
    for _ in range(50):
        start = time.perf_counter()
        dataset.images(rng.integers(len(dataset), size=BATCH))
        times.append(time.perf_counter() - start)
    return median(times) * ours() / BATCH


def peak() -> float:
    """GFLOP/s of a large matrix product."""
    import torch

    a = torch.rand(1024, 1024)
    a @ a
    start = time.perf_counter()
    for _ in range(20):
        a @ a
    return 20 * 2 * 1024**3 / (time.perf_counter() - start) / 1e9


def start_up() -> dict[str, float]:
    """Seconds and MB from `import gordium` to the first batch, beyond importing torch."""
    import numpy as np
    import torch  # noqa: F401

    before, memory = time.perf_counter(), _megabytes()
    import gordium as gd

    dataset = gd.load_dataset("shapes3d")
    dataset.images(np.random.default_rng(0).integers(len(dataset), size=BATCH))
    return {"seconds": time.perf_counter() - before, "MB": _megabytes() - memory}


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _speed(step) -> float:  # noqa: ANN001
    for _ in range(WARM_UP):
        step()
    start = time.perf_counter()
    for _ in range(STEPS):
        step()
    return BATCH * STEPS / (time.perf_counter() - start)


PARTS = {part.__name__: part for part in (bare, ours, peak, data_share, start_up)}


def measure(part: str, processes: int, threads: int, **environment: str) -> list:
    """The part's results in fresh processes that run side by side."""
    variables = {**os.environ, "OMP_NUM_THREADS": str(threads), **environment}
    command = [sys.executable, __file__, "--part", part]
    running = [
        subprocess.Popen(command, env=variables, stdout=subprocess.PIPE) for _ in range(processes)
    ]
    return [json.loads(process.communicate()[0]) for process in running]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    if chosen.part:
        print(json.dumps(PARTS[chosen.part]()))
        return
    cores = os.cpu_count() or 1
    layouts = {f"{cores} x 1 thread": (cores, 1), f"1 x {cores} threads": (1, cores)}
    found: dict[tuple[str, str], list[float]] = {}
    for _ in range(chosen.rounds):
        for layout, (processes, threads) in layouts.items():
            for part in ("bare", "ours", "peak"):
                total = sum(measure(part, processes, threads))
                found.setdefault((part, layout), []).append(total)
    for layout in layouts:
        plain, own, limit = (median(found[part, layout]) for part in ("bare", "ours", "peak"))
        print(
            f"{layout}: bare {plain:.0f} images/s, gordium {own:.0f} ({own / plain:.2f} x), "
            f"at the matrix-product peak {limit * 1e9 / FLOPS:.0f} "
            f"({own / (limit * 1e9 / FLOPS):.2f} of it; {limit:.0f} GFLOP/s)"
        )
    (share,) = measure("data_share", 1, 1)
    print(f"share of a step spent on data: {100 * share:.1f} %")
    (warm,) = measure("start_up", 1, 1)
    print(f"import to first batch, warm cache: {warm['seconds']:.2f} s, {warm['MB']:.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        (cold,) = measure("start_up", 1, 1, GORDIUM_CACHE=str(Path(folder)))
    print(f"import to first batch, cold cache: {cold['seconds']:.2f} s, {cold['MB']:.0f} MB")


if __name__ == "__main__":
    main()
