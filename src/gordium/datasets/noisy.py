"""A data set plus fixed noise: each image has its own, whenever and with whatever it is read."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from gordium.datasets._reflect import Floats, add_change, check_epsilon
from gordium.datasets.base import Dataset, Images
from gordium.factors import Factor, Integers

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
BLOCK = 8  # images worked on at once, few enough to stay in the processor's cache


@final
@dataclass(frozen=True)
class Noisy(Dataset):
    """`base` plus uniform noise in [-epsilon, epsilon], a function of seed, index and pixel."""

    base: Dataset
    epsilon: float
    seed: int = 0

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        if not 0 <= self.seed < 2**64:
            raise ValueError(f"seed must lie in 0 to 2**64 - 1; got {self.seed}.")

    @property
    def factors(self) -> tuple[Factor, ...]:
        return self.base.factors

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return self.base.image_shape

    @property
    def declaration(self) -> dict[str, Any]:
        return {
            "variant": "noisy",
            "base": self.base.declaration,
            "epsilon": self.epsilon,
            "seed": self.seed,
        }

    def render(self, indices: Integers) -> Images:
        plain = self.base.render(indices)
        images = np.empty_like(plain)
        for start in range(0, len(indices), BLOCK):
            part = slice(start, start + BLOCK)
            images[part] = add_change(plain[part], self._noise(indices[part]))
        return images

    def _noise(self, indices: Integers) -> Floats:
        count = int(np.prod(self.image_shape))
        step = np.float32(2 * self.epsilon / 65536)
        noise = uniform_shorts(self.seed, indices, count) * step
        noise += step / 2 - np.float32(self.epsilon)
        return noise.reshape(-1, *self.image_shape)


def uniform_shorts(seed: int, indices: Integers, count: int) -> NDArray[np.uint16]:
    """(n, count) independent uniform 16-bit numbers; a row depends on seed and index only.

    A SplitMix64 sequence from a start drawn per index; each of its numbers makes four.
    """
    start = _mix(_mix(np.uint64(seed) + np.zeros(1, np.uint64)) ^ indices.astype(np.uint64))
    counters = np.arange(1, 1 + -(-count // 4), dtype=np.uint64) * GOLDEN
    return _mix(start[:, None] + counters).astype("<u8", copy=False).view("<u2")[:, :count]


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The SplitMix64 finaliser: a one-to-one scrambling of 64 bits (Steele et al., 2014)."""
    x = x + GOLDEN
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x
