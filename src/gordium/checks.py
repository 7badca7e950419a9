"""Checks of numbers that are given by name; an error is one sentence, worded alike everywhere."""

from math import inf
from numbers import Real

MOST_SAMPLES = 2**31
MOST_UNITS = 2**16  # of a layer or a vector
WIDEST = 256  # times the channels of a network


def check_least(least: int, **values: float | None) -> None:
    """Refuse what is below the least value; None stands for a value that was not given."""
    for name, value in values.items():
        if value is not None and value < least:
            raise ValueError(f"{name} must be at least {least}; got {value}.")


def check_most(most: int, **values: float | None) -> None:
    """Refuse what is above the greatest value; None stands for a value that was not given."""
    for name, value in values.items():
        if value is not None and value > most:
            raise ValueError(f"{name} must be at most {most:,}; got {value:,}.")


def check_drawing(n: int, seed: int) -> None:
    """Refuse to draw no samples or more than a machine holds, and a negative seed."""
    check_least(1, n=n)
    check_most(MOST_SAMPLES, n=n)
    check_least(0, seed=seed)


def check_positive(**values: float) -> None:
    """Refuse numbers that are not above 0, or not finite."""
    for name, value in values.items():
        if not 0 < value < inf:
            raise ValueError(f"{name} must be a number above 0; got {value}.")


def check_weights(**weights: float) -> None:
    """Refuse a weight that is negative or not a finite number."""
    for name, value in weights.items():
        _check_number(name, value)
        if not 0 <= value < inf:
            raise ValueError(f"{name} must be a number of at least 0; got {value}.")


def check_counts(**counts: int) -> None:
    """Refuse a count that is not a whole number of at least 1."""
    for name, value in counts.items():
        _check_number(name, value)
        if not 1 <= value < inf or value != int(value):
            raise ValueError(f"{name} must be a whole number of at least 1; got {value}.")


def _check_number(name: str, value: object) -> None:
    if not isinstance(value, Real):
        raise TypeError(f"{name} must be a number; got {value!r}.")
