"""Entropies and informations, and what they may cost."""

import tracemalloc

import numpy as np
import pytest

from gordium.metrics import METRICS
from gordium.metrics._arrays import check_memory
from gordium.metrics._information import _of_pair, discretise, entropy


def test_entropy_is_the_information_of_a_column_with_itself_to_the_bit():
    labels = np.random.default_rng(0).integers((2, 7, 300), size=(1000, 3))
    assert entropy(labels).tolist() == [_of_pair(column, column) for column in labels.T]


def test_a_factor_of_many_values_takes_no_table_of_all_their_pairs():
    rng = np.random.default_rng(0)
    codes, factors = rng.standard_normal((20_000, 2)), rng.permutation(20_000)[:, None]
    tracemalloc.start()
    METRICS["mig"](codes, factors)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6  # a table of pairs has 3.2 GB


def test_classes_that_leave_no_room_are_refused():
    check_memory(40, 1_000_000, 29)
    text = r'20,000 values in 100,000 rows would take 32 GB as classes; call it "continuous"'
    with pytest.raises(ValueError, match=text):
        check_memory(20_000, 100_000, 16)
    rng = np.random.default_rng(0)
    codes, factors = rng.standard_normal((60_000, 2)), rng.integers(20_000, size=(60_000, 1))
    for name in ("explicitness", "dci"):
        with pytest.raises(ValueError, match="as classes; call it"):
            METRICS[name](codes, factors)


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 rounds the edges of floats otherwise")
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_bins_are_those_of_numpy_2_to_the_bit(kind):
    rng = np.random.default_rng(0)
    for _ in range(300):
        column = (rng.normal(size=50) * 10 ** rng.uniform(-5, 5)).astype(kind)
        bins = int(rng.integers(1, 40))
        expected = np.digitize(column, np.histogram_bin_edges(column, bins)[:-1]) - 1
        assert np.array_equal(discretise(column[:, None], bins)[:, 0], expected)
