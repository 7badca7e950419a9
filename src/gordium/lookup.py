"""Finding a member of a family by name, with a suggestion when the name is not known."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TypeVar

T = TypeVar("T")
# Families that a user may add to, and how.
_OPEN = ("method", "architecture", "metric", "data set")
_OWN = (
    " If it is your own, make it known first: gordium.register(...) in Python, --plugin MODULE on "
    "the command line, MODULE being where it is registered."
)


def pick(kind: str, name: str, known: Mapping[str, T]) -> T:
    """The member called `name`; an unknown name is an error that suggests the nearest ones.

    >>> pick("metric", "mig", {"mig": 1, "sap": 2})
    1
    """
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}? " if near else ""
    own = _OWN if kind in _OPEN else ""
    raise ValueError(f"unknown {kind} {name!r}. {hint}Known: {', '.join(known) or 'none'}.{own}")
