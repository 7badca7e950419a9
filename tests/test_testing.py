"""The conformance suite: our metrics pass, and each broken one fails with the right sentence."""

import random
import subprocess
import sys
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from gordium.metrics import METRICS, PROPERTIES, Properties, mig
from gordium.testing import check_metric, tables
from gordium.testing.metric import TINY
from gordium.testing.subject import Subject


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_keeps_what_it_declares(name):
    check_metric(METRICS[name])


@pytest.mark.parametrize("name", [name for name in METRICS if not PROPERTIES[name].ignores_scale])
def test_what_is_declared_to_depend_on_scale_does(name):
    subject, table = Subject(METRICS[name]), tables.make_entangled(0.3)
    assert abs(subject.value(table.scale(*TINY)) - subject.value(table)) > 0.01


@pytest.mark.parametrize("name", [n for n in METRICS if PROPERTIES[n].held_out and n != "infomec"])
def test_as_many_rows_are_held_out_as_declared(name):
    table = tables.make_entangled(0.3)
    kept = len(table.codes) - len(table.codes) // PROPERTIES[name].held_out
    rows = [(array[:kept], array[kept:]) for array in table[:2]]
    (codes, test_codes), (factors, test_factors) = rows
    apart = METRICS[name](codes, factors, test=(test_codes, test_factors))
    together = METRICS[name](*table[:2])
    assert repr(apart) == repr(together)


def test_perfect_codes_are_the_standardised_factors():
    table = tables.make_perfect()
    assert table.factors.min(axis=0).tolist() == [0] * 5
    assert table.factors.max(axis=0).tolist() == [2, 5, 39, 31, 31]
    assert np.allclose(table.codes.mean(axis=0), 0, atol=0.03)
    assert np.allclose(table.codes.std(axis=0), 1, atol=0.03)


class Toy(NamedTuple):
    score: float


def toy(codes, *, seed=0):
    """The share of the greatest variance: order, sign and a common scale do not matter."""
    variance = np.asarray(codes).var(axis=0)
    return float(variance.max() / variance.sum()) if variance.any() else 0.0


FREE = Properties(perfect=None, ignores_scale=False)


def test_a_metric_of_the_users_passes():
    check_metric(toy, FREE)
    check_metric(toy, replace(FREE, perfect=0.2, perfect_within=0.01))  # five equal variances


def test_a_named_tuple_passes_too():
    def named(codes, *, seed=0):
        return Toy(toy(codes))

    check_metric(named, FREE)


def too_large(codes, *, seed=0):
    return 1.5 * toy(codes)


def of_sign(codes, *, seed=0):
    return float((codes.max(axis=0) > -codes.min(axis=0)).mean())


def of_order(codes, *, seed=0):
    return float(codes[:, 0].std() > codes[:, 1].std())


def of_scale(codes, *, seed=0):
    return float(np.tanh(codes.std(axis=0)).max())


def not_a_number(codes, *, seed=0):
    with np.errstate(invalid="ignore"):
        return float(np.tanh(np.mean(codes.std(axis=0) / codes.std(axis=0))))


def not_a_number_at_all(codes, *, seed=0):
    with np.errstate(invalid="ignore"):
        return float(codes.var(axis=0).max() / codes.var(axis=0).sum())


def changing(codes, *, seed=0):
    codes -= codes.mean(axis=0)
    return 0.5


def drawing(codes, *, seed=0):
    return float(np.random.rand())  # noqa: NPY002


def drawing_from_python(codes, *, seed=0):
    return random.random()


def seeding(codes, *, seed=0):
    np.random.seed(seed)  # noqa: NPY002
    return 0.5


def reading(codes, *, seed=0):
    return float(np.random.get_state()[1][5] % 100) / 100  # noqa: NPY002


def unseeded(codes, *, seed=0):
    return float(np.random.default_rng().random())


def without_seed(codes):
    return 0.5


def of_images(images, *, seed=0):
    return 0.5


def a_list(codes, *, seed=0):
    return [0.5]


def a_pair(codes, *, seed=0):
    return 0.5, 0.5


def any_factors(codes, factors, *, seed=0):
    return 0.5


def of_one_code(codes, *, seed=0):
    return float("nan") if codes.shape[1] < 2 else 0.5


BROKEN = {
    too_large: r"too_large leaves its range, 0 to 1: perfect codes, .*, score 1.49",
    of_sign: r"of_sign depends on the sign of the codes, though declared not to: it goes from "
    r"\S+ to \S+, by 0.\d+ \(allowed 1e-09\)",
    of_order: "depends on the order of the codes, though declared not to: it goes from . to .",
    of_scale: "depends on the scale of the codes, though declared not to",
    not_a_number: r"is NaN \(not_a_number\) where one of four codes is dead",
    not_a_number_at_all: "is NaN where all codes are dead",
    changing: r"changes codes, 1800 values of it; work on a copy",
    drawing: r"moves the global random state.*default_rng\(seed\)",
    drawing_from_python: "moves the global random state",
    seeding: "moves the global random state, by drawing from it or seeding it",
    reading: r"depends on the global random state: it gives 0.\d* and 0.\d*",
    unseeded: "does not repeat itself: with the same seed it gives",
    without_seed: "does not take seed",
    of_images: "does not take codes",
    a_list: "returns list; a number, or a NamedTuple that starts with one, is needed",
    a_pair: "returns a plain tuple; name its parts with a NamedTuple",
    any_factors: "gives 0.5 where factors are not integers; refuse them with a TypeError",
    of_one_code: "is NaN with 1 codes; declare min_codes=2",
}


@pytest.mark.parametrize("metric", BROKEN, ids=lambda metric: metric.__name__)
def test_a_broken_metric_is_told_what_is_wrong(metric):
    with pytest.raises(AssertionError, match=BROKEN[metric]):
        check_metric(metric, Properties(perfect=None))


def test_a_wrong_perfect_value_is_told_by_how_much():
    with pytest.raises(AssertionError, match=r"scores perfect codes 0.8956; declared is 1 within"):
        check_metric(mig, replace(PROPERTIES["mig"], perfect=1.0))


def test_a_metric_that_needs_fewer_codes_than_declared_is_told():
    with pytest.raises(AssertionError, match=r"gives \S+ with 2 codes, though min_codes is 3"):
        check_metric(toy, replace(FREE, min_codes=3))


def test_an_undeclared_metric_is_asked_for_its_properties():
    with pytest.raises(TypeError, match=r"toy is not listed in gordium.metrics; pass what"):
        check_metric(toy)


def test_the_global_generators_are_left_as_they_were():
    np.random.seed(5)  # noqa: NPY002
    random.seed(5)
    check_metric(toy, FREE)
    found = np.random.rand(), random.random()  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    random.seed(5)
    assert found == (np.random.rand(), random.random())  # noqa: NPY002


def test_the_suite_needs_neither_pytest_nor_torch():
    code = "import sys, gordium.testing; sys.exit({'pytest', 'torch'} & set(sys.modules) != set())"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
