"""Finish a repetition and write its files; finished ones are read.

`rows.csv` holds the beta-VAE, `factors.csv` the accuracy of classifiers of each factor on each
arm, and `methods.csv`, if it is asked for, the other methods of Table 1.
"""

from collections.abc import Callable
from dataclasses import replace

from gordium.exhibits.demo.kept_factors import accuracy_rows
from gordium.exhibits.demo.page import write_repetition
from gordium.exhibits.demo.repetition import Repetition, run_repetition, train_others
from gordium.exhibits.headline import ROWS
from gordium.report.rows import Row, read_rows, write_rows
from gordium.study.data import CONTROLS, VARIANTS

FACTORS, OTHERS = "factors.csv", "methods.csv"


def finish_rows(this: Repetition, command: str) -> list[Row]:
    """The rows of a repetition, which is resumed from whatever its folder holds."""
    path = this.folder / ROWS
    held = {row.variant for row in read_rows(path)} if path.exists() else set()
    whole = replace(this, controls=this.controls or not held.isdisjoint(CONTROLS))  # kept, if any
    is_declared = whole.store.holds(whole.study.declaration)
    if not (is_declared and held.issuperset(whole.data.variants)):
        write_repetition(whole, run_repetition(whole), command)
    return read_rows(path)


def finish_factors(this: Repetition) -> list[Row]:
    """The accuracy of classifiers of each factor on the images of a finished repetition."""

    def measure() -> list[Row]:
        found = replace(this, controls=False).find_arms()
        return accuracy_rows({arm: found[arm] for arm in VARIANTS}, seed=this.number)

    return _make_once(this, FACTORS, measure)


def finish_others(this: Repetition) -> list[Row]:
    """The rows of the other methods, on the images of a finished repetition."""
    return _make_once(this, OTHERS, lambda: train_others(this))


def _make_once(this: Repetition, name: str, make: Callable[[], list[Row]]) -> list[Row]:
    path = this.folder / name
    if not path.exists():
        write_rows(path, make())
    return read_rows(path)
