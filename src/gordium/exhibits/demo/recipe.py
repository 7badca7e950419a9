"""What one repetition of the demo consists of, and where its seeds come from."""

from dataclasses import dataclass, field, replace

from gordium.datasets import Dataset, load_dataset
from gordium.manipulation import Limits, ManipulationSettings
from gordium.methods import BetaVAE, Method
from gordium.networks import Convolutional
from gordium.training import Adam, Settings

SEARCH, CHANGE, PROBE, FRESH, NOISE, OTHER_SEEDS, RETUNED, LONGER = range(8)
_PHASE, _REPETITION = 1_000, 10_000


def seeds(repetition: int, phase: int, n: int) -> tuple[int, ...]:
    """The first `n` seeds of a phase; no two repetitions and no two phases share one."""
    if repetition < 0:
        raise ValueError(f"a repetition is a number from 0 on; got {repetition}.")
    first = _REPETITION * (repetition + 1) + _PHASE * phase
    return tuple(range(first, first + n))


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How the change is found and what it is compared with.

    `search` has a low learning rate, because both kinds of minima are then frequent and equally
    good; it adds `search_round` runs until there are `each_kind` of both, up to `most_runs`. One
    change is learned for each of `waves`, the size of its start; None starts at random. Every
    candidate, of the change and of each control, is judged by `probes` runs of `probe`; the most
    harmful one is used.
    """

    dataset: Dataset
    method: Method
    search: Settings
    probe: Settings
    fresh: Settings
    learning: ManipulationSettings
    epsilon: float = 0.175
    limits: Limits = field(default_factory=Limits)
    each_kind: int = 2
    search_round: int = 4
    most_runs: int = 40
    waves: tuple[float | None, ...] = (1.0, 1.0, 0.6, 0.6)
    probes: int = 2
    n_fresh: int = 5


def cube_on_any_floor(size: int = 32) -> Dataset:
    """The floor's hue and the orientation are free: 150 images."""
    held = {"wall_hue": 5, "object_hue": 0, "scale": 4, "shape": 0}
    return load_dataset("shapes3d", size=size).hold(**held)


def recipe() -> Recipe:
    """The recipe that was chosen with repetitions 100 to 199, and with no others."""
    fresh = Settings(
        latent_dim=2,
        steps=2000,
        architecture=Convolutional(width=0.5),
        optimiser=Adam(learning_rate=1e-3),
    )
    return Recipe(
        dataset=cube_on_any_floor(),
        method=BetaVAE(beta=8.0),
        search=replace(fresh, steps=1000, optimiser=Adam(learning_rate=4e-4)),
        probe=replace(fresh, steps=1500),
        fresh=fresh,
        learning=ManipulationSettings(
            steps=200, optimiser=Adam(learning_rate=3e-3, eps=1e-7), settled=True
        ),
    )
