"""What to know of a data set before it is used."""

from collections.abc import Iterator

import numpy as np

from gordium.datasets.base import Dataset
from gordium.factors import grid_size

FEW = 100


def remarks(dataset: Dataset) -> Iterator[str]:
    """Sentences on what a data set cannot serve for, and why."""
    values = dataset.factors_at(np.arange(len(dataset)))
    if len(dataset) < FEW:
        yield f"{len(dataset)} images are few: most scores will mean nothing."
    for factor, column in zip(dataset.factors, values.T, strict=True):
        if (column == column[0]).all():
            yield f"factor {factor.name} has one value only: metrics refuse it, so leave it out."
    if any(factor.kind == "continuous" for factor in dataset.factors):
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
