"""What holds for every metric."""

import inspect

import numpy as np
import pytest

from gordium.metrics import METRICS, SUPERVISED, UNSUPERVISED, list_metrics, mig, score

RNG = np.random.default_rng(0)
FACTORS = RNG.integers(3, size=(300, 2))
CODES = FACTORS + 0.1 * RNG.standard_normal((300, 2))
LOG_VARIANCES = np.full_like(CODES, -4.0)


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_a_repeatable_function_that_changes_nothing(name):
    names = list(inspect.signature(METRICS[name]).parameters)
    given = ["codes"] if name in UNSUPERVISED else ["codes", "factors"]
    assert names[: len(given) + 1] == [*given, "seed"], (
        f"{name} must take ({', '.join(given)}, *, seed=0, ...); it takes {names}."
    )
    before = CODES.copy(), FACTORS.copy()
    once, again = (
        score(CODES, FACTORS, metrics=(name,), seed=1, log_variances=LOG_VARIANCES)
        for _ in range(2)
    )
    assert once == again
    assert np.isfinite(once[name])
    assert np.array_equal(before[0], CODES)
    assert np.array_equal(before[1], FACTORS)


@pytest.mark.parametrize("name", sorted(set(SUPERVISED) - {"downstream", "downstream_logistic"}))
def test_codes_that_hold_the_factors_score_higher_than_noise(name):
    noise = np.random.default_rng(1).standard_normal(CODES.shape)
    held, lost = (score(codes, FACTORS, metrics=(name,))[name] for codes in (CODES, noise))
    assert held > lost, (
        f"{name} gives {held:.3f} to codes that hold the factors and {lost:.3f} to noise: let more "
        "be better, e.g. by another sign."
    )


def test_score_gives_the_metrics_asked_for_and_their_parts():
    found = score(CODES, FACTORS, metrics=("mig", "explicitness"))
    assert list(found) == ["mig", "explicitness", "explicitness.train"]
    assert found["mig"] == mig(CODES, FACTORS)
    assert list_metrics() == list(METRICS)


def test_a_metric_of_posteriors_asks_for_their_variances():
    with pytest.raises(ValueError, match="mig_aggregate_posterior needs log_variances"):
        score(CODES, FACTORS, metrics=("mig_aggregate_posterior",))


def test_an_unknown_metric_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match=r"unknown metric 'migg'. Did you mean mig"):
        score(CODES, FACTORS, metrics=("migg",))
