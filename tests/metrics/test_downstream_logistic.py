"""Downstream accuracy of logistic regression by its own name."""

import inspect

import numpy as np

from gordium.metrics import METRICS, downstream, downstream_logistic, estimator, score

RNG = np.random.default_rng(0)
FACTORS = RNG.integers((3, 4), size=(300, 2))
CODES = FACTORS + 0.3 * RNG.standard_normal((300, 2))


def test_it_is_downstream_with_the_other_model():
    rows = {"seed": 3, "sizes": (10, 100, 200)}
    found = downstream_logistic(CODES, FACTORS, **rows)
    other = downstream(CODES, FACTORS, model="logistic_regression", **rows)
    assert repr(found) == repr(other)
    assert repr(found) != repr(downstream(CODES, FACTORS, **rows))


def test_defaults_are_those_of_downstream():
    own, other = (
        inspect.signature(METRICS[n]).parameters for n in ("downstream_logistic", "downstream")
    )
    assert dict(own) == {name: p for name, p in other.items() if name not in ("model", "mode")}


def test_a_line_cannot_tell_an_exclusive_or_that_trees_read():
    bits = RNG.integers(2, size=(600, 2))
    gate = np.stack([bits[:, 0] ^ bits[:, 1], bits[:, 1]], axis=1)
    codes = gate + 0.1 * RNG.standard_normal((600, 2))
    told = score(codes, bits[:, :1], metrics=("downstream", "downstream_logistic"))
    assert told["downstream"] > 0.98
    assert told["downstream_logistic"] < 0.8  # three of the four cases at best


def test_both_predictors_are_scored_in_one_call_and_say_what_they_are():
    found = score(CODES, FACTORS, metrics=("downstream_logistic", "downstream"))
    names = ("downstream_logistic", "downstream")
    assert list(found) == [n for name in names for n in (name, f"{name}.efficiency")]
    assert estimator("downstream_logistic")["function"] == "gordium.metrics.downstream_logistic"
