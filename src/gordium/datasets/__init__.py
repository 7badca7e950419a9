"""Data sets with known generating factors, and variants that wrap them.

To add one: a file with a `Dataset` in this folder, and its name in `DATASETS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from gordium.datasets._fetch import fetch
from gordium.datasets._overview import Overview, describe
from gordium.datasets._reflect import reflect
from gordium.datasets._remarks import remarks
from gordium.datasets.base import Dataset
from gordium.datasets.cached import InMemory, in_memory
from gordium.datasets.cars3d import Cars3D
from gordium.datasets.cars3d_like import Cars3DLike
from gordium.datasets.clustered_cloud import ClusteredCloud
from gordium.datasets.color_dsprites import ColorDSprites
from gordium.datasets.combination import Combination, hold_out
from gordium.datasets.contact_sheet import contact_sheet
from gordium.datasets.correlated import Correlated
from gordium.datasets.dsprites import DSprites
from gordium.datasets.faces3d import Faces3D
from gordium.datasets.faces3d_like import Faces3DLike
from gordium.datasets.fashion_mnist import FashionMNIST
from gordium.datasets.from_arrays import FromArrays
from gordium.datasets.from_folder import FromFolder
from gordium.datasets.from_npz import FromNpz
from gordium.datasets.held import Held
from gordium.datasets.linear_gaussian import LinearGaussianSamples
from gordium.datasets.mnist import MNIST
from gordium.datasets.modified import Change, Modified
from gordium.datasets.mpi3d import MPI3DReal, MPI3DRealistic, MPI3DToy
from gordium.datasets.noisy import Noisy
from gordium.datasets.noisy_dsprites import NoisyDSprites
from gordium.datasets.partial import Collection, Rows
from gordium.datasets.scream_dsprites import ScreamDSprites
from gordium.datasets.shapes3d import Shapes3D
from gordium.datasets.smallnorb import SmallNORB
from gordium.datasets.smallnorb_like import SmallNORBLike
from gordium.datasets.split import Split, split
from gordium.datasets.student_t_mixture import StudentTMixture
from gordium.datasets.synthetic_linear import SyntheticLinear
from gordium.datasets.synthetic_nonlinear import SyntheticNonlinear
from gordium.datasets.table import DRAWN, Samples, Table
from gordium.lookup import pick

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
# Data of the user's: made by name of the class, and declared by what they hold.
OWN: dict[str, type[Collection]] = {
    "from-arrays": FromArrays,
    "from-npz": FromNpz,
    "from-folder": FromFolder,
}
VARIANTS = {
    "held": Held,
    "noisy": Noisy,
    "modified": Modified,
    "split": Split,
    "combination": Combination,
    "correlated": Correlated,
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
    "Held",
    "InMemory",
    "LinearGaussianSamples",
    "MPI3DReal",
    "MPI3DRealistic",
    "MPI3DToy",
    "Modified",
    "Noisy",
    "NoisyDSprites",
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
    "contact_sheet",
    "declared",
    "fetch",
    "hold_out",
    "in_memory",
    "list_datasets",
    "load_dataset",
    "open_path",
    "overview",
    "reflect",
    "remarks",
    "split",
]


def list_datasets() -> list[str]:
    return list(DATASETS)


def overview(name: str) -> Overview:
    """The data set called `name` in a line, also when its files are not here."""
    return describe(pick("data set", name, DATASETS))


def open_path(path: str | Path, **options: Any) -> FromNpz | FromFolder:
    """The data set in a file or folder of yours: an .npz archive, or pictures with a CSV table."""
    place = Path(path)
    if place.is_dir():
        return FromFolder(place, **options)
    return FromNpz(place, **options)


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
    if declaration.get("name") in OWN:
        return OWN[declaration["name"]](**declaration["options"])
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
    if issubclass(variant, Rows):
        options = {k: v for k, v in declaration.items() if k not in ("variant", "base")}
        return variant(base, **{k: _frozen(v) for k, v in options.items()})
    if load_change is None:
        raise ValueError(
            "this data set is modified by a learned change; give load_change, which makes it "
            f"from {declaration['change']}."
        )
    return Modified(base, load_change(declaration["change"]))


def _frozen(value: Any) -> Any:
    """JSON has lists where a frozen data set has tuples."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
