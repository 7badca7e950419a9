"""Rows that were written before, of data sets whose files are not on this machine.

Without them an exhibit that is made anew would lose lines, and a claim those that speak against it.
"""

import csv
from collections.abc import Sequence

from gordium.exhibits.base import ROWS, SUMMARY, Place, Row
from gordium.files import read_json


def keep_rows(place: Place, absent: Sequence[str]) -> list[Row]:
    """The rows of the absent data sets, from the exhibit that is written over, if there is one.

    Their numbers stay text, to the last digit.
    """
    if place.before is None or not (place.before / ROWS).is_file():
        return []
    with (place.before / ROWS).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["data"] in absent]
    return [{name: cell for name, cell in row.items() if cell} for row in rows]


def note_absent(place: Place, absent: Sequence[str], kept: Sequence[Row]) -> list[str]:
    """Notes on the data sets whose files are missing: which were left out, and which kept."""
    held = dict.fromkeys(str(row["data"]) for row in kept)
    lost = [name for name in absent if name not in held]
    notes = [f"Left out, as their files are not here: {', '.join(lost)}."] if lost else []
    if held:
        notes.append(
            f"Kept as they were (scale {_read_scale(place)}), as their files are not here: "
            f"{', '.join(held)}. They are not in the pictures."
        )
    return notes


def _read_scale(place: Place) -> str:
    path = place.before / SUMMARY if place.before else None
    return str(read_json(path)["scale"]) if path and path.is_file() else "unknown"
