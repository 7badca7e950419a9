"""Every exhibit of the papers, found beside the code that makes it."""

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from re import findall

from gordium.exhibits.base import PAPERS, Exhibit


@cache
def find_exhibits(paper: str) -> dict[str, Exhibit]:
    """Find the exhibits in the files of a paper's folder; Figure 2 is before Figure 10.

    The variable `figure10_11` of the folder `zietlow2021` is the exhibit zietlow2021-figure10-11.
    """
    package = f"gordium.exhibits.{paper}"
    found = {
        f"{paper}-{variable.replace('_', '-')}": value
        for file in pkgutil.iter_modules(import_module(package).__path__, f"{package}.")
        for variable, value in vars(import_module(file.name)).items()
        if isinstance(value, Exhibit)
    }
    return {name: found[name] for name in sorted(found, key=_order)}


def _order(name: str) -> list[tuple[int, str]]:
    return [(int(number or 0), word) for number, word in findall(r"(\d+)|(\D+)", name)]


class Catalogue(Mapping[str, Exhibit]):
    """All exhibits by name; looking one up imports the files of its paper only."""

    def __getitem__(self, name: str) -> Exhibit:
        paper = name.partition("-")[0]
        return (find_exhibits(paper) if paper in PAPERS else {})[name]

    def __iter__(self) -> Iterator[str]:
        return (name for paper in PAPERS for name in find_exhibits(paper))

    def __len__(self) -> int:
        return sum(len(find_exhibits(paper)) for paper in PAPERS)


CATALOGUE = Catalogue()


def say_where(name: str) -> str:
    """The paper and the part of it, e.g. `Zietlow et al. 2021, Figure 4`."""
    return f"{PAPERS[name.partition('-')[0]]}, {CATALOGUE[name].part}"
