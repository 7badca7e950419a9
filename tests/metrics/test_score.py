"""Many metrics in one call: each number is that of the metric alone, shared work is done once."""

import threading

import numpy as np
import pytest

from gordium.metrics import (
    METRICS,
    OF_POSTERIORS,
    _correlation,
    _held_out,
    _information,
    _interventions,
    list_metrics,
    score,
)
from gordium.metrics._scores import parts, value_of
from gordium.metrics._shared_work import share_result, share_work

RNG = np.random.default_rng(0)
FACTORS = RNG.integers((3, 4), size=(300, 2))
CODES = (FACTORS @ RNG.standard_normal((2, 3)) + 0.3 * RNG.standard_normal((300, 3))).astype("f4")
LOG_VARIANCES = np.full_like(CODES, -4.0)
ARRAYS = {"codes": CODES, "factors": FACTORS, "log_variances": LOG_VARIANCES}


def all_at_once(names):
    return score(CODES, FACTORS, metrics=names, seed=3, log_variances=LOG_VARIANCES)


@pytest.fixture(scope="module")
def alone():
    """Every metric called by itself, as a user would."""
    found = {}
    for name, metric in METRICS.items():
        found.update(parts(name, value_of(metric, ARRAYS, seed=3)))
    return found


@pytest.mark.parametrize("order", [1, -1])
def test_every_number_is_exactly_that_of_the_metric_alone(alone, order):
    found = all_at_once(list(METRICS)[::order])
    assert set(found) == set(alone)
    for name, value in found.items():
        assert value == alone[name] or np.isnan([value, alone[name]]).all(), name


@pytest.mark.parametrize("seed", range(3))
def test_so_it_is_in_any_subset(alone, seed):
    names = np.random.default_rng(seed).permutation(list(METRICS))[:6]
    found = all_at_once([str(name) for name in names])
    assert found == {name: alone[name] for name in found}
    assert {name.partition(".")[0] for name in found} == set(names)


def count(monkeypatch, module, name):
    """A list that grows with every call of the function behind the sharing."""
    calls, genuine = [], getattr(module, name)

    def counted(*args):
        calls.append(args)
        return genuine(*args)

    monkeypatch.setattr(module, name, counted)
    return calls


def test_one_information_matrix_serves_mig_and_modularity(monkeypatch):
    pairs = count(monkeypatch, _information, "_of_pair")
    score(CODES, FACTORS, metrics=("mig", "modularity"))
    # 3 codes with 2 factors; the entropies of the factors are counted apart.
    assert len(pairs) == 3 * 2


def test_one_discretisation_serves_all_that_cut_codes_into_the_same_bins(monkeypatch):
    cut = count(monkeypatch, _information, "_left_edges")
    score(CODES, FACTORS, metrics=("mig", "modularity", "code_mutual_information", "infomec"))
    assert len(cut) == CODES.shape[1]


def test_rows_are_held_out_and_indexed_once(monkeypatch):
    splits = count(monkeypatch, _held_out, "_split")
    tables = count(monkeypatch, _interventions, "Table")
    score(CODES, FACTORS, metrics=("sap", "explicitness", "beta_vae_score", "factor_vae_score"))
    assert len(splits) == 1
    assert len(tables) == 1  # of all rows, for both


def test_lists_are_converted_once_and_scored_as_arrays_are():
    names = ("mig", "modularity", "mcc")
    assert score(CODES.tolist(), FACTORS.tolist(), metrics=names) == score(
        CODES.astype(float), FACTORS, metrics=names
    )


def test_nothing_is_kept_after_the_call():
    codes = CODES.copy()
    before = score(codes, FACTORS, metrics=("mig", "wasserstein_correlation"))
    codes[:, 0] = codes[:, 1]  # the same object with other content
    after = score(codes, FACTORS, metrics=("mig", "wasserstein_correlation"))
    assert after["mig"] != before["mig"]
    assert after["wasserstein_correlation"] != before["wasserstein_correlation"]


def test_an_error_ends_the_sharing():
    with pytest.raises(TypeError, match="factors must be real numbers"):
        score(CODES, FACTORS * 1j)
    calls = []
    once = share_result(lambda: calls.append(1))
    once()
    once()
    assert len(calls) == 2


def test_equal_arrays_are_not_the_same_array():
    total = share_result(np.sum)
    with share_work():
        table = np.ones((1000, 3))
        assert total(table) == 3000
        # Were the first array let go, a new one could take its place and its identity.
        del table
        assert [total(np.full((1000, 3), k)) for k in range(5)] == [3000 * k for k in range(5)]


def test_threads_share_nothing():
    calls = []
    once = share_result(lambda: calls.append(1))
    with share_work():
        once()
        other = threading.Thread(target=once)
        other.start()
        other.join()
    assert len(calls) == 2


def test_progress_names_each_metric_before_it_and_the_end():
    told = []
    names = ("mcc", "mig")
    score(CODES, FACTORS, metrics=names, report=lambda *step: told.append(step))
    assert told == [(0, 2, "mcc"), (1, 2, "mig"), (2, 2, "")]


def test_one_covariance_serves_both_fitted_gaussians():
    with share_work():
        assert _correlation.covariance(CODES) is _correlation.covariance(CODES)


def test_one_name_is_one_metric_and_a_function_of_the_users_goes_by_its_name():
    codes, factors = CODES, FACTORS

    def first(codes, factors):
        return float(codes[0, 0])

    assert score(codes, factors, metrics="mcc") == score(codes, factors, metrics=["mcc"])
    found = score(codes, factors, metrics=["mcc", first])
    assert list(found) == ["mcc", "first"]
    assert found["first"] == codes[0, 0]
    assert score(codes, factors, metrics=first) == {"first": codes[0, 0]}


def test_all_is_every_metric_that_the_arrays_allow():
    codes, factors = CODES, FACTORS
    found = score(codes, factors, metrics="all")
    left_out = {*OF_POSTERIORS, "downstream_logistic"}
    assert {name.partition(".")[0] for name in found} == set(list_metrics()) - left_out


@pytest.mark.parametrize(
    ("metrics", "text"),
    [
        (7, "metrics must be a name such as 'mig'"),
        ([7], "a metric is a name or a function"),
        (lambda z, v: 0.0, r"takes none of codes, factors"),
    ],
)
def test_what_is_no_metric_is_refused(metrics, text):
    with pytest.raises(TypeError, match=text):
        score(CODES, FACTORS, metrics=metrics)
