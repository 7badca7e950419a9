"""Frozen dataclasses as JSON and back: `{"name": ..., field: value}`."""

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from gordium.lookup import pick

T = TypeVar("T")


def to_named(value: Any, family: Mapping[str, type]) -> dict[str, Any]:
    """The member's name in its family and its fields; a stranger goes by its class name."""
    names = {member: name for name, member in family.items()}
    return {"name": names.get(type(value), type(value).__name__), **dataclasses.asdict(value)}


def from_named(kind: str, declared: Mapping[str, Any], family: Mapping[str, type[T]]) -> T:
    """The member that `to_named` described."""
    fields = {key: _frozen(value) for key, value in declared.items() if key != "name"}
    return pick(kind, declared["name"], family)(**fields)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
