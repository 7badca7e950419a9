"""Facts about a data set, which are known even where its files are absent."""

from collections.abc import Callable, Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from gordium.datasets.base import Dataset
from gordium.factors import Factor, grid_size

FEW = 100


class Overview(NamedTuple):
    """The number and shape of a set's images, its factors, and where the images come from."""

    n_images: int
    image_shape: tuple[int, int, int]
    factors: tuple[Factor, ...]
    source: str
    itemsize: int = 1

    @property
    def n_bytes(self) -> int:
        """How many bytes all images take."""
        return self.n_images * prod(self.image_shape) * self.itemsize


def describe(kind: Callable[..., Dataset]) -> Overview:
    """Describe a set with its default options; where its files are absent, as published."""
    try:
        data = kind()
    except FileNotFoundError:
        absent: Any = kind  # only sets that are read from files raise this; they know their facts
        return absent.describe_absent()
    source = data.declaration["source"]
    return Overview(len(data), data.image_shape, data.factors, source, data.itemsize)


def remarks(dataset: Dataset) -> Iterator[str]:
    """Sentences on what a data set can and cannot be used for, and why."""
    values = dataset.factors_at(np.arange(len(dataset)))
    if len(dataset) < FEW:
        yield f"{len(dataset)} images are few: most scores will mean nothing."
    for factor, column in zip(dataset.factors, values.T, strict=True):
        if (column == column[0]).all():
            yield f"factor {factor.name} has one value only: metrics refuse it, so leave it out."
    if dataset.has_real_factors:
        yield "some factors are real numbers: metrics that need classes must have them binned."
        return
    if dataset.is_grid:
        yield "every combination of values has one image: pairs and held factors work."
        return
    combinations, all_of_them = len(np.unique(values, axis=0)), grid_size(dataset.factors)
    why = "some have several images, so " if combinations == all_of_them else ""
    yield (
        f"{combinations:,} of {all_of_them:,} combinations of values are there, in "
        f"{len(dataset):,} images: {why}this is not a grid, and methods that train on pairs need "
        "one."
    )
