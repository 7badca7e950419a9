"""Every exhibit of the papers, found beside the code that makes it."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from re import findall

from gordium.exhibits.base import Exhibit

PAPERS = ("zietlow2021", "rolinek2019", "locatello2019", "burgess2018", "stuehmer2020")


def find_exhibits(paper: str) -> list[Exhibit]:
    """The exhibits in the files of a paper's folder, by name, numbers in their order."""
    return sorted(_values(f"gordium.exhibits.{paper}"), key=lambda exhibit: _order(exhibit.name))


def _values(package: str) -> Iterator[Exhibit]:
    for file in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
        module = import_module(file.name)
        yield from (value for value in vars(module).values() if isinstance(value, Exhibit))


def _order(name: str) -> list[tuple[int, str]]:
    return [(int(number or 0), word) for number, word in findall(r"(\d+)|(\D+)", name)]


CATALOGUE: dict[str, Exhibit] = {e.name: e for paper in PAPERS for e in find_exhibits(paper)}
