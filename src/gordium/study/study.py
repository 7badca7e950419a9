"""A study as a value: data sets x methods x strengths x seeds, and changes learned on the way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from gordium.datasets import Dataset
from gordium.manipulation import ManipulationSettings, check_epsilon
from gordium.methods import Method
from gordium.training import Settings
from gordium.training.runs import declare

ORIGINAL, MODIFIED, NOISE, SEARCH = "original", "modified", "noise", "search"
VARIANTS = (ORIGINAL, MODIFIED, NOISE)
NOISE_SEED = 0


@dataclass(frozen=True, kw_only=True)
class Arm:
    """A method and how it is trained; without `latent_dim`, one unit for each factor.

    `data` names the data sets that it is for: all, unless given.
    """

    method: Method
    settings: Mapping[str, Any]
    data: tuple[str, ...] = ()

    def on(self, dataset: Dataset, seed: int) -> dict[str, Any]:
        """The declaration of its run on a data set."""
        size = {"latent_dim": len(dataset.factors)}
        settings = Settings(**{**size, **self.settings, "seed": seed})
        return declare(self.method, dataset, settings)

    @property
    def strength(self) -> float | None:
        """The value of the method's primary hyperparameter."""
        name = self.method.primary
        return None if name is None else float(getattr(self.method, name))


@dataclass(frozen=True, kw_only=True)
class Search:
    """Which runs a change is learned from: the best and the worst of an arm's seeds."""

    arm: Arm
    seeds: tuple[int, ...]
    disentangled: int = 1
    entangled: int = 1
    learning: ManipulationSettings = field(default_factory=ManipulationSettings)

    def __post_init__(self) -> None:
        needed = self.disentangled + self.entangled
        if min(self.disentangled, self.entangled) < 1 or len(set(self.seeds)) < needed:
            raise ValueError(
                f"{self.disentangled} disentangled and {self.entangled} entangled runs need at "
                f"least one each, and as many search seeds in all; got {self.seeds}."
            )


@dataclass(frozen=True, kw_only=True)
class Data:
    """A data set, its variants, and the size of what is added to its images.

    At most `seeds` of the study's are for it: all, unless given.
    """

    dataset: Dataset
    variants: tuple[str, ...] = (ORIGINAL,)
    epsilon: float | None = None
    search: Search | None = None
    seeds: int | None = None

    def __post_init__(self) -> None:
        if self.seeds is not None and self.seeds < 1:
            raise ValueError(f"a data set needs at least one seed; got {self.seeds}.")
        for variant in self.variants:
            if variant not in VARIANTS:
                raise ValueError(f"variants are {', '.join(VARIANTS)}; got {variant!r}.")
        if {MODIFIED, NOISE} & set(self.variants):
            if self.epsilon is None:
                raise ValueError("modified and noisy images need an epsilon, the size of change.")
            check_epsilon(self.epsilon)
        if MODIFIED in self.variants and self.search is None:
            raise ValueError("modified images need a search: the runs to learn the change from.")


@dataclass(frozen=True, kw_only=True)
class Study:
    """All that its rows follow from. Adding a seed or an arm changes no other run's name.

    `draw` names the pictures that each run leaves in its folder; they are no part of its name.
    """

    name: str
    data: Mapping[str, Data]
    arms: tuple[Arm, ...]
    seeds: tuple[int, ...]
    metrics: tuple[str, ...] = ("mig",)
    draw: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what in ("data", "arms", "seeds", "metrics"):
            if not getattr(self, what):
                raise ValueError(f"a study needs at least one of its {what}.")
        for arm in self.arms:
            for name in arm.data:
                if name not in self.data:
                    raise ValueError(
                        f"a method is for the data set {name!r}, which the study has not; "
                        f"it has {', '.join(self.data)}."
                    )
        for name, data in self.data.items():
            if data.search is not None and set(data.search.seeds) & set(self.seeds):
                raise ValueError(
                    f"{name}: fresh seeds must not be among those that the change is learned "
                    f"from; got {self.seeds} and {data.search.seeds}."
                )

    def arms_on(self, name: str) -> Iterator[Arm]:
        return (arm for arm in self.arms if not arm.data or name in arm.data)

    def seeds_on(self, name: str) -> tuple[int, ...]:
        return self.seeds[: self.data[name].seeds]

    @property
    def n_runs(self) -> int:
        """How many runs there are, those of the searches included."""
        fresh = sum(
            len(data.variants) * len(self.seeds_on(name)) * sum(1 for _ in self.arms_on(name))
            for name, data in self.data.items()
        )
        return fresh + sum(
            len(data.search.seeds)
            for data in self.data.values()
            if data.search is not None and MODIFIED in data.variants
        )


def known_settings() -> set[str]:
    return {f.name for f in fields(Settings)}
