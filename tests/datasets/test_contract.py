"""What every data set must keep, built-in or wrapped."""

import importlib
import json
import pkgutil

import numpy as np
import pytest

import gordium.datasets
from gordium.datasets import (
    DATASETS,
    OWN,
    VARIANTS,
    Dataset,
    InMemory,
    Modified,
    Narrowed,
    Noisy,
    Table,
    from_declaration,
    in_memory,
    load_dataset,
)
from gordium.datasets.readers.idx import Labelled
from gordium.datasets.readers.reader import Reader

TABLES = tuple(name for name, kind in DATASETS.items() if issubclass(kind, Table))
# What exists as files only has tests of its own, with files of its format.
BUILT_IN = {name for name, kind in DATASETS.items() if not issubclass(kind, Reader | Labelled)}
GRIDS = tuple(name for name in DATASETS if name in BUILT_IN - {*TABLES})
UNNAMED = (InMemory,)  # it is declared as what it stands for


class Brighter:
    """A change of `epsilon` wherever the first factor is odd."""

    epsilon = 0.1
    declaration = {"change": "brighter"}  # noqa: RUF012

    def __init__(self, base):
        self.image_shape, self.factors = base.image_shape, base.factors

    def changes(self, factors):
        odd = np.float32(self.epsilon) * (factors[:, 0] % 2)
        return np.broadcast_to(odd[:, None, None, None], (len(odd), *self.image_shape)).astype("f4")


def small(name):
    return load_dataset(name, size=16)


def held(base, *values):
    """Held at `values` of the first factors, or at their last value."""
    pairs = zip(base.factors, values, strict=False)
    return base.hold(**{factor.name: min(v, factor.size - 1) for factor, v in pairs})


KINDS = {
    "plain": lambda base: base,
    "held": lambda base: held(base, 1),
    "narrowed": lambda base: Narrowed(base, base.factors[-1].name, (0, 1)),
    "noisy": lambda base: Noisy(base, 0.1, seed=3),
    "modified": lambda base: Modified(base, Brighter(base)),
    "noisy held": lambda base: Noisy(held(base, 1), 0.1),
    "held noisy": lambda base: held(Noisy(base, 0.1), 2),
    "in memory": lambda base: in_memory(held(base, *range(len(base.factors) - 1))),
}


def check_dataset(dataset):
    """Images are a pure function of the index: in any order, with repeats, in any batch."""
    n = len(dataset)
    assert n == np.prod([factor.size for factor in dataset.factors])
    indices = np.random.default_rng(0).integers(n, size=21)
    indices[5] = indices[2]
    images = dataset.images(indices)
    assert images.dtype == np.uint8
    assert images.shape == (21, *dataset.image_shape)
    assert images.flags.c_contiguous
    assert np.array_equal(images[::-1], dataset.images(indices[::-1]))
    assert np.array_equal(images[7:8], dataset.images(indices[7:8].tolist()))
    assert dataset.images([]).shape == (0, *dataset.image_shape)
    assert np.array_equal(dataset.index_of(dataset.factors_at(indices)), indices)
    for wrong in ([-1], [n]):
        with pytest.raises(IndexError, match=f"indices must lie in 0 to {n - 1}; got {wrong[0]}"):
            dataset.images(wrong)
    with pytest.raises(TypeError, match="indices must be integers; got float64"):
        dataset.images([0.5])
    again = from_declaration(json.loads(json.dumps(dataset.declaration)), lambda _: dataset.change)
    assert again.declaration == dataset.declaration
    assert np.array_equal(again.images(indices), images)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("name", GRIDS)
def test_data_set_keeps_the_contract(name, kind):
    check_dataset(kind(small(name)))


@pytest.mark.parametrize("name", TABLES)
def test_table_keeps_the_contract(name):
    table = load_dataset(name)
    some = np.array([5, 0, 5, len(table) - 1])
    points, values = table.images(some), table.factors_at(some)
    assert points.dtype == np.float32
    assert points.shape == (4, *table.image_shape)
    assert values.shape == (4, len(table.factors))
    assert np.isfinite(points).all()
    assert np.array_equal(points[0], points[2])
    assert not np.array_equal(points[0], points[1])
    again = from_declaration(json.loads(json.dumps(table.declaration)))
    assert again == table
    assert np.array_equal(again.images(some), points)
    with pytest.raises(IndexError, match="indices must lie in 0 to"):
        table.images([len(table)])


@pytest.mark.parametrize("name", GRIDS)
def test_the_last_factor_changes_fastest(name):
    dataset = small(name)
    last = dataset.factors[-1].size
    assert dataset.factors_at([0, 1, last]).tolist() == [
        [0] * len(dataset.factors),
        [0] * (len(dataset.factors) - 1) + [1],
        [0] * (len(dataset.factors) - 2) + [1, 0],
    ]


@pytest.mark.parametrize("name", GRIDS)
@pytest.mark.parametrize("size", [15, 129, 64.0, "64"])
def test_a_wrong_size_is_refused(name, size):
    with pytest.raises(ValueError, match="size must be a whole number of pixels from 16 to 128"):
        load_dataset(name, size=size)


@pytest.mark.parametrize("name", GRIDS)
def test_data_sets_compare_by_value(name):
    assert small(name) == small(name) != load_dataset(name)


def final_data_sets():
    for room in (gordium.datasets.sets, gordium.datasets.variants, gordium.datasets.own):
        for file in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            for kind in vars(importlib.import_module(file.name)).values():
                if isinstance(kind, type) and issubclass(kind, Dataset):
                    yield from [kind] * hasattr(kind, "__final__")


@pytest.mark.parametrize(
    "kind", sorted(set(final_data_sets()), key=repr), ids=lambda kind: kind.__name__
)
def test_every_data_set_is_listed(kind):
    assert kind in {*DATASETS.values(), *VARIANTS.values(), *OWN.values(), *UNNAMED}, (
        f"{kind.__name__} in {kind.__module__} has no name: add it to DATASETS, VARIANTS or OWN in "
        "gordium/datasets/__init__.py."
    )
