"""The metric under test, and how failures are reported."""

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from gordium.metrics._scores import parts, takes, value_of
from gordium.testing.tables import Table

Metric = Callable[..., Any]


class Subject:
    """The metric under test, with its name for error messages."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self.name: str = getattr(metric, "__name__", repr(metric))
        self.takes = takes(metric)

    def numbers(self, table: Table) -> dict[str, float]:
        """The metric's numbers on a table, by name."""
        value = value_of(self.metric, table._asdict(), seed=0)
        if isinstance(value, tuple) and not hasattr(value, "_asdict"):
            self.fail("returns a plain tuple; name its parts with a NamedTuple.")
        if not isinstance(value, tuple) and (
            not np.isscalar(value) or isinstance(value, str | bytes)
        ):
            kind = type(value).__name__
            self.fail(f"returns {kind}; a number, or a NamedTuple that starts with one, is needed.")
        return parts(self.name, value)

    def value(self, table: Table) -> float:
        """The metric's first number on a table."""
        return float(self.numbers(table)[self.name])

    def fail(self, sentence: str) -> NoReturn:
        """Raise an AssertionError that says what the metric does wrong."""
        raise AssertionError(f"{self.name} {sentence}")


def is_same(a: float, b: float, within: float = 0.0) -> bool:
    """Whether two numbers are as good as equal; NaN equals NaN."""
    return a == b or abs(a - b) <= within or (np.isnan(a) and np.isnan(b))


def fail(thing: object, sentence: str) -> NoReturn:
    """Raise an AssertionError that says what is wrong with a data set, method or network."""
    name = thing.__name__ if isinstance(thing, type) else type(thing).__name__
    raise AssertionError(f"{name} {sentence}.")
