"""Finish a repetition and write its files; finished ones are read.

`rows.csv` holds the beta-VAE, `factors.csv` the accuracy of classifiers of each factor on each
arm, and `methods.csv`, if it is asked for, the other methods of Table 1.
"""

import dataclasses
from collections.abc import Callable

from gordium.datasets import Dataset
from gordium.exhibits.demo.kept_factors import accuracy_rows
from gordium.exhibits.demo.page import ARMS, write_repetition
from gordium.exhibits.demo.phases import list_controls
from gordium.exhibits.demo.repetition import Repetition, run_repetition, train_others
from gordium.exhibits.headline import ROWS
from gordium.fields import Declaration, declare_fields
from gordium.methods import METHODS
from gordium.report.rows import Row, read_rows, write_rows
from gordium.spec import to_named
from gordium.study.study import EQUAL_NOISE
from gordium.training.folder import claim

FACTORS, OTHERS = "factors.csv", "methods.csv"


def finish_rows(this: Repetition, command: str) -> list[Row]:
    """The rows of a repetition, which is resumed from whatever its folder holds."""
    claim(this.folder, _declare(this))
    rows = read_rows(this.folder / ROWS) if (this.folder / ROWS).exists() else []
    held = {row.variant for row in rows}
    known = list_controls(this.recipe)
    controls = this.controls or not held.isdisjoint(known)  # controls in the file are kept
    if not held.issuperset((*ARMS, EQUAL_NOISE, *(known if controls else ()))):
        write_repetition(
            this, run_repetition(dataclasses.replace(this, controls=controls)), command
        )
        rows = read_rows(this.folder / ROWS)
    return rows


def finish_factors(this: Repetition) -> list[Row]:
    """The accuracy of classifiers of each factor on the images of a finished repetition."""
    return _make_once(this, FACTORS, lambda arms: accuracy_rows(arms, seed=this.number))


def finish_others(this: Repetition) -> list[Row]:
    """The rows of the other methods, on the images of a finished repetition."""
    return _make_once(this, OTHERS, lambda arms: train_others(this, arms))


def _make_once(
    this: Repetition, name: str, make: Callable[[dict[str, Dataset]], list[Row]]
) -> list[Row]:
    """Make rows from the arms, unless their file exists; the runs of the arms are finished."""
    path = this.folder / name
    if not path.exists():
        found = run_repetition(dataclasses.replace(this, controls=False)).arms
        write_rows(path, make({arm: found[arm] for arm in ARMS}))
    return read_rows(path)


def _declare(this: Repetition) -> Declaration:
    """What the folder holds; with or without controls it is the same repetition."""
    recipe = this.recipe
    fields = {field.name: getattr(recipe, field.name) for field in dataclasses.fields(recipe)}
    return {
        "kind": "repetition",
        "number": this.number,
        **fields,
        "dataset": recipe.dataset.declaration,
        "method": to_named(recipe.method, METHODS),
        "limits": list(recipe.limits),
        "waves": list(recipe.waves),
        **{name: declare_fields(fields[name]) for name in ("search", "probe", "fresh")},
        "learning": declare_fields(recipe.learning),
    }
