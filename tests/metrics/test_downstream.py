"""Downstream accuracy against known answers and the means of the original."""

import json

import numpy as np
import pytest
from scipy.special import ndtr
from sklearn.linear_model import LogisticRegression

from gordium.metrics import _trees, score
from gordium.metrics._boosting import boost_real
from gordium.metrics.dci import dci
from gordium.metrics.downstream import downstream

RNG = np.random.default_rng(0)
FACTORS = RNG.integers(4, size=(900, 2))


def test_perfect_codes_are_learned_from_few_samples():
    found = downstream(FACTORS, FACTORS)
    assert found.sizes == (10, 100, 600)
    assert found.accuracy == 1
    assert found.efficiency == 1
    assert found.accuracies[0].mean() < 1  # ten samples of four values each are too few


def test_codes_without_information_give_chance():
    found = downstream(RNG.standard_normal((900, 2)), FACTORS, sizes=(100, 600))
    assert found.accuracy == pytest.approx(1 / 4, abs=0.08)


def test_one_sample_predicts_its_own_value():
    found = downstream(FACTORS, FACTORS, sizes=(1,))
    assert found.accuracy == pytest.approx(1 / 4, abs=0.05)
    assert np.isnan(found.efficiency)


def test_noise_makes_more_samples_worth_more():
    codes = FACTORS + 0.5 * RNG.standard_normal((900, 2))
    found = downstream(codes, FACTORS, model="logistic_regression", sizes=(10, 100))
    assert found.accuracies[0].mean() < found.accuracies[1].mean() <= 1


def test_draws_follow_the_seed():
    codes = FACTORS + 0.5 * RNG.standard_normal((900, 2))
    same = [downstream(codes, FACTORS, seed=3, sizes=(50,)).accuracy for _ in range(2)]
    assert same[0] == same[1]
    assert downstream(codes, FACTORS, seed=4, sizes=(50,)).accuracy != same[0]


def test_the_logistic_fit_is_a_search_over_penalties_by_hand():
    """Ten penalties from 1e-4 to 1e4, each scored in five folds, the best fitted to all."""
    rng = np.random.default_rng(8)
    factors = rng.integers(3, size=(600, 1))
    centres = np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.5]])
    codes = centres[factors[:, 0]] + rng.standard_normal((600, 2))
    found = downstream(
        codes[:300], factors[:300], test=(codes[300:], factors[300:]), seed=2,
        model="logistic_regression", sizes=(200,),
    )  # fmt: skip
    drawn = np.random.default_rng((2, 200)).permutation(300)[:200]
    z, v = codes[drawn], factors[drawn, 0]
    by_cost = {}
    for cost in np.logspace(-4, 4, 10):
        hits = []
        for fold in np.split(np.arange(200), 5):
            rest = np.setdiff1d(np.arange(200), fold)
            fitted = LogisticRegression(C=cost).fit(z[rest], v[rest])
            hits.append(fitted.score(z[fold], v[fold]))
        by_cost[cost] = np.mean(hits)
    best = LogisticRegression(C=max(by_cost, key=by_cost.get)).fit(z, v)
    expected = best.score(codes[300:], factors[300:, 0])
    assert found.accuracy == pytest.approx(expected, abs=1 / 300)  # one sample at the border


def test_the_logistic_fit_finds_the_border_that_is_known():
    """Two normal clouds at -1 and 1: no border tells more than Phi(1) of them apart."""
    rng = np.random.default_rng(9)
    factors = rng.integers(2, size=(12_000, 1))
    codes = np.column_stack([2.0 * factors[:, 0] - 1, np.zeros(12_000)])
    codes += rng.standard_normal(codes.shape)
    found = downstream(
        codes[:2000], factors[:2000], test=(codes[2000:], factors[2000:]),
        model="logistic_regression", sizes=(100, 2000),
    )  # fmt: skip
    assert found.accuracy == pytest.approx(ndtr(1), abs=0.01)
    assert 0.9 < found.efficiency < 1.01


@pytest.mark.parametrize(
    ("model", "record", "sizes"),
    [
        ("boosted_trees", "downstream_gbt_n10_1000", (10, 100, 1000)),
        ("logistic_regression", "downstream_lr_n10", (10,)),
    ],
)
def test_accuracies_are_those_of_the_original(reference, model, record, sizes):
    golden = json.loads((reference / "metrics" / "golden.json").read_text())
    scores = golden["shapes3d__c07_missing"][record]["scores"]
    with np.load(reference / "metrics" / "shapes3d__c07_missing.npz") as arrays:
        train = arrays["mus_train"], arrays["ys_train"]
        test = arrays["mus_test"], arrays["ys_test"]
    runs = [downstream(*train, test=test, model=model, sizes=sizes, seed=s) for s in range(2)]
    means = np.mean([run.accuracies.mean(axis=1) for run in runs], axis=0)
    for size, mean in zip(sizes, means, strict=True):
        spread = scores[f"{size}:mean_test_accuracy_std"]
        # Means of two and of five draws: three standard errors of their difference.
        error = 3 * spread * np.sqrt(1 / 2 + 1 / 5) + 0.005
        assert mean == pytest.approx(scores[f"{size}:mean_test_accuracy"], abs=error)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="model must be one of boosted_trees, logistic"):
        downstream(FACTORS, FACTORS, model="forest")
    with pytest.raises(ValueError, match="mode must be one of fast, exact; got 'quick'"):
        downstream(FACTORS, FACTORS, mode="quick")
    with pytest.raises(ValueError, match=r"sizes must be positive.*got \(0, 10\)"):
        downstream(FACTORS, FACTORS, sizes=(0, 10))


def test_the_suite_gives_what_the_metric_gives_alone():
    codes = FACTORS + 0.5 * RNG.standard_normal((900, 2))
    alone = score(codes, FACTORS, metrics="downstream")["downstream"]
    assert score(codes, FACTORS, metrics=("dci", "downstream"))["downstream"] == alone


def test_exact_trees_are_those_of_dci():
    codes = FACTORS + 0.5 * RNG.standard_normal((900, 2))
    exact, fast = (downstream(codes, FACTORS, mode=mode) for mode in ("exact", "fast"))
    assert exact.accuracy == dci(codes, FACTORS).informativeness
    assert fast.accuracies == pytest.approx(exact.accuracies, abs=0.05)
    assert not np.array_equal(fast.accuracies, exact.accuracies)


def test_real_factors_are_fitted_once_for_dci_too(monkeypatch):
    reals = FACTORS + 0.1 * RNG.standard_normal((900, 2))
    alone = score(FACTORS, reals, metrics="downstream")["downstream"]
    fitted: list[int] = []

    def counted(ranks, values, *, seed):
        fitted.append(ranks.shape[1])
        return boost_real(ranks, values, seed=seed)

    monkeypatch.setattr(_trees, "boost_real", counted)
    together = score(FACTORS, reals, metrics=("dci", "downstream"))
    assert fitted == [600, 600]  # one for each factor
    assert together["downstream"] == alone


@pytest.mark.parametrize("case", ["dsprites__c02b_noise05", "shapes3d__c07_missing"])
def test_fast_trees_agree_with_exact_ones(reference, case):
    with np.load(reference / "metrics" / f"{case}.npz") as arrays:
        train = arrays["mus_train"], arrays["ys_train"]
        test = arrays["mus_test"], arrays["ys_test"]
    exact, fast = (downstream(*train, test=test, mode=mode) for mode in ("exact", "fast"))
    found, expected = fast.accuracies.mean(axis=1), exact.accuracies.mean(axis=1)
    assert found[-1] == pytest.approx(expected[-1], abs=0.005)
    assert found[1:] == pytest.approx(expected[1:], abs=0.01)
