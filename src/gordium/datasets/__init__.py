"""Data sets with known generating factors, and variants that wrap them.

To add one: a file with a `Dataset` in `sets`, and its name in `DATASETS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from gordium.datasets.base import Dataset
from gordium.datasets.check_dataset import check_is_dataset
from gordium.datasets.collection import Collection
from gordium.datasets.contact_sheet import contact_sheet
from gordium.datasets.fetching.fetch import fetch
from gordium.datasets.grid import Grid
from gordium.datasets.overviews import Overview, describe, remarks
from gordium.datasets.own.from_arrays import FromArrays
from gordium.datasets.own.from_folder import FromFolder
from gordium.datasets.own.from_npz import FromNpz
from gordium.datasets.own.from_path import relocate
from gordium.datasets.own.from_torch import from_hf, from_torch
from gordium.datasets.published import PLACES, Published
from gordium.datasets.sets.cars3d import Cars3D
from gordium.datasets.sets.cars3d_like import Cars3DLike
from gordium.datasets.sets.clustered_cloud import ClusteredCloud
from gordium.datasets.sets.color_dsprites import ColorDSprites
from gordium.datasets.sets.dsprites import DSprites
from gordium.datasets.sets.faces3d import Faces3D
from gordium.datasets.sets.faces3d_like import Faces3DLike
from gordium.datasets.sets.fashion_mnist import FashionMNIST
from gordium.datasets.sets.linear_gaussian import LinearGaussianSamples
from gordium.datasets.sets.mnist import MNIST
from gordium.datasets.sets.mpi3d import MPI3DReal, MPI3DRealistic, MPI3DToy
from gordium.datasets.sets.noisy_dsprites import NoisyDSprites
from gordium.datasets.sets.scream_dsprites import ScreamDSprites
from gordium.datasets.sets.shapes3d import Shapes3D
from gordium.datasets.sets.smallnorb import SmallNORB
from gordium.datasets.sets.smallnorb_like import SmallNORBLike
from gordium.datasets.sets.student_t_mixture import StudentTMixture
from gordium.datasets.sets.synthetic_linear import SyntheticLinear
from gordium.datasets.sets.synthetic_nonlinear import SyntheticNonlinear
from gordium.datasets.table import DRAWN, Samples, Table
from gordium.datasets.variants.combination import Combination, hold_out
from gordium.datasets.variants.correlated import Correlated
from gordium.datasets.variants.held import Held
from gordium.datasets.variants.in_memory import InMemory, in_memory
from gordium.datasets.variants.marginalised import Marginalised
from gordium.datasets.variants.modified import Change, Modified
from gordium.datasets.variants.narrowed import Narrowed
from gordium.datasets.variants.noisy import Noisy
from gordium.datasets.variants.reflect import reflect
from gordium.datasets.variants.split import Split, split
from gordium.datasets.variants.waved import Waved
from gordium.fields import Declaration
from gordium.files import check_path
from gordium.lookup import answer_at_the_border, pick

DATASETS: dict[str, Callable[..., Dataset]] = {
    "dsprites": DSprites,
    "color-dsprites": ColorDSprites,
    "noisy-dsprites": NoisyDSprites,
    "scream-dsprites": ScreamDSprites,
    "shapes3d": Shapes3D,
    "cars3d-like": Cars3DLike,
    "smallnorb-like": SmallNORBLike,
    "faces3d-like": Faces3DLike,
    "cars3d": Cars3D,
    "smallnorb": SmallNORB,
    "mpi3d-toy": MPI3DToy,
    "mpi3d-realistic": MPI3DRealistic,
    "mpi3d-real": MPI3DReal,
    "faces3d": Faces3D,
    "mnist": MNIST,
    "fashion-mnist": FashionMNIST,
    "synthetic-linear": SyntheticLinear,
    "synthetic-nonlinear": SyntheticNonlinear,
    "clustered-cloud": ClusteredCloud,
    "linear-gaussian": LinearGaussianSamples,
    "student-t-mixture": StudentTMixture,
}
# The user's own data: a declaration gives one of these names and the hash of the content.
OWN: dict[str, type[Collection]] = {
    "from-arrays": FromArrays,
    "from-npz": FromNpz,
    "from-folder": FromFolder,
}
_PARTS = (Held, Narrowed, Split, Combination, Correlated, Marginalised)
VARIANTS: dict[str, Callable[..., Dataset]] = {  # by the names that they declare
    kind.__name__.lower(): kind for kind in (*_PARTS, Noisy, Waved, Modified)
}

__all__ = [
    "DATASETS",
    "MNIST",
    "OWN",
    "VARIANTS",
    "Cars3D",
    "Cars3DLike",
    "Change",
    "ClusteredCloud",
    "Collection",
    "ColorDSprites",
    "Combination",
    "Correlated",
    "DSprites",
    "Dataset",
    "Faces3D",
    "Faces3DLike",
    "FashionMNIST",
    "FromArrays",
    "FromFolder",
    "FromNpz",
    "Grid",
    "Held",
    "InMemory",
    "LinearGaussianSamples",
    "MPI3DReal",
    "MPI3DRealistic",
    "MPI3DToy",
    "Marginalised",
    "Modified",
    "Narrowed",
    "Noisy",
    "NoisyDSprites",
    "Published",
    "Samples",
    "ScreamDSprites",
    "Shapes3D",
    "SmallNORB",
    "SmallNORBLike",
    "Split",
    "StudentTMixture",
    "SyntheticLinear",
    "SyntheticNonlinear",
    "Table",
    "Waved",
    "check_is_dataset",
    "contact_sheet",
    "fetch",
    "from_declaration",
    "from_hf",
    "from_torch",
    "hold_out",
    "in_memory",
    "list_datasets",
    "load_dataset",
    "open_path",
    "overview",
    "reflect",
    "relocate",
    "remarks",
    "split",
]


def list_datasets() -> list[str]:
    """The names that `load_dataset` knows."""
    return list(DATASETS)


def overview(name: str) -> Overview:
    """Describe the data set called `name`; this works without the set's files."""
    return describe(pick("data set", name, DATASETS))


def open_path(path: str | Path, **options: Any) -> FromNpz | FromFolder:
    """Open a data set of your own: an .npz archive, or a folder of pictures with a table.

    A folder's table is its factors.csv, or else its factors.parquet. The path may also be the
    table itself, a CSV or Parquet file beside the pictures.
    """
    place = check_path("path", path)
    if place.is_dir():
        tables = [t for t in ("factors.csv", "factors.parquet") if (place / t).is_file()]
        return FromFolder(place, **{"table": (tables or ["factors.csv"])[0], **options})
    if place.suffix in (".csv", ".parquet"):
        return FromFolder(place.parent, table=place.name, **options)
    return FromNpz(place, **options)


def load_dataset(name: str, **options: Any) -> Dataset:
    """Load the data set called `name`; `options` are its fields, such as `size=32`."""
    if not isinstance(name, str):
        raise TypeError(f"give a name from gordium.list_datasets(); got a {type(name).__name__}.")
    if name not in DATASETS and Path(name).suffix in (".npz", ".csv", ".parquet"):
        raise ValueError(f"{name!r} is a file: open it with gordium.datasets.open_path({name!r}).")
    kind = pick("data set", name, DATASETS)
    known = [field.name for field in fields(kind) if field.init]  # type: ignore[arg-type]
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise TypeError(
            f"data set {name!r} has no option {', '.join(unknown)}; "
            f"it has {', '.join(known) or 'none'}."
        )
    return kind(**options)


def from_declaration(
    declaration: Declaration, load_change: Callable[[Declaration], Change] | None = None
) -> Dataset:
    """Make the data set that this `declaration` describes, e.g. one read from a run's config.

    `load_change` loads the change of a modified data set from the change's own declaration.
    """
    if declaration.get("name") in OWN:
        return OWN[declaration["name"]](**declaration["options"])
    if "variant" not in declaration:
        drawn = declaration["source"] == DRAWN  # drawn samples have no `source` option
        source = {} if drawn else {"source": declaration["source"]}
        given = declaration["options"]  # places where nothing lies any more are left out
        options = {k: v for k, v in given.items() if k not in PLACES or Path(v).exists()}
        return load_dataset(declaration["name"], **options, **source)
    base = from_declaration(declaration["base"], load_change)
    variant = pick("variant", declaration["variant"], VARIANTS)
    options = {k: _freeze(v) for k, v in declaration.items() if k not in ("variant", "base")}
    if variant is Modified:
        if load_change is None:
            raise ValueError(
                "this data set is modified by a learned change; give load_change, which loads it "
                f"from {declaration['change']}."
            )
        options = {"change": load_change(declaration["change"])}
    return variant(base, **options)


def _freeze(value: Any) -> Any:
    """Turn JSON's lists and tables into tuples, which a frozen data set needs."""
    if isinstance(value, Mapping):
        return tuple(value.items())
    return tuple(_freeze(item) for item in value) if isinstance(value, list) else value


answer_at_the_border(globals())
