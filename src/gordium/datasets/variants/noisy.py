"""A data set plus fixed noise: an image has the same noise whenever it is read."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.base import Images
from gordium.datasets.buffers import reuse_array
from gordium.datasets.variants.reflect import Altered, Floats, add_change
from gordium.factors import Integers
from gordium.fields import added

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
Words = NDArray[np.uint64]


@final
@dataclass(frozen=True)
class Noisy(Altered):
    """`base` plus uniform noise in [-epsilon, epsilon], a function of seed, index and pixel.

    With `two_valued`, each value moves by exactly epsilon, up or down: the largest energy that
    the bound allows.
    """

    epsilon: float
    seed: int = 0
    two_valued: bool = added(False)

    def __post_init__(self) -> None:
        self.check(self.epsilon)
        if not 0 <= self.seed < 2**64:
            raise ValueError(f"seed must lie in 0 to 2**64 - 1; got {self.seed}.")

    def with_fresh_noise(self) -> "Noisy":
        return replace(self, seed=(self.seed + 1) % 2**64)

    def render(self, indices: Integers) -> Images:
        return add_change(self.base.render(indices), lambda part: self._noise(indices[part]))

    def _noise(self, indices: Integers) -> Floats:
        count = int(np.prod(self.image_shape))
        words = reuse_array("noise words", (len(indices), -(-count // 4)), np.uint64)
        fill_uniform(words, self.seed, indices)
        shorts = words.astype("<u8", copy=False).view("<u2")[:, :count]
        noise = reuse_array("noise", (len(indices), count), np.float32)
        if self.two_valued:
            np.multiply(shorts >> 15, np.float32(2 * self.epsilon), out=noise)
            noise -= np.float32(self.epsilon)
        else:
            step = np.float32(2 * self.epsilon / 65536)
            np.multiply(shorts, step, out=noise)
            noise += step / 2 - np.float32(self.epsilon)
        return noise.reshape(-1, *self.image_shape)


def fill_uniform(words: Words, seed: int, indices: Integers) -> None:
    """Fill (n, m) with independent uniform 64-bit numbers; a row follows from seed and index.

    Each row is a SplitMix64 sequence (Steele et al., 2014) from a start of its own.
    """
    start = np.full(len(indices), seed, np.uint64)
    _mix(start, np.empty_like(start))
    start ^= indices.astype(np.uint64)
    _mix(start, np.empty_like(start))
    counters = np.arange(words.shape[1], dtype=np.uint64) * GOLDEN
    np.add(start[:, None], counters, out=words)
    _mix(words, reuse_array("noise shifts", words.shape, np.uint64))


def _mix(x: Words, spare: Words) -> None:
    """Scramble 64-bit numbers in place, one to one; `spare` is a work array."""
    x += GOLDEN
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        np.right_shift(x, np.uint64(shift), out=spare)
        x ^= spare
        x *= np.uint64(factor)
