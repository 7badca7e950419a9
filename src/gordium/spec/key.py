"""The key of a declaration: a hash that names what was declared."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_PLACES = ("folder", "path", "picture")  # fields that say where a file lies, which changes nothing


def declaration_hash(declaration: Mapping[str, Any]) -> str:
    """The name of what was declared: 16 digits of the SHA-256 of its JSON.

    Where a file lies is not part of it, and 8 and 8.0 are the same number.
    """
    text = json.dumps(canonical(declaration), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def canonical(value: Any) -> Any:
    """Equal JSON for all declarations that have the same key."""
    if isinstance(value, Mapping):
        return {key: canonical(item) for key, item in value.items() if key not in _PLACES}
    if isinstance(value, list | tuple):
        return [canonical(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
