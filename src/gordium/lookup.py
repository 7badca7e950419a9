"""Finding a member of a family by name, and calling by names, with suggestions for unknown ones."""

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
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


def answer_wrong_calls(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which says how it is called when it is given too few, too many or others."""
    signature = inspect.signature(function)

    @wraps(function)
    def checked(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            signature.bind(*arguments, **named)
        except TypeError as error:
            raise TypeError(_explain_call(function.__name__, signature, named, error)) from None
        return function(*arguments, **named)

    return checked


def _explain_call(
    name: str, signature: inspect.Signature, named: Mapping[str, object], error: TypeError
) -> str:
    known = signature.parameters
    told = "; ".join(_suggest(word, known) for word in named if word not in known) or str(error)
    fixed = [p for p in known.values() if p.kind != p.VAR_KEYWORD]
    needed = ", ".join(p.name for p in fixed if p.default is p.empty) or "nothing"
    options = ", ".join(p.name for p in fixed if p.default is not p.empty)
    return f"{name}: {told}. It takes {needed}" + (f"; by name: {options}." if options else ".")


def _suggest(word: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"there is no {word}" + (f" (did you mean {near[0]}?)" if near else "")
