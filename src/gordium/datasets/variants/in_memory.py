"""A data set with all its images in memory, where they are read faster."""

import os
from dataclasses import dataclass, field
from typing import final

import numpy as np

from gordium.datasets.base import Dataset, Images, Overlay
from gordium.factors import Integers
from gordium.fields import Declaration
from gordium.progress import progress

CHUNK = 1024
LEAST_LIMIT = 1 << 29


@final
@dataclass(frozen=True)
class InMemory(Overlay):
    """`base` with its images in one table; made by `in_memory`."""

    table: Images = field(repr=False, compare=False)

    @property
    def declaration(self) -> Declaration:
        """That of `base`: images in memory are the same data set."""
        return self.base.declaration

    @property
    def is_in_memory(self) -> bool:
        return True

    @property
    def clean(self) -> Dataset:
        return self.base.clean

    def with_fresh_noise(self) -> Dataset:
        return self.base.with_fresh_noise()  # the table holds the images of this noise

    def render(self, indices: Integers) -> Images:
        return self.table[indices]


def in_memory(dataset: Dataset, limit_bytes: int | None = None) -> Dataset:
    """Read all images into memory; return `dataset` itself if they take over `limit_bytes`.

    Without a limit it is an eighth of the memory that is free, and at least 512 MB.
    """
    if limit_bytes is None:
        limit_bytes = max(LEAST_LIMIT, free_memory() // 8)
    n = len(dataset)
    shape = (n, *dataset.image_shape)
    n_bytes = dataset.itemsize * int(np.prod(shape, dtype=np.int64))
    if dataset.is_in_memory or n_bytes > limit_bytes:
        return dataset
    table = np.empty(shape, np.uint8 if dataset.itemsize == 1 else np.float32)
    with progress("reading images into memory", n) as advance:
        for start in range(0, n, CHUNK):
            part = np.arange(start, min(start + CHUNK, n))
            table[part] = dataset.render(part)
            advance(len(part))
    return InMemory(dataset, table)


def free_memory() -> int:
    """How many bytes of memory nobody uses; 0 where the system does not tell."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0
