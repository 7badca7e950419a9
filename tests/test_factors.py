"""Grids: index arithmetic is the mixed-radix number system, last factor fastest."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gordium.factors import Factor, factors_at, grid_size, index_of

GRID = (Factor("shape", 3, kind="nominal"), Factor("scale", 2), Factor("x", 4))


def test_indices_count_through_the_product_of_values():
    expected = list(itertools.product(range(3), range(2), range(4)))
    assert factors_at(GRID, np.arange(24)).tolist() == [list(row) for row in expected]


@given(st.lists(st.integers(1, 7), min_size=1, max_size=5), st.data())
def test_index_of_undoes_factors_at(sizes, data):
    grid = tuple(Factor(f"f{i}", size) for i, size in enumerate(sizes))
    indices = data.draw(st.lists(st.integers(0, grid_size(grid) - 1), max_size=20))
    assert index_of(grid, factors_at(grid, np.array(indices, dtype=int))).tolist() == indices


@pytest.mark.parametrize(
    ("indices", "error", "text"),
    [
        ([24], IndexError, "indices must lie in 0 to 23; got 24 to 24"),
        ([-1, 3], IndexError, "got -1 to 3"),
        ([[0]], ValueError, "one-dimensional"),
        ([0.5], TypeError, "must be integers"),
    ],
)
def test_bad_indices_are_named(indices, error, text):
    with pytest.raises(error, match=text):
        factors_at(GRID, indices)


def test_bad_factors_are_named():
    with pytest.raises(IndexError, match="factor scale must lie in 0 to 1; got 2"):
        index_of(GRID, [[0, 2, 0]])
    with pytest.raises(ValueError, match="one column each for shape, scale, x"):
        index_of(GRID, [[0, 1]])
