"""The random streams of a run: one each for data, weights and noise, independent of each other."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Generator

from gordium.factors import Integers

Key = tuple[int, ...]


@dataclass(frozen=True)
class Streams:
    """The streams of a seed: a key for the data, generators for weights and latent noise."""

    data: Key
    weights: Generator
    noise: Generator


def streams(seed: int, device: torch.device | None = None) -> Streams:
    """Make the independent streams of a seed; noise is drawn on `device`."""
    data, weights, noise = np.random.SeedSequence(seed).spawn(3)
    key = tuple(int(word) for word in data.generate_state(4))
    return Streams(key, _generator(weights), _generator(noise, device))


def substream(key: Key, k: int) -> Key:
    """The key of another stream, independent of the one with this key."""
    state = np.random.SeedSequence(key, spawn_key=(k,)).generate_state(4)
    return tuple(int(word) for word in state)


def _generator(seeds: np.random.SeedSequence, device: torch.device | None = None) -> Generator:
    seed = int(seeds.generate_state(1, np.uint64)[0] >> np.uint64(1))
    return Generator(device or "cpu").manual_seed(seed)


@dataclass(frozen=True)
class Batches:
    """The images of each step, which follow from key and step alone, so nothing needs saving.

    Each image is drawn uniformly from all `n`. With `passes`, each epoch goes through all images
    in a new random order, and the last batch of an epoch may be smaller.
    """

    key: Key
    n: int
    batch_size: int
    passes: bool = False

    def at(self, step: int) -> Integers:
        """The indices of a step's images."""
        if not self.passes:
            rng = np.random.default_rng((*self.key, step))
            return rng.integers(self.n, size=self.batch_size)
        epoch, position = divmod(step, -(-self.n // self.batch_size))
        start = position * self.batch_size
        return _order(self.key, epoch, self.n)[start : start + self.batch_size]


@lru_cache(maxsize=2)  # a step may see a second batch
def _order(key: Key, epoch: int, n: int) -> Integers:
    return np.random.default_rng((*key, epoch)).permutation(n)
