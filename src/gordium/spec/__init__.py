"""A run as one value, `RunSpec`, with its JSON and the key that names it."""

from gordium.spec.codec import from_named, to_named
from gordium.spec.key import declaration_hash
from gordium.spec.run import DatasetSpec, ForeignMethod, RunSpec
from gordium.spec.settings import Settings

__all__ = [
    "DatasetSpec",
    "ForeignMethod",
    "RunSpec",
    "Settings",
    "declaration_hash",
    "from_named",
    "to_named",
]
