"""Make an exhibit and write its rows, its pictures, its verdicts and its page."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict

import pandas as pd
import torch

from gordium._version import __version__
from gordium.exhibits.base import EARLIER, FORMER, ROWS, SCALES, SUMMARY, Exhibit, Made, Place
from gordium.exhibits.catalogue import CATALOGUE, say_where
from gordium.files import write_bytes, write_json, write_text
from gordium.lookup import pick
from gordium.report.names import say_metric
from gordium.report.pages import html as page
from gordium.report.statistics.claims import Claim
from gordium.report.statistics.verdicts import Verdict, lines_csv, settle
from gordium.report.statistics.words import as_markdown
from gordium.table_text import csv_text, markdown_lines

TABLE, PAGE = "table.md", "report.html"
VERDICTS = "verdicts.csv"
STUDIED = (
    "locatello2019",
    *(f"stuehmer2020-figure{part}" for part in ("5", "6", "7", "s8-16")),
)


@dataclass(frozen=True)
class Written:
    """An exhibit that was written: what was made, and the verdicts on its claims."""

    made: Made
    verdicts: Sequence[Verdict]


def reproduce(name: str, place: Place, *, out: Path, command: str) -> Written:
    """Make the exhibit and write it to `out`; its runs are kept in the place's folder.

    Rows in `out` of data sets that cannot be read on this machine stay.
    """
    pick("scale", place.scale, dict.fromkeys((*SCALES, EARLIER)))
    exhibit = pick("exhibit", name, CATALOGUE)
    if place.scale == EARLIER and not name.startswith(STUDIED):
        raise ValueError(
            f"{name} has no runs at the scale {EARLIER!r}; its scales are {', '.join(SCALES)}."
        )
    made = exhibit.make(replace(place, before=out))
    return write_made(name, made, scale=place.scale, out=out, command=command)


def write_made(name: str, made: Made, *, scale: str, out: Path, command: str) -> Written:
    """Write an exhibit to `out`, its rows first, since verdicts are read off that file."""
    for file, png in made.pictures.items():
        write_bytes(out / file, png)
    columns = list(dict.fromkeys(name for row in made.rows for name in row))
    write_text(out / ROWS, csv_text(columns, made.rows))
    entry = CATALOGUE[name]
    claims = entry.claims(read_rows(out / ROWS))
    verdicts = settle(claims, exhibit=name, scale=scale)
    write_text(out / VERDICTS, lines_csv(verdicts))
    made = replace(made, notes=[*made.notes, *name_unjudged(claims)])
    summary = _summary(name, made, scale, command)
    write_json(out / SUMMARY, summary)
    write_text(out / TABLE, markdown(name, summary, verdicts))
    parts = _parts(entry, made, verdicts, summary)
    page.write_page(out / PAGE, f"{name}: {entry.title}", parts)
    return Written(made, verdicts)


def read_rows(path: Path) -> pd.DataFrame:
    """Read the rows of an exhibit as a frame, its numbers to the last bit."""
    if pd.__version__.startswith("2."):  # later versions read every bit by themselves
        return pd.read_csv(path, float_precision="round_trip")
    return pd.read_csv(path)


def judge(name: str, rows: pd.DataFrame, *, scale: str) -> list[Verdict]:
    """Judge the claims of an exhibit from nothing but its rows."""
    return settle(CATALOGUE[name].claims(rows), exhibit=name, scale=scale)


def name_unjudged(claims: Sequence[Claim]) -> list[str]:
    """A note that names the claims without a line, which have no verdict; none if there are none.

    >>> name_unjudged([Claim("it rains", ())])
    ['Not judged, since these rows hold no runs to compare: it rains.']
    """
    texts = [claim.text for claim in claims if not (claim.lines or claim.beside)]
    head = "Not judged, since these rows hold no runs to compare"
    return [f"{head}: {'; '.join(texts)}."] if texts else []


class Summary(TypedDict):
    """What `exhibit.json` holds; rows and verdicts have files of their own."""

    exhibit: str
    scale: str
    command: str
    versions: dict[str, str]
    head: list[str]
    table: list[list[str]]
    notes: list[str]
    pictures: list[str]


def _summary(name: str, made: Made, scale: str, command: str) -> Summary:
    return {
        "exhibit": name,
        "scale": scale,
        "command": command,
        "versions": {
            "gordium": __version__,
            "torch": torch.__version__,
            "python": platform.python_version(),
        },
        "head": list(made.head),
        "table": [list(line) for line in made.table],
        "notes": list(made.notes),
        "pictures": list(made.pictures),
    }


def markdown(
    name: str,
    summary: Summary,
    verdicts: Sequence[Verdict],
    *,
    above: Sequence[str] = (),
    below: Sequence[str] = (),
) -> str:
    """The exhibit's page as Markdown, from its summary, with lines above and below its verdicts."""
    entry = CATALOGUE[name]
    lines = [f"# {name}", "", f"{entry.title} ({say_where(name)}). Scale: {summary['scale']}.", ""]
    lines += markdown_lines(summary["head"], summary["table"])
    lines += ["", *above] if above else []
    lines += ["", *as_markdown(verdicts)] if verdicts else []
    lines += below
    lines += [f"\n{note}" for note in summary["notes"]]
    lines += [f"\n![{name}]({file})" for file in summary["pictures"]]
    return "\n".join([*lines, "", f"Made by `{summary['command']}`{_say_when(summary)}.", ""])


def _say_when(summary: Summary) -> str:
    """That a command makes other rows today, if it does."""
    if summary["scale"] != FORMER:
        return ""
    return (
        ", as that scale was declared before: shorter, or with fewer and other seeds. Today the "
        "command makes other rows"
    )


def _parts(entry: Exhibit, made: Made, verdicts: Sequence[Verdict], summary: Summary) -> list[str]:
    return [
        page.paragraph(f"{say_where(summary['exhibit'])}. Scale: {summary['scale']}.", small=True),
        *(_verdict(verdict) for verdict in verdicts),
        *(
            page.picture(png, f"{entry.title}: {say_metric(Path(file).stem)}")
            for file, png in made.pictures.items()
        ),
        page.heading("Numbers"),
        page.table(made.head, made.table),
        *(page.paragraph(note, small=True) for note in made.notes),
        page.heading("Run it again"),
        page.code(summary["command"]),
    ]


def _verdict(verdict: Verdict) -> str:
    """A claim and its verdict; if it rests on several lines, these are folded away."""
    first, *lines = (line.lstrip(" -") for line in as_markdown([verdict]))
    return page.fold(first, page.sentences(lines)) if lines else page.paragraph(first)
