"""Studies of Stühmer et al. 2020 on cars and faces, which stand-ins of ours are drawn for."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from gordium.datasets import DATASETS, Dataset, load_dataset
from gordium.exhibits.base import Place
from gordium.exhibits.studies import Studied, worked_off
from gordium.methods import METHODS, Method
from gordium.networks import Architecture, Convolutional, Mlp
from gordium.study.study import Arm, Data, Study
from gordium.training import Adam
from gordium.training.named import to_named

CARS, FACES = "cars3d-like", "faces3d-like"
ONE_HEAD = {"identity": 0}
UNITS, SUBSPACE = 10, 4  # ten units in subspaces of at most four: three of them


class Size(NamedTuple):
    """How much is trained; the paper's figures on faces have 15 or 50 runs, on cars 35."""

    pixels: int
    betas: tuple[float, ...]
    seeds: int
    length: dict[str, int]
    architecture: Architecture


SIZES = {
    "smoke": Size(16, (1.0, 4.0), 1, {"steps": 10, "batch_size": 64}, Mlp((16,), (16,))),
    "laptop": Size(32, (1.0, 4.0), 3, {"steps": 2000, "batch_size": 64}, Convolutional(width=0.25)),
    "paper": Size(
        64, (1.0, 1.5, 2.0, 2.5, 3.0, 4.0), 35, {"epochs": 1500, "batch_size": 2048}, Mlp()
    ),
}


def stand_in(name: str, scale: str) -> Dataset:
    """The data set, of which drawing all images takes minutes; at smoke a small room instead.

    At laptop scale there is one head: of fifty, short training learns next to nothing.
    """
    if name not in DATASETS:
        raise ValueError(f"this exhibit needs the data set {name}, which is not built yet.")
    if scale == "smoke":
        room = load_dataset("shapes3d", size=SIZES[scale].pixels)
        return room.hold(wall_hue=5, object_hue=0, scale=4, shape=0)
    dataset = load_dataset(name, size=SIZES[scale].pixels)
    return dataset.hold(**ONE_HEAD) if (name, scale) == (FACES, "laptop") else dataset


def settings(size: Size) -> dict[str, Any]:
    """The paper: Adam at 1e-3, batches of 2048, ten units, 1500 epochs."""
    return {
        **size.length,
        "latent_dim": UNITS,
        "architecture": size.architecture,
        "optimiser": Adam(learning_rate=1e-3),
    }


def study_of(name: str, dataset: str, methods: Sequence[Method], scale: str) -> Study:
    size = SIZES[scale]
    return Study(
        name=f"stuehmer2020-{name}-{scale}",
        data={dataset: Data(dataset=stand_in(dataset, scale))},
        arms=tuple(Arm(method=method, settings=settings(size)) for method in methods),
        seeds=tuple(range(size.seeds)),
    )


def studied_on(place: Place, name: str, dataset: str, methods: Sequence[Method]) -> Studied:
    """A study in a folder of its own, worked off as far as the place allows."""
    study = study_of(name, dataset, methods, place.scale)
    declaration = {
        "name": study.name,
        "data": {key: data.dataset.declaration for key, data in study.data.items()},
        "methods": [to_named(method, METHODS) for method in methods],
        "seeds": list(study.seeds),
        "size": {"betas": list(SIZES[place.scale].betas), **SIZES[place.scale].length},
    }
    return worked_off(place, study, declaration)
