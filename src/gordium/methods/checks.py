"""Checks of hyperparameters that several methods share."""

from math import inf
from numbers import Real


def check_weights(**weights: float) -> None:
    """Refuse a weight that is negative or not a finite number, by its name."""
    for name, value in weights.items():
        _check_number(name, value)
        if not 0 <= value < inf:
            raise ValueError(f"{name} must be a number of at least 0; got {value}.")


def _check_number(name: str, value: object) -> None:
    if not isinstance(value, Real):
        raise TypeError(f"{name} must be a number; got {value!r}.")


def check_counts(**counts: int) -> None:
    """Refuse a count that is not a whole number of at least 1, by its name."""
    for name, value in counts.items():
        _check_number(name, value)
        if value != int(value) or value < 1:
            raise ValueError(f"{name} must be a whole number of at least 1; got {value}.")
