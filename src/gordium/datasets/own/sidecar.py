"""Kinds and labels of factors, given in a table's header or in a JSON file next to it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gordium.datasets.own.columns import KINDS, Meaning
from gordium.files import read_json

_EXAMPLE = '{"colour": {"kind": "nominal", "labels": ["red", "green"]}}'


def split_header(names: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Split a header, in which a kind may follow a name (`colour:nominal`), into both."""
    plain, kinds = [], {}
    for name in names:
        head, colon, kind = name.rpartition(":")
        if colon and kind in KINDS:
            kinds[head] = kind
        plain.append(head if colon and kind in KINDS else name)
    return plain, kinds


def read_sidecar(table: Path) -> Meaning:
    """Read kinds and labels from `factors.json` beside `factors.csv`, if it is there."""
    path = table.with_suffix(".json")
    if not path.is_file():
        return Meaning()
    found = read_json(path)
    if not isinstance(found, dict) or not all(_is_meaning(said) for said in found.values()):
        raise ValueError(f"{path} must hold kinds and labels of factors, e.g. {_EXAMPLE}.")
    kinds = {name: said["kind"] for name, said in found.items() if "kind" in said}
    labels = {name: said["labels"] for name, said in found.items() if "labels" in said}
    return Meaning(kinds, labels)


def _is_meaning(said: Any) -> bool:
    if not isinstance(said, dict) or not said.keys() <= {"kind", "labels"}:
        return False
    labels = said.get("labels", [])
    return isinstance(labels, list) and all(isinstance(label, str) for label in labels)
