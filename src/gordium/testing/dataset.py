"""The conformance suite of data sets: what training, scoring and loading require of one."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from gordium.datasets import Dataset, from_declaration
from gordium.lookup import answer_wrong_calls
from gordium.testing.subject import fail

N_IMAGES = 64


@answer_wrong_calls
def check_dataset(dataset: Dataset, *, is_found_again: bool = True) -> None:
    """Raise an AssertionError that says which part of the contract is broken, if any.

    The images of given indices are the same each time and in any order, with factor values in the
    range that the factors declare. On a grid, indices and factor values are one to one. The
    declaration is JSON; with `is_found_again`, loading it must give the data set again, for which
    a class of yours must be registered.
    """
    if not isinstance(dataset, Dataset):
        fail(dataset, "does not extend gordium.datasets.Dataset")
    for problem in _find_problems(dataset, is_found_again):
        fail(dataset, problem)


def _find_problems(dataset: Dataset, is_found_again: bool) -> Iterator[str]:
    """What is wrong, as sentences without a subject; the first one ends the check."""
    if not len(dataset) or not dataset.factors:
        yield "needs at least one image and one factor"
    names = [factor.name for factor in dataset.factors]
    if len(set(names)) != len(names):
        yield f"has two factors of one name: {', '.join(names)}; give each its own"
    chosen = np.random.default_rng(0).choice(len(dataset), size=N_IMAGES)
    yield from _check_images(dataset, chosen)
    yield from _check_factors(dataset, chosen)
    yield from _check_declaration(dataset, chosen, is_found_again)


def _check_images(dataset: Dataset, chosen: Any) -> Iterator[str]:
    images = dataset.images(chosen)
    if images.shape != (N_IMAGES, *dataset.image_shape):
        yield f"gives images {images.shape}; declared is (n, *{dataset.image_shape})"
    if images.dtype not in (np.uint8, np.float32) or images.itemsize != dataset.itemsize:
        yield (
            f"gives {images.dtype} images and declares {dataset.itemsize} bytes a value; "
            "give uint8 or float32, and the `itemsize` of it"
        )
    if not np.array_equal(dataset.images(chosen[::-1]), images[::-1]):
        yield "gives other images in another order; let `render` depend on nothing but indices"
    if images.dtype == np.float32 and not np.isfinite(images).all():
        yield "gives images that are not finite"


def _check_factors(dataset: Dataset, chosen: Any) -> Iterator[str]:
    values = dataset.factors_at(chosen)
    if values.shape != (N_IMAGES, len(dataset.factors)):
        yield f"gives factors {values.shape}; it has {len(dataset.factors)} factors"
    for factor, column in zip(dataset.factors, values.T, strict=True):
        if factor.kind == "continuous":
            continue
        if (column != np.rint(column)).any() or column.min() < 0 or column.max() >= factor.size:
            yield f"gives {factor.name} values outside 0 to {factor.size - 1}; correct its size"
    if dataset.is_grid and not np.array_equal(dataset.index_of(values), chosen):
        yield "is a grid, and yet `index_of` does not undo `factors_at`"


def _check_declaration(dataset: Dataset, chosen: Any, is_found_again: bool) -> Iterator[str]:
    try:
        text = json.dumps(dataset.declaration)
    except TypeError as error:
        yield f"has a declaration that is not JSON ({error}); use numbers, text and lists"
    if not is_found_again:
        return
    try:
        again = from_declaration(json.loads(text))
    except (TypeError, ValueError, KeyError) as error:
        yield f"is not made again by its declaration: {error} Register its class and its fields"
    if not np.array_equal(again.images(chosen), dataset.images(chosen)):
        yield "is made again with other images; declare all that they follow from"
