"""What holds for every metric."""

import inspect
import pkgutil

import numpy as np
import pytest

import gordium.metrics
from gordium.metrics import METRICS, list_metrics, score

RNG = np.random.default_rng(0)
FACTORS = RNG.integers(3, size=(300, 2))
CODES = FACTORS + 0.1 * RNG.standard_normal((300, 2))


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_a_metric_is_a_repeatable_function_of_codes_and_factors(metric):
    names = list(inspect.signature(metric).parameters)
    assert names[:3] == ["codes", "factors", "seed"]
    before = CODES.copy()
    assert metric(CODES, FACTORS, seed=1) == metric(CODES, FACTORS, seed=1)
    assert np.array_equal(before, CODES)


def test_score_gives_the_metrics_asked_for():
    assert score(CODES, FACTORS, metrics=("mig",)) == {"mig": METRICS["mig"](CODES, FACTORS)}
    assert list_metrics() == list(METRICS)


def test_an_unknown_metric_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match=r"unknown metric 'migg'. Did you mean mig"):
        score(CODES, FACTORS, metrics=("migg",))


def test_every_metric_file_is_listed():
    files = {module.name for module in pkgutil.iter_modules(gordium.metrics.__path__)}
    listed = {metric.__module__.rpartition(".")[2] for metric in METRICS.values()}
    assert {name for name in files if not name.startswith("_")} == listed
