"""A repetition by its number: made once, shown as often as one likes."""

import dataclasses
from typing import Any

from gordium.exhibits.demo.page import write_repetition
from gordium.exhibits.demo.phases import CONTROLS
from gordium.exhibits.demo.repetition import Repetition, run_repetition
from gordium.exhibits.headline import ROWS
from gordium.fields import declared_fields
from gordium.methods import METHODS
from gordium.report import Row, read_rows
from gordium.spec import to_named
from gordium.training.folder import claim


def finished_rows(this: Repetition, command: str) -> list[Row]:
    """The rows of a repetition, going on from whatever its folder holds."""
    claim(this.folder, _declare(this))
    rows = read_rows(this.folder / ROWS) if (this.folder / ROWS).exists() else []
    held = {row.variant for row in rows}
    if not rows or (this.controls and not held.issuperset(CONTROLS)):
        write_repetition(this, run_repetition(this), command)
        rows = read_rows(this.folder / ROWS)
    return rows


def _declare(this: Repetition) -> dict[str, Any]:
    """What the folder is for; with or without controls it is the same repetition."""
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
        **{name: declared_fields(fields[name]) for name in ("search", "probe", "fresh")},
        "learning": declared_fields(recipe.learning),
    }
