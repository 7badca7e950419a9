"""Studies of Stühmer et al. 2020 on cars and faces; rendered sets of ours may stand in for both."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gordium.datasets import Dataset, load_dataset
from gordium.exhibits.base import EARLIER, Place
from gordium.exhibits.runs import pick_seeds
from gordium.exhibits.studies import Studied, complete_study, describe
from gordium.exhibits.stuehmer2020.estimates import MIG, MIGS
from gordium.methods import BetaVAE, Method
from gordium.networks import Architecture, Convolutional, Mlp
from gordium.study.arm import Arm
from gordium.study.data import Data
from gordium.study.study import Study
from gordium.training import Adam

CARS, FACES = "cars3d-like", "faces3d-like"
ONE_HEAD, ONE_CAR = {"identity": 0}, {"car": 0}
UNITS, SUBSPACE = 10, 4  # ten units in subspaces of at most four: three of them


class Size(NamedTuple):
    """How much is trained; the paper has 15 or 50 runs on faces, and 35 on cars.

    `learned` are the betas of the ISA-VAE with learned exponents on faces, Figure 5 (c).
    """

    pixels: int
    betas: tuple[float, ...]
    learned: tuple[float, ...]
    seeds: Mapping[str, Sequence[int]]
    length: dict[str, int]
    architecture: Architecture
    likelihood: str = "bernoulli"
    initial: str = "glorot"


SMALL = Convolutional(width=0.25)
PUBLISHED, LEARNED = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0), (0.5, 1.0, 2.0, 3.0, 4.0, 5.0)
OF = ("faces", "faces-learned", "cars")
SIZES = {
    "smoke": Size(
        16,
        (1.0, 4.0),
        (1.0,),
        dict(zip(OF, map(range, (1, 2, 1)), strict=True)),
        {"steps": 10},
        Mlp((16,), (16,)),
    ),
    # Each of 32 x 32 pixels counts as four, so that betas are the published ones.
    "laptop": Size(
        32,
        (1.0, 2.0, 4.0),
        (0.5, 1.0),
        dict.fromkeys(OF, pick_seeds(10)),
        {"steps": 5000},
        SMALL,
        "bernoulli-x4",
    ),
    # What was run before strengths followed the image size.
    "unscaled": Size(32, (1.0, 4.0), (), dict.fromkeys(OF, range(3)), {"steps": 2000}, SMALL),
    "paper": Size(
        64,
        PUBLISHED,
        LEARNED,
        dict(zip(OF, map(range, (50, 15, 35)), strict=True)),
        {"epochs": 1500, "batch_size": 2048},
        Mlp(),
        initial="torch",
    ),
}
REAL = {CARS: "cars3d", FACES: "faces3d"}
TITLES = {CARS: ("cars", "Cars3D"), FACES: ("heads", "3D Faces")}


def stand_in(name: str, scale: str) -> Dataset:
    """Load the data set at a scale; at `smoke` a small room, since rendering all takes minutes.

    Below paper scale there is one head and one car, because short training on many learns next to
    nothing. At paper scale the identity of the head is a nuisance factor, as published.
    """
    if scale == "smoke":
        room = load_dataset("shapes3d", size=SIZES[scale].pixels)
        return room.hold(wall_hue=5, object_hue=0, scale=4, shape=0)
    if scale != "paper":
        dataset = load_dataset(name, size=SIZES[scale].pixels)
        if name == CARS and scale == "unscaled":
            return dataset
        return dataset.hold(**(ONE_HEAD if name == FACES else ONE_CAR))
    dataset = _open_published(name)
    return dataset.marginalise("identity") if name == FACES else dataset


def _open_published(name: str) -> Dataset:
    """Load the published images if their files are on this machine, else our rendered ones."""
    try:
        return load_dataset(REAL[name])
    except FileNotFoundError:
        return load_dataset(name, size=SIZES["paper"].pixels)


def declare_baseline(beta: float, scale: str) -> BetaVAE:
    """The beta-VAE with a sampled KL, as the ISA-VAE has; in closed form at scale `unscaled`."""
    return BetaVAE(beta=beta, sampled_kl=scale != EARLIER)


def settings(size: Size) -> Mapping[str, Any]:
    """The settings of training; the paper has Adam at 1e-3, batches of 2048 and 1500 epochs."""
    return {
        "batch_size": 64,
        **size.length,
        "latent_dim": UNITS,
        "architecture": size.architecture,
        "likelihood": size.likelihood,
        "initial": size.initial,
        "optimiser": Adam(learning_rate=1e-3),
    }


def study_of(name: str, dataset: str, methods: Sequence[Method], scale: str) -> Study:
    """Declare the study of some methods on a stand-in, or on the published images, at a scale.

    Rows name the images that were opened.
    """
    size, opened = SIZES[scale], stand_in(dataset, scale)
    return Study(
        name=f"stuehmer2020-{name}-{scale}",
        data={opened.name: Data(dataset=opened)},
        arms=tuple(Arm(method=method, settings=settings(size)) for method in methods),
        seeds=tuple(size.seeds[name]),
        metrics=(MIG,) if scale == EARLIER else MIGS,
    )


def say_images(wanted: str, study: Study) -> str:
    """Which images a study of cars or faces has: the published ones, drawn ones, or a room."""
    things, title = TITLES[wanted]
    [(name, data)] = study.data.items()
    known = describe(name, data.dataset)
    if name == REAL[wanted]:
        return f"The images are those of {title}: {known}."
    drawn = f"Drawn {things} stand" if name == wanted else "A small room stands"
    return f"{drawn} in for {title}: {known}."


def complete_on(place: Place, name: str, dataset: str, methods: Sequence[Method]) -> Studied:
    """Complete the study of some methods on a stand-in, as far as the place allows."""
    return complete_study(place, study_of(name, dataset, methods, place.scale))
