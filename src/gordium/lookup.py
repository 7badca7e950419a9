"""Errors that help: unknown names get the nearest known ones, wrong calls the right arguments."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar, cast

C = TypeVar("C", bound=Callable[..., Any])
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


def describe_failure(error: BaseException) -> str:
    """The error's own text; a sentence for an error of the system, which has only a number."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename} cannot be used: {error.strerror}."
    return str(error) or type(error).__name__


def import_when_used(
    package: str, homes: Mapping[str, Sequence[str]], modules: Sequence[str] = ()
) -> Callable[[str], Any]:
    """A package's `__getattr__`, which imports at the first use: names from `homes`, and `modules`.

    So what needs no PyTorch does not load it.
    """
    found = {name: module for module, names in homes.items() for name in names}

    def get(name: str) -> Any:
        if name in found:
            return getattr(import_module(f"{package}.{found[name]}"), name)
        if name in modules:
            return import_module(f"{package}.{name}")
        near = get_close_matches(name, [*found, *modules], n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")

    return get


def answer_wrong_calls(callee: C) -> C:
    """Make a function or class say what arguments it takes when it is called with wrong ones.

    A function is wrapped in a new one; a class stays the same object, with another `__init__`.
    """
    if isinstance(callee, type):
        called = callee.__init__  # type: ignore[misc]
        callee.__init__ = _explain_failure(called, callee.__name__)  # type: ignore[misc]
        return callee
    return cast(C, _explain_failure(callee, callee.__name__))


def answer_at_the_border(package: dict[str, Any]) -> None:
    """Apply `answer_wrong_calls` to all public members of a package, given its `globals()`."""
    for name in package["__all__"]:
        member = package[name]
        if inspect.isfunction(member) and not hasattr(member, "__wrapped__"):
            package[name] = answer_wrong_calls(member)
            package[name].__module__ = package["__name__"]  # where pickle looks for it
        elif isinstance(member, type) and inspect.isfunction(vars(member).get("__init__")):
            answer_wrong_calls(member)


def _explain_failure(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function, whose arguments are checked when a call of it has failed with a TypeError."""

    @wraps(function)
    def call_and_explain(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except TypeError:
            signature = inspect.signature(function)
            try:
                signature.bind(*arguments, **named)
            except TypeError as error:
                raise TypeError(_explain_call(name, signature, named, error)) from None
            raise

    return call_and_explain


def _explain_call(
    name: str, signature: inspect.Signature, named: Mapping[str, object], error: TypeError
) -> str:
    known = {k: p for k, p in signature.parameters.items() if k != "self"}
    told = "; ".join(_suggest(word, known) for word in named if word not in known) or str(error)
    told = told.replace("positional arguments", "arguments without a name")
    needed: list[str] = []
    chosen: list[str] = []
    for p in known.values():
        free = p.default is not p.empty or p.kind == p.VAR_KEYWORD
        (chosen if free else needed).append(_show(p))
    options = ", ".join(chosen)
    in_turn = any(p.kind == p.POSITIONAL_OR_KEYWORD for p in known.values())
    nothing = "nothing that must be given" if in_turn else "nothing without a name"
    takes = ", ".join(needed) or (nothing if options else "nothing")
    return f"{name}: {told}. It takes {takes}" + (f"; by name: {options}." if options else ".")


def _show(parameter: inspect.Parameter) -> str:
    if parameter.kind == parameter.VAR_KEYWORD:
        return f"any {parameter.name}"
    needs_name = parameter.kind == parameter.KEYWORD_ONLY and parameter.default is parameter.empty
    return f"{parameter.name}=..." if needs_name else parameter.name


def _suggest(word: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(word, known, n=1) or [name for name in known if word in name]
    return f"there is no {word}" + (f" (did you mean {near[0]}?)" if near else "")
