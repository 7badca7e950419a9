"""Permutation-contrastive learning on the data it was made for: time series, mixed nonlinearly.

`python docs/figures/pcl_sources.py --sources 20` prints how well the sources are recovered, as
in the simulations of Hyvarinen and Morioka 2017: AR(1) sources with Laplace innovations, mixed
by layers of leaky units, whitened, and unmixed by layers of maxout units.
"""

import argparse
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.signal import lfilter
from torch import Generator, Tensor, nn

from gordium.methods.pcl import PairScore, contrast
from gordium.metrics import mcc
from gordium.networks import build

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What is mixed: 2^`log_length` steps of `sources` with x(t) = memory x(t - 1) + noise."""

    sources: int = 5
    log_length: int = 15
    memory: float = 0.7
    layers: int = 3
    slope: float = 0.2


class Recovery(NamedTuple):
    """Mean absolute correlations with the sources: of the whitened mixtures, of the features."""

    before: float
    after: float


def series(ground: Ground, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Sources of unit variance and their whitened mixtures, (length, sources) each."""
    noise = rng.laplace(size=(1 << ground.log_length, ground.sources))
    sources = lfilter([1.0], [1.0, -ground.memory], noise, axis=0)
    sources /= sources.std(axis=0)
    x = sources
    for layer in range(ground.layers):
        # Rotations keep every layer's map well conditioned, so all sources can be found.
        x = x @ np.linalg.qr(rng.normal(size=(ground.sources, ground.sources)))[0]
        if layer < ground.layers - 1:
            x = np.where(x > 0, x, ground.slope * x)
    left = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)[0]
    return sources, left * np.sqrt(len(left))


def recover(
    ground: Ground, *, steps: int, width: int = 32, batch_size: int = 256, seed: int = 0
) -> Recovery:
    """Train features on the mixtures alone and compare them with the sources."""
    sources, mixed = series(ground, np.random.default_rng(seed))
    x = torch.from_numpy(mixed).float()
    chance = Generator().manual_seed(seed)
    network = _features(ground, width, chance)
    score = PairScore(ground.sources)
    optimiser = torch.optim.Adam([*network.parameters(), *score.parameters()], lr=1e-2)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(steps):
        later = torch.randint(1, len(x), (batch_size,), generator=chance)
        features = network(x[torch.cat([later - 1, later])])
        optimiser.zero_grad()
        contrast(score, features[batch_size:], features[:batch_size], chance).backward()
        optimiser.step()
        schedule.step()
    with torch.no_grad():
        codes = network.eval()(x).numpy()
    return Recovery(mcc(mixed, sources), mcc(codes, sources))


class Maxout(nn.Module):
    """The larger of two halves of the inputs, unit by unit."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.maximum(*x.chunk(2, dim=1))


def _features(ground: Ground, width: int, weights: Generator) -> nn.Module:
    """A network with as many layers as the mixture; its features are standardised."""
    widths = [ground.sources, *[width] * (ground.layers - 1)]

    def make() -> nn.Module:
        hidden = [
            layer
            for n_in, n_out in pairwise(widths)
            for layer in (nn.Linear(n_in, 2 * n_out), Maxout())
        ]
        return nn.Sequential(*hidden, nn.Linear(widths[-1], ground.sources))

    return nn.Sequential(build(make, weights), nn.BatchNorm1d(ground.sources, affine=False))


def main() -> None:
    """Recover the sources of one mixture and print how well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=int, default=20)
    parser.add_argument("--log-length", type=int, default=18)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--width", type=int, default=80)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    ground = Ground(sources=given.sources, log_length=given.log_length)
    found = recover(ground, steps=given.steps, width=given.width, seed=given.seed)
    print(f"mean correlation: mixtures {found.before:.3f}, features {found.after:.3f}")


if __name__ == "__main__":
    main()
