"""The verdict of an audit: what is said follows from the numbers."""

import dataclasses

import numpy as np
import pytest

from gordium.audit.words import verdict
from gordium.factors import Factor
from gordium.geometry import Audit, Pair

PAIR = Pair("x", "y", 0.95, 0.01, 0.3, 2.0, 0.0)
AUDIT = Audit(
    factors=(Factor("x", 5), Factor("y", 5)),
    steps=(1, 1),
    score=0.95,
    interval=(0.9, 0.97),
    distances=np.array([0.02, 0.03]),
    chance=0.55,
    deviations=np.array([2.0, 1.0]),
    pairs=(PAIR,),
    gain=0.2,
    lost=0.02,
    noise=0.0,
    n_places=9,
)


def said(**changes):
    return " ".join(verdict(dataclasses.replace(AUDIT, **changes)))


@pytest.mark.parametrize(
    ("score", "words"),
    [(0.95, "almost everywhere"), (0.7, "largely"), (0.4, "only in part"), (0.1, "hardly closer")],
)
def test_the_number_is_put_into_words(score, words):
    assert words in said(score=score)
    assert f"Alignment {score:.2f} (95 % of resamples: 0.90 to 0.97)" in said(score=score)


def test_equal_variances_are_called_degenerate_and_overlaps_mixed():
    tied = PAIR._replace(score=0.2, tied=0.9)
    untied_by_noise = PAIR._replace(score=0.2, ratio=1.05, overlap=0.05)
    mixed = PAIR._replace(score=0.2, overlap=0.4)
    assert "Degenerate: x and y (0.20) induce nearly equal variance" in said(pairs=(tied,))
    assert "Degenerate: x and y (0.20)" in said(pairs=(untied_by_noise,))
    assert "Mixed: x and y (0.20) change the same pixels" in said(pairs=(mixed,))
    assert "Degenerate:" not in said()
    assert "Mixed:" not in said()


def test_the_share_of_the_preference_that_the_factors_get():
    assert "worth 0.200 nats a point over random ones; the factors get 90%" in said()
    assert "no preference for any axes" in said(gain=0.0)


def test_noise_and_unordered_factors_are_noted():
    assert "the known noise was subtracted" in said(noise=1.0)
    assert "without an order" in said(factors=(Factor("x", 5), Factor("y", 3, "nominal")))
