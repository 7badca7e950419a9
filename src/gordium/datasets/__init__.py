"""Data sets with known generating factors, and variants that wrap them.

To add one: a file with a `Dataset` in this folder, and its name in `DATASETS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from gordium.datasets._reflect import reflect
from gordium.datasets.base import Dataset
from gordium.datasets.cached import InMemory, in_memory
from gordium.datasets.color_dsprites import ColorDSprites
from gordium.datasets.contact_sheet import contact_sheet
from gordium.datasets.dsprites import DSprites
from gordium.datasets.held import Held
from gordium.datasets.modified import Change, Modified
from gordium.datasets.noisy import Noisy
from gordium.datasets.noisy_dsprites import NoisyDSprites
from gordium.datasets.scream_dsprites import ScreamDSprites
from gordium.datasets.shapes3d import Shapes3D
from gordium.datasets.synthetic_linear import SyntheticLinear
from gordium.datasets.table import DRAWN, Samples, Table
from gordium.lookup import pick

DATASETS: dict[str, Callable[..., Dataset]] = {
    "dsprites": DSprites,
    "shapes3d": Shapes3D,
    "color-dsprites": ColorDSprites,
    "noisy-dsprites": NoisyDSprites,
    "scream-dsprites": ScreamDSprites,
    "synthetic-linear": SyntheticLinear,
}
VARIANTS = {"held": Held, "noisy": Noisy, "modified": Modified}

__all__ = [
    "DATASETS",
    "VARIANTS",
    "Change",
    "ColorDSprites",
    "DSprites",
    "Dataset",
    "Held",
    "InMemory",
    "Modified",
    "Noisy",
    "NoisyDSprites",
    "Samples",
    "ScreamDSprites",
    "Shapes3D",
    "SyntheticLinear",
    "Table",
    "contact_sheet",
    "declared",
    "in_memory",
    "list_datasets",
    "load_dataset",
    "reflect",
]


def list_datasets() -> list[str]:
    return list(DATASETS)


def load_dataset(name: str, **options: Any) -> Dataset:
    """The data set called `name`; `options` are its fields, such as `size=32`."""
    kind = pick("data set", name, DATASETS)
    known = [field.name for field in fields(kind) if field.init]  # type: ignore[arg-type]
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise TypeError(
            f"data set {name!r} has no option {', '.join(unknown)}; it has {', '.join(known)}."
        )
    return kind(**options)


def declared(
    declaration: Mapping[str, Any], load_change: Callable[[dict[str, Any]], Change] | None = None
) -> Dataset:
    """The data set that gave this `declaration`, e.g. one read from a run's config.

    `load_change` makes the change of a modified data set from the change's own declaration.
    """
    if "variant" not in declaration:
        drawn = declaration["source"] == DRAWN  # a table has no other source to name
        source = {} if drawn else {"source": declaration["source"]}
        return load_dataset(declaration["name"], **declaration["options"], **source)
    base = declared(declaration["base"], load_change)
    variant = pick("variant", declaration["variant"], VARIANTS)
    if variant is Held:
        return base.hold(**declaration["values"])
    if variant is Noisy:
        return Noisy(base, declaration["epsilon"], declaration["seed"])
    if load_change is None:
        raise ValueError(
            "this data set is modified by a learned change; give load_change, which makes it "
            f"from {declaration['change']}."
        )
    return Modified(base, load_change(declaration["change"]))
