"""Writes docs/reproduction.md: every exhibit of the papers, published against ours.

    python docs/figures/reproduction.py

Reads results/*/exhibit.json, and in results/tried.toml what was tried about effects not seen;
trains nothing.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

from gordium.exhibits.catalogue import CATALOGUE, Entry

ROOT = Path(__file__).resolve().parents[2]
RESULTS, PAGE = ROOT / "results", ROOT / "docs" / "reproduction.md"
LONG = 24  # tables longer than this are left to their own page
Summary = dict[str, Any]

INTRODUCTION = """\
# Reproduction

Made by `python docs/figures/reproduction.py` from `results/*/exhibit.json`; do not edit it.

Every exhibit of the papers, with the published numbers beside ours, and every published effect
marked as seen or not seen at the scale given. `gordium reproduce ID --scale SCALE` makes one;
at `smoke` all parts run and nothing is shown, `laptop` is made for two cores, `paper` is the
published protocol. An effect that was not seen stays here with what was tried. Rows with the
provenance of every number are in `results/ID/rows.csv`.
"""


def page() -> str:
    found = {name: summary(name) for name in CATALOGUE}
    parts = [INTRODUCTION, _overview(found)]
    known = tried()
    for name, entry in CATALOGUE.items():
        parts.append(section(name, entry, found[name], known.get(name)))
    return "\n".join(parts)


def summary(name: str) -> Summary | None:
    """What `gordium reproduce` wrote of an exhibit, if it was made."""
    path = RESULTS / name / "exhibit.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def tried() -> dict[str, str]:
    """By exhibit, what was done about the effects that were not seen."""
    return tomllib.loads((RESULTS / "tried.toml").read_text(encoding="utf-8"))


def _overview(found: dict[str, Summary | None]) -> str:
    lines = ["| exhibit | about | scale | effects seen |", "| --- | --- | --- | --- |"]
    for name, entry in CATALOGUE.items():
        one = found[name]
        about = f"{entry.title} ({entry.where})"
        lines.append(f"| [{name}](#{name.lower()}) | {about} | {_scale(one)} | {_counts(one)} |")
    made = [one for one in found.values() if one is not None]
    effects = [effect for one in made for effect in one["effects"]]
    seen = sum(effect["seen"] for effect in effects)
    text = (
        f"{len(made)} of {len(found)} exhibits have results here; {seen} of {len(effects)} "
        "effects are seen.\n"
    )
    return "\n".join([text, *lines, ""])


def _scale(one: Summary | None) -> str:
    if one is None:
        return "no results yet"
    incomplete = any("INCOMPLETE" in note for note in one["notes"])
    return f"{one['scale']}{', incomplete' if incomplete else ''}"


def _counts(one: Summary | None) -> str:
    if one is None:
        return "–"
    return f"{sum(effect['seen'] for effect in one['effects'])} of {len(one['effects'])}"


def section(name: str, entry: Entry, one: Summary | None, known: str | None) -> str:
    lines = [f"## {name}", "", f"{entry.title}. {entry.where}.", ""]
    if one is None:
        lines += [f"No results yet: `gordium reproduce {name} --scale laptop` makes them.", ""]
        return "\n".join(lines)
    lines += _table(name, one)
    lines += [f"- {_verdict(effect)}" for effect in one["effects"]]
    lines += ["", f"Not seen, and tried: {known}"] if known else []
    lines += ["", *(f"{note}\n" for note in one["notes"])]
    pictures = [f"[{file}](../results/{name}/{file})" for file in one["pictures"]]
    lines += [f"Pictures: {', '.join(pictures)}.\n"] if pictures else []
    version = one["versions"]["gordium"]
    lines += [f"Scale {one['scale']}, gordium {version}. `{one['command']}`", ""]
    return "\n".join(lines)


def _table(name: str, one: Summary) -> list[str]:
    body = one["table"]
    if len(body) > LONG:
        return [
            f"The table has {len(body)} lines: [results/{name}](../results/{name}/table.md).",
            "",
        ]
    rule = ["---"] * len(one["head"])
    return [*("| " + " | ".join(line) + " |" for line in [one["head"], rule, *body]), ""]


def _verdict(effect: dict[str, Any]) -> str:
    word = "seen" if effect["seen"] else "**not seen**"
    return f"{word}: {effect['statement']} ({effect['evidence']})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
