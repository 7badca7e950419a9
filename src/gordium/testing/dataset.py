"""The conformance suite of data sets: what training, scoring and loading require of one."""

import json
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
    if not len(dataset) or not dataset.factors:
        fail(dataset, "needs at least one image and one factor")
    names = [factor.name for factor in dataset.factors]
    if len(set(names)) != len(names):
        fail(dataset, f"has two factors of one name: {', '.join(names)}; give each its own")
    chosen = np.random.default_rng(0).choice(len(dataset), size=N_IMAGES)
    _check_images(dataset, chosen)
    _check_factors(dataset, chosen)
    _check_declaration(dataset, chosen, is_found_again)


def _check_images(dataset: Dataset, chosen: Any) -> None:
    images = dataset.images(chosen)
    if images.shape != (N_IMAGES, *dataset.image_shape):
        fail(dataset, f"gives images {images.shape}; declared is (n, *{dataset.image_shape})")
    if images.dtype not in (np.uint8, np.float32) or images.itemsize != dataset.itemsize:
        fail(
            dataset,
            f"gives {images.dtype} images and declares {dataset.itemsize} bytes a value; "
            "give uint8 or float32, and the `itemsize` of it",
        )
    if not np.array_equal(dataset.images(chosen[::-1]), images[::-1]):
        fail(
            dataset,
            "gives other images in another order; let `render` depend on nothing but indices",
        )
    if images.dtype == np.float32 and not np.isfinite(images).all():
        fail(dataset, "gives images that are not finite")


def _check_factors(dataset: Dataset, chosen: Any) -> None:
    values = dataset.factors_at(chosen)
    if values.shape != (N_IMAGES, len(dataset.factors)):
        fail(dataset, f"gives factors {values.shape}; it has {len(dataset.factors)} factors")
    for factor, column in zip(dataset.factors, values.T, strict=True):
        if factor.kind == "continuous":
            continue
        if (column != np.rint(column)).any() or column.min() < 0 or column.max() >= factor.size:
            fail(
                dataset,
                f"gives {factor.name} values outside 0 to {factor.size - 1}; correct its size",
            )
    if dataset.is_grid and not np.array_equal(dataset.index_of(values), chosen):
        fail(dataset, "is a grid, and yet `index_of` does not undo `factors_at`")


def _check_declaration(dataset: Dataset, chosen: Any, is_found_again: bool) -> None:
    try:
        text = json.dumps(dataset.declaration)
    except TypeError as error:
        fail(dataset, f"has a declaration that is not JSON ({error}); use numbers, text and lists")
    if not is_found_again:
        return
    try:
        again = from_declaration(json.loads(text))
    except (TypeError, ValueError, KeyError) as error:
        fail(
            dataset,
            f"is not made again by its declaration: {error} Register its class and its fields",
        )
    if not np.array_equal(again.images(chosen), dataset.images(chosen)):
        fail(dataset, "is made again with other images; declare all that they follow from")
