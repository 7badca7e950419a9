"""Make an exhibit and write it down: rows, pictures, and one page with published beside ours."""

import csv
import io
import platform
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

from gordium._version import __version__
from gordium.exhibits.base import SCALES, Effect, Made, Place, Value
from gordium.exhibits.catalogue import CATALOGUE, Entry
from gordium.files import write_bytes, write_json, write_text
from gordium.lookup import pick
from gordium.report import page

SUMMARY, ROWS, TABLE, PAGE = "exhibit.json", "rows.csv", "table.md", "report.html"


def load_exhibit(name: str) -> Any:
    """The module of an exhibit; one that is not built says so."""
    entry = pick("exhibit", name, CATALOGUE)
    if entry.module is None:
        raise ValueError(
            f"{name} ({entry.where}) cannot be made yet; "
            "`gordium reproduce --list` shows which can."
        )
    return import_module(f"gordium.exhibits.{entry.module}")


def reproduce(name: str, place: Place, *, out: Path, command: str) -> Made:
    """Make the exhibit and write it into `out`; trained runs are kept in the place's folder."""
    pick("scale", place.scale, dict.fromkeys(SCALES))
    made: Made = load_exhibit(name).make(place)
    write_made(name, CATALOGUE[name], made, scale=place.scale, out=out, command=command)
    return made


def write_made(name: str, entry: Entry, made: Made, *, scale: str, out: Path, command: str) -> None:
    for file, png in made.pictures.items():
        write_bytes(out / file, png)
    write_text(out / ROWS, _csv(made.rows))
    write_text(out / TABLE, markdown(name, entry, made, scale=scale, command=command))
    page.write_page(out / PAGE, f"{name}: {entry.title}", _parts(entry, made, scale, command))
    summary = {
        "exhibit": name,
        "scale": scale,
        "command": command,
        "versions": {
            "gordium": __version__,
            "torch": torch.__version__,
            "python": platform.python_version(),
        },
        # NumPy's truth values are no JSON.
        "effects": [{**effect._asdict(), "seen": bool(effect.seen)} for effect in made.effects],
        "head": list(made.head),
        "table": [list(line) for line in made.table],
        "notes": list(made.notes),
        "pictures": list(made.pictures),
    }
    write_json(out / SUMMARY, summary)


def markdown(name: str, entry: Entry, made: Made, *, scale: str, command: str) -> str:
    lines = [f"# {name}", "", f"{entry.title} ({entry.where}). Scale: {scale}.", ""]
    lines += _markdown_table(made.head, made.table)
    if made.effects:
        lines += ["", *(f"- {_verdict(effect)}" for effect in made.effects)]
    lines += [f"\n{note}" for note in made.notes]
    lines += [f"\n![{name}]({file})" for file in made.pictures]
    return "\n".join([*lines, "", f"Made by `{command}`.", ""])


def _markdown_table(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *body]
    return ["| " + " | ".join(line) + " |" for line in lines]


def _verdict(effect: Effect) -> str:
    return f"{'seen' if effect.seen else 'NOT seen'}: {effect.statement} ({effect.evidence})"


def _parts(entry: Entry, made: Made, scale: str, command: str) -> list[str]:
    return [
        page.paragraph(f"{entry.where}. Scale: {scale}.", small=True),
        page.table(made.head, made.table),
        *(page.paragraph(_verdict(effect)) for effect in made.effects),
        *(page.picture(png, file) for file, png in made.pictures.items()),
        *(page.paragraph(note, small=True) for note in made.notes),
        page.heading("Run it again"),
        page.code(command),
    ]


def _csv(rows: Sequence[Mapping[str, Value]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, names, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()
