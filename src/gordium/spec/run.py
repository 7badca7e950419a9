"""What a run is: a method, the data set that it sees, and how it is trained, as one value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any

from gordium.datasets import Change, Dataset, from_declaration
from gordium.fields import Declaration, Fields, list_declared
from gordium.methods import METHODS, Method
from gordium.networks import ARCHITECTURES
from gordium.optimisers import OPTIMISERS
from gordium.spec.codec import (
    check,
    check_table,
    convert,
    from_named,
    refuse_missing,
    refuse_unknown,
    to_named,
)
from gordium.spec.dataset_border import check_dataset_declaration
from gordium.spec.key import declaration_hash
from gordium.spec.settings import Settings

LoadChange = Callable[[Declaration], Change]
NAMED: Mapping[str, Mapping[str, type]] = {"architecture": ARCHITECTURES, "optimiser": OPTIMISERS}
MOST_VALUES = 2**28  # of one image; no network here takes more
_FIELDS = ("kind", "dataset", "image_shape", "method", "settings")


@dataclass(frozen=True)
class DatasetSpec:
    """A data set by its declaration, which can be named and compared without its files."""

    declaration: Declaration
    image_shape: tuple[int, ...]

    @classmethod
    def of(cls, dataset: Dataset) -> "DatasetSpec":
        """The declaration of a loaded data set."""
        return cls(dataset.declaration, tuple(dataset.image_shape))

    @property
    def name(self) -> str:
        """The data set's name in the catalogue, under all its variants."""
        found = self.declaration
        while "base" in found:
            found = found["base"]
        return str(found.get("name", ""))

    @property
    def variant(self) -> str | None:
        """The outermost variant: held, noisy, modified, ...; None for a data set as it is."""
        return self.declaration.get("variant")

    def with_change_in(self, place: Callable[[str], str]) -> "DatasetSpec":
        """The same, with the folder of its learned change, if any, replaced as `place` says."""
        change = self.declaration.get("change")
        if change is None:
            return self
        moved = {**change, "folder": place(change["folder"])}
        return replace(self, declaration={**self.declaration, "change": moved})

    def load(self, load_change: LoadChange | None = None) -> Dataset:
        """Load the data set; a modified one needs `load_change` to load its change."""
        return from_declaration(self.declaration, load_change)


@dataclass(frozen=True)
class ForeignMethod(Method):
    """A method that is not registered: it has what a file says of it, and cannot be trained."""

    called: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.called


@dataclass(frozen=True)
class RunSpec:
    """All that a run's numbers follow from. `key`, its hash, is the run's name."""

    dataset: DatasetSpec
    method: Method
    settings: Settings

    @classmethod
    def of(cls, method: Method, dataset: Dataset, settings: Settings) -> "RunSpec":
        """The run of a method on a loaded data set."""
        return cls(DatasetSpec.of(dataset), method, settings)

    @property
    def seed(self) -> int:
        """The seed in the settings."""
        return self.settings.seed

    def with_seed(self, seed: int) -> "RunSpec":
        """The same run with another seed."""
        return replace(self, settings=replace(self.settings, seed=seed))

    @cached_property
    def key(self) -> str:
        """The hash of `to_json`."""
        return declaration_hash(self.to_json())

    @property
    def label(self) -> str:
        """What a person calls it: method, variant and seed."""
        variant = self.dataset.variant
        kind = variant if variant in ("noisy", "modified") else "original"
        return f"{self.method.name}, {kind}, seed {self.seed}"

    def to_json(self) -> Declaration:
        """The JSON that `from_json` reads and that the key is the hash of."""
        given = {name: getattr(self.settings, name) for name in list_declared(self.settings)}
        return {
            "kind": "run",
            "dataset": dict(self.dataset.declaration),
            "image_shape": list(self.dataset.image_shape),
            "method": method_to_json(self.method),
            "settings": settings_to_json(given),
        }

    @classmethod
    def from_json(cls, document: Any) -> "RunSpec":
        """The run that `to_json` described; an error begins with the path of the wrong field."""
        table = check_table(document, "declaration")
        refuse_missing(table, _FIELDS, "declaration")
        refuse_unknown(table, _FIELDS, "declaration")
        if table["kind"] != "run":
            raise ValueError(f"declaration.kind: expected 'run'; got {table['kind']!r}.")
        dataset = check_dataset_declaration(table["dataset"], "declaration.dataset")
        shape = _check_shape(table["image_shape"], "declaration.image_shape")
        settings = convert(table["settings"], Settings, "declaration.settings", what="setting")
        method = method_from_json(table["method"], "declaration.method")
        return cls(DatasetSpec(dict(dataset), shape), method, settings)


def _check_shape(document: Any, path: str) -> tuple[int, ...]:
    shape: tuple[int, ...] = check(document, tuple[int, ...], path)
    if not shape or min(shape) < 1 or prod(shape) > MOST_VALUES:
        raise ValueError(
            f"{path}: expected sizes of at least 1, {MOST_VALUES:,} values together; got {shape}."
        )
    return shape


def settings_to_json(given: Fields) -> Declaration:
    """Fields of settings as JSON: networks and optimisers by name, with their fields."""
    return {k: to_named(v, NAMED[k]) if k in NAMED else v for k, v in given.items()}


def method_to_json(method: Method) -> Declaration:
    """The declaration of a method."""
    if isinstance(method, ForeignMethod):
        return {"name": method.called, **method.fields}
    return to_named(method, METHODS)


def method_from_json(document: Any, path: str) -> Method:
    """The method that was declared; a `ForeignMethod` if its name is not registered."""
    table = check_table(document, path)
    name = check(table.get("name"), str, f"{path}.name")
    if name in METHODS:
        return from_named("method", table, METHODS, path)
    return ForeignMethod(name, {key: value for key, value in table.items() if key != "name"})
