"""From JSON and TOML to frozen dataclasses: names, types and ranges are checked here, once.

msgspec converts and checks the values of fields. Of the libraries that read frozen dataclasses it
is the one that is strict by default (cattrs turns "10" into 10) and imports fastest (measured
here: 0.09 s, cattrs and pydantic 0.14 s). It lets unknown names pass, so those are checked here,
and the nearest known name is suggested.
"""

import dataclasses
import re
from collections.abc import Container, Iterable, Mapping
from functools import cache, partial, reduce
from math import isfinite
from operator import or_
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from gordium.fields import Declaration, Fields, declare_fields
from gordium.lookup import describe_failure, pick
from gordium.methods import METHODS, Method
from gordium.networks import ARCHITECTURES, Architecture
from gordium.optimisers import OPTIMISERS, OptimiserSettings

T = TypeVar("T")
FAMILIES: dict[Any, tuple[str, Mapping[str, type]]] = {
    Architecture: ("architecture", ARCHITECTURES),
    OptimiserSettings: ("optimiser", OPTIMISERS),
    Method: ("method", METHODS),
}
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
_SHOWN = 60


def to_named(value: Any, family: Mapping[str, type]) -> Declaration:
    """A value's name in its family, and its fields; outside of the family, its class's name."""
    names = {member: name for name, member in family.items()}
    return {"name": names.get(type(value), type(value).__name__), **declare_fields(value)}


def from_named(
    kind: str, declared: Any, family: Mapping[str, type[T]], path: str | None = None
) -> T:
    """The member that `to_named` described, or that a name alone stands for."""
    path = kind if path is None else path
    table = {"name": declared} if isinstance(declared, str) else declared
    if not isinstance(table, Mapping):
        raise ValueError(f"{path}: expected a name or a table with one; got {_shorten(declared)}.")
    if not isinstance(table.get("name"), str):
        raise ValueError(
            f"{path}.name: expected the name of the {kind}; "
            f"got {_shorten(table['name']) if 'name' in table else 'nothing'}."
        )
    member = convert_at(path, lambda: pick(kind, table["name"], family))
    rest = {key: value for key, value in table.items() if key != "name"}
    return convert(rest, member, path, what=f"field of {table['name']}")


def convert(given: Any, kind: type[T], path: str, *, what: str = "field") -> T:
    """A dataclass made of a table; errors begin with the path of the bad field."""
    values = convert_fields(given, kind, path, what=what)
    refuse_missing(values, list_required(kind), path)
    return convert_at(path, lambda: kind(**values))


def list_required(kind: Any) -> list[str]:
    """The names of a dataclass's fields that have no default."""
    absent = dataclasses.MISSING
    fields = (field for field in dataclasses.fields(kind) if field.init)
    return [field.name for field in fields if field.default is field.default_factory is absent]


def refuse_missing(given: Container[str], needed: Iterable[str], path: str) -> None:
    """Refuse a table at `path` that lacks a field which is needed."""
    for name in needed:
        if name not in given:
            raise ValueError(f"{join(path, name)}: is missing.")


def refuse_unknown(
    given: Iterable[Any], known: Iterable[str], path: str, *, what: str = "field"
) -> None:
    """Refuse names in the table at `path` that are not known, and suggest the nearest ones."""
    for name in given:
        convert_at(path, partial(pick, what, str(name), dict.fromkeys(known)))


def convert_fields(given: Any, kind: Any, path: str, *, what: str = "field") -> Fields:
    """The values of some of a dataclass's fields, each of its type."""
    table = check_table(given, path)
    hints = _hints(kind)
    refuse_unknown(table, hints, path, what=what)
    return {name: check(value, hints[name], join(path, name)) for name, value in table.items()}


def check(value: Any, kind: Any, path: str) -> Any:
    """A value that is, or can without loss become, of the type `kind`."""
    if kind in FAMILIES:
        return from_named(FAMILIES[kind][0], value, FAMILIES[kind][1], path)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return convert(value, kind, path)
    if get_origin(kind) is dict:
        own = get_args(kind)[1]
        return {k: check(v, own, join(path, k)) for k, v in check_table(value, path).items()}
    _refuse_infinite(value, path)
    try:
        return msgspec.convert(value, _without_paths(kind))
    except msgspec.ValidationError as error:
        raise ValueError(f"{path}{_position(error)}: {_describe_expected(error, value)}.") from None


def check_table(value: Any, path: str) -> Mapping[str, Any]:
    """Refuse anything but a table."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{path}: expected a table; got {_shorten(value)}.")
    return value


def join(path: str, name: str) -> str:
    """The path of a field within the field at `path`."""
    return f"{path}.{name}" if path else name


def convert_at(path: str, make: Any) -> Any:
    """What `make()` returns; its errors are raised again as errors of the field at `path`."""
    try:
        return make()
    except (TypeError, ValueError, OSError) as error:
        text = " ".join(describe_failure(error).split())
        raise ValueError(f"{path}: {text}" if path else text) from error


@cache
def _hints(kind: Any) -> Fields:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind) if field.init}


@cache
def _without_paths(kind: Any) -> Any:
    """The same type with text in the place of paths, which msgspec does not take in a union."""
    if kind is Path:
        return str
    if Path not in get_args(kind):
        return kind
    return reduce(or_, [str if part is Path else part for part in get_args(kind)])


def _refuse_infinite(value: Any, path: str) -> None:
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{path}: expected a finite number; got {value}.")
    if isinstance(value, list | tuple):
        for position, item in enumerate(value):
            _refuse_infinite(item, f"{path}[{position}]")


def _position(error: msgspec.ValidationError) -> str:
    found = re.search(r" - at `\$(.*)`$", str(error))
    return found[1] if found else ""


def _describe_expected(error: msgspec.ValidationError, value: Any) -> str:
    found = re.match(r"Expected `([^`]*)`, got `([^`]*)`", str(error))
    if found is None:
        return f"{str(error).partition(' - at')[0]}; got {_shorten(value)}"
    words = [_WORDS.get(part, part) for part in found[1].split(" | ")]
    return f"expected {' or '.join(words)}; got {_shorten(value)}"


def _shorten(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
