"""The conformance suite of data sets: what training, scoring and loading ask of one."""

import json
from typing import Any, NoReturn

import numpy as np

from gordium.datasets import Dataset, from_declaration
from gordium.lookup import answer_wrong_calls

N_IMAGES = 64


@answer_wrong_calls
def check_dataset(dataset: Dataset, *, is_found_again: bool = True) -> None:
    """Raise AssertionError, saying what of the contract is broken, or return.

    Images come by index in any order, the same each time, with factor values in the range that
    the factors declare. On a grid values and indices are one to one. The declaration is JSON and,
    with `is_found_again`, makes the data set again; a class of yours must be registered for that.
    """
    if not isinstance(dataset, Dataset):
        raise AssertionError(f"{type(dataset).__name__} does not extend gordium.datasets.Dataset.")
    if not len(dataset) or not dataset.factors:
        _fail(dataset, "needs at least one image and one factor")
    names = [factor.name for factor in dataset.factors]
    if len(set(names)) != len(names):
        _fail(dataset, f"has factors of one name: {', '.join(names)}; give each its own")
    chosen = np.random.default_rng(0).choice(len(dataset), size=N_IMAGES)
    _check_images(dataset, chosen)
    _check_factors(dataset, chosen)
    _check_declaration(dataset, chosen, is_found_again)


def _check_images(dataset: Dataset, chosen: Any) -> None:
    images = dataset.images(chosen)
    if images.shape != (N_IMAGES, *dataset.image_shape):
        _fail(dataset, f"gives images {images.shape}; declared is (n, *{dataset.image_shape})")
    if images.dtype not in (np.uint8, np.float32) or images.itemsize != dataset.itemsize:
        _fail(dataset, f"gives {images.dtype} images; uint8 or float32 as `itemsize` says")
    if not np.array_equal(dataset.images(chosen[::-1]), images[::-1]):
        _fail(
            dataset,
            "gives other images in another order; let `render` depend on nothing but indices",
        )
    if images.dtype == np.float32 and not np.isfinite(images).all():
        _fail(dataset, "gives images that are not finite")


def _check_factors(dataset: Dataset, chosen: Any) -> None:
    values = dataset.factors_at(chosen)
    if values.shape != (N_IMAGES, len(dataset.factors)):
        _fail(dataset, f"gives factors {values.shape}; it has {len(dataset.factors)} factors")
    for factor, column in zip(dataset.factors, values.T, strict=True):
        if factor.kind == "continuous":
            continue
        if (column != np.rint(column)).any() or column.min() < 0 or column.max() >= factor.size:
            _fail(
                dataset,
                f"gives {factor.name} values outside 0 to {factor.size - 1}; correct its size",
            )
    if dataset.is_grid and not np.array_equal(dataset.index_of(values), chosen):
        _fail(dataset, "is a grid, and yet `index_of` does not undo `factors_at`")


def _check_declaration(dataset: Dataset, chosen: Any, is_found_again: bool) -> None:
    try:
        text = json.dumps(dataset.declaration)
    except TypeError as error:
        _fail(dataset, f"has a declaration that is not JSON ({error}); use numbers, text and lists")
    if not is_found_again:
        return
    try:
        again = from_declaration(json.loads(text))
    except (TypeError, ValueError, KeyError) as error:
        _fail(
            dataset,
            f"is not made again by its declaration: {error} Register its class and its fields",
        )
    if not np.array_equal(again.images(chosen), dataset.images(chosen)):
        _fail(dataset, "is made again with other images; declare all that they follow from")


def _fail(dataset: Any, sentence: str) -> NoReturn:
    raise AssertionError(f"{type(dataset).__name__} {sentence}.")
