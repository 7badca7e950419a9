"""Which fields of a frozen dataclass are declared, and so decide the name of a run or a change.

A run's key is the hash of its declaration, so a new field would rename every run that was ever
made. A field that is added later is therefore written `name: type = added(default)`: at this
default it is left out of the declaration, and old keys stay.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")
Declaration = Mapping[str, Any]  # JSON that makes a value again; only the codec looks into it
Fields = Mapping[str, Any]  # values of some of a dataclass's fields, by name
_ADDED = "default that it was added with"


def added(default: T, *, compare: bool = True) -> T:
    """The default of a field that was added after runs had been made without it.

    Never change this default: the runs that were made with it do not name it.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Wave:
    ...     height: float = 1.0
    ...     phase: float = added(0.0)
    >>> declare_fields(Wave()), declare_fields(Wave(phase=0.5))
    ({'height': 1.0}, {'height': 1.0, 'phase': 0.5})
    """
    field: T = dataclasses.field(default=default, compare=compare, metadata={_ADDED: default})
    return field


def declare_fields(value: Any) -> Declaration:
    """The fields of a dataclass as JSON, without those that were added and are at their default."""
    return {name: as_json(getattr(value, name)) for name in list_declared(value)}


def list_declared(value: Any) -> list[str]:
    """The names of a dataclass's fields, without those that were added and are at their default."""
    return [
        field.name
        for field in dataclasses.fields(value)
        if _ADDED not in field.metadata or getattr(value, field.name) != field.metadata[_ADDED]
    ]


def is_frozen(value: object) -> bool:
    """Whether a class or a value is a frozen dataclass, whose fields are its declaration."""
    return bool(getattr(getattr(value, "__dataclass_params__", None), "frozen", False))


def as_json(value: Any) -> Any:
    """A value as JSON; of dataclasses in it, the declared fields."""
    if dataclasses.is_dataclass(value):
        return declare_fields(value)
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return value
