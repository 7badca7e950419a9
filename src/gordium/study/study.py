"""A study as a value: data sets x methods x strengths x seeds, and changes learned on the way."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from gordium.datasets import Dataset
from gordium.evaluation.representation import N_IMAGES
from gordium.fields import Declaration, declare_fields
from gordium.files import plain_name
from gordium.manipulation import ManipulationSettings, check_epsilon
from gordium.methods import Method
from gordium.networks import ARCHITECTURES
from gordium.notebook import facts
from gordium.optimisers import OPTIMISERS
from gordium.spec import DatasetSpec, RunSpec, Settings, declaration_hash, to_named
from gordium.spec.run import method_to_json
from gordium.study.tasks import Task, Wanted

ORIGINAL, MODIFIED, NOISE, SEARCH = "original", "modified", "noise", "search"
EQUAL_NOISE = "equal noise"  # noise with the energy of the change; an arm of the demo
VARIANTS = (ORIGINAL, MODIFIED, NOISE)
NOISE_SEED = 0
MIG, UDR = "mig", "udr"
MOST_RUNS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Arm:
    """A method and how it is trained; without `latent_dim`, one unit for each factor.

    `data` names the data sets that it is for; empty means all.
    """

    method: Method
    settings: Mapping[str, Any]
    data: tuple[str, ...] = ()

    def on(self, dataset: Dataset, seeds: Iterable[int]) -> list[RunSpec]:
        """Its runs on a data set, one for each seed."""
        first = RunSpec(DatasetSpec.of(dataset), self.method, self.settings_on(dataset))
        return [first.with_seed(seed) for seed in seeds]

    def settings_on(self, dataset: Dataset) -> Settings:
        """Its settings on a data set, whose factors decide the default number of units."""
        return Settings(**{"latent_dim": len(dataset.factors), **self.settings})

    @classmethod
    def of(cls, method: Method, settings: Settings) -> "Arm":
        """The arm of a method with these settings, but for their seed."""
        given = {f.name: getattr(settings, f.name) for f in fields(settings) if f.name != "seed"}
        return cls(method=method, settings=given)

    @property
    def declaration(self) -> Declaration:
        """The arm as JSON: its method and settings."""
        plain = dict(self.settings)
        families: dict[str, Mapping[str, type]]
        families = {"architecture": ARCHITECTURES, "optimiser": OPTIMISERS}
        for name, family in families.items():
            if name in plain:
                plain[name] = to_named(plain[name], family)
        only = {"data": list(self.data)} if self.data else {}
        return {"method": method_to_json(self.method), "settings": plain, **only}

    @property
    def strength(self) -> float | None:
        """The value of the method's primary hyperparameter."""
        return strength_of(self.method)


def strength_of(method: Method) -> float | None:
    """The value of a method's primary hyperparameter, if it has one."""
    return None if method.primary is None else float(getattr(method, method.primary))


@dataclass(frozen=True, kw_only=True)
class Search:
    """Which runs a change is learned from: the best and the worst of an arm's seeds.

    Of `restarts` changes, which differ in their seed, the one with the lowest L_ent - L_dis is
    taken; no fresh run affects the choice. Runs are ranked `by` MIG, or by UDR, which needs no
    labels.
    """

    arm: Arm
    seeds: tuple[int, ...]
    disentangled: int = 1
    entangled: int = 1
    learning: ManipulationSettings = field(default_factory=ManipulationSettings)
    restarts: int = 1
    by: str = MIG

    def __post_init__(self) -> None:
        needed = self.disentangled + self.entangled
        if min(self.disentangled, self.entangled) < 1 or len(set(self.seeds)) < needed:
            raise ValueError(
                f"{self.disentangled} disentangled and {self.entangled} entangled runs need at "
                f"least one each, and as many search seeds in all; got {self.seeds}."
            )
        if self.by not in (MIG, UDR):
            raise ValueError(f"runs are ranked by {MIG} or {UDR}; got {self.by!r}.")
        if self.restarts < 1:
            raise ValueError(f"at least one restart is needed; got {self.restarts}.")

    @property
    def declaration(self) -> Declaration:
        """The search as JSON."""
        counts = {"disentangled": self.disentangled, "entangled": self.entangled}
        learning = declare_fields(self.learning)
        return {
            **self.arm.declaration,
            "seeds": list(self.seeds),
            **counts,
            "learning": learning,
            "restarts": self.restarts,
            **({} if self.by == MIG else {"by": self.by}),
        }


@dataclass(frozen=True, kw_only=True)
class Data:
    """A data set, its variants, and the size `epsilon` of what is added to its images.

    It is trained with the first `seeds` of the study's seeds; None means all.
    """

    dataset: Dataset
    variants: tuple[str, ...] = (ORIGINAL,)
    epsilon: float | None = None
    search: Search | None = None
    seeds: int | None = None

    def __post_init__(self) -> None:
        if self.seeds is not None and self.seeds < 1:
            raise ValueError(f"a data set needs at least one seed; got {self.seeds}.")
        if len(set(self.variants)) < len(self.variants):
            raise ValueError(f"each variant may be named once; got {', '.join(self.variants)}.")
        for variant in self.variants:
            if variant not in VARIANTS:
                raise ValueError(f"variants are {', '.join(VARIANTS)}; got {variant!r}.")
        if {MODIFIED, NOISE} & set(self.variants):
            if self.epsilon is None:
                raise ValueError("modified and noisy images need an epsilon, the size of change.")
            check_epsilon(self.epsilon)
        if MODIFIED in self.variants and self.search is None:
            raise ValueError("modified images need a search: the runs to learn the change from.")

    @property
    def declaration(self) -> Declaration:
        """The data set as JSON, with its variants and its search."""
        return {
            "dataset": self.dataset.declaration,
            "variants": list(self.variants),
            "epsilon": self.epsilon,
            "seeds": self.seeds,
            "search": None if self.search is None else self.search.declaration,
        }


@dataclass(frozen=True, kw_only=True)
class Study:
    """All that the rows of a study follow from. Adding a seed or an arm renames no other run.

    `draw` names the pictures that each run leaves in its folder, and `images` is the number of
    images that it is scored on; neither changes the names of runs. A metric that fits a predictor
    tests it on the last third of the images.
    """

    name: str
    data: Mapping[str, Data]
    arms: tuple[Arm, ...]
    seeds: tuple[int, ...]
    metrics: tuple[str, ...] = ("mig",)
    draw: tuple[str, ...] = ()
    images: int = N_IMAGES

    def __repr__(self) -> str:
        return f"Study({self.name}: {self.n_runs} runs of {len(self.arms)} arms)"

    def _repr_html_(self) -> str:
        known = [
            ("data", ", ".join(self.data)),
            ("methods", ", ".join(dict.fromkeys(arm.method.name for arm in self.arms))),
            ("seeds", ", ".join(map(str, self.seeds))),
            ("metrics", ", ".join(self.metrics)),
            ("runs", self.n_runs),
        ]
        return facts(self.name, known)

    def __post_init__(self) -> None:
        self._check_size()
        self._check_data()

    def _check_size(self) -> None:
        parts = {"data set": self.data, "arm": self.arms, "seed": self.seeds}
        for what, given in {**parts, "metric": self.metrics}.items():
            if not given:
                raise ValueError(f"a study needs at least one {what}.")
        plain_name(self.name, "the name of a study")
        if self.images < 1:
            raise ValueError(f"a run must be scored on at least one image; got {self.images}.")
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError(f"each seed may be listed once; got {self.seeds}.")
        n_planned = self.n_runs + sum(search.restarts for search in self._searches.values())
        if n_planned > MOST_RUNS:
            raise ValueError(
                f"at most {MOST_RUNS:,} runs and changes can be planned; got {n_planned:,}."
            )

    def _check_data(self) -> None:
        for arm in self.arms:
            for name in arm.data:
                if name not in self.data:
                    raise ValueError(
                        f"a method is for the data set {name!r}, which the study does not have; "
                        f"it has {', '.join(self.data)}."
                    )
        for name, search in self._searches.items():
            if search.by == MIG and MIG not in self.metrics:
                raise ValueError(
                    f"metrics: the search of {name} ranks its runs by {MIG}; list it among the "
                    f'metrics, or let the search rank by = "{UDR}".'
                )
        for name, data in self.data.items():
            if data.search is not None and set(data.search.seeds) & set(self.seeds):
                raise ValueError(
                    f"{name}: fresh seeds must not be among those that the change is learned "
                    f"from; got {self.seeds} and {data.search.seeds}."
                )

    @property
    def title(self) -> str:
        """What a display calls the study."""
        return self.name

    @property
    def wanted(self) -> Wanted:
        """What is asked of each run."""
        return Wanted(metrics=self.metrics, images=self.images, draw=self.draw)

    def arms_on(self, name: str) -> Iterator[Arm]:
        """The arms that the data set `name` is trained with."""
        return (arm for arm in self.arms if not arm.data or name in arm.data)

    def runs_of(self, name: str, arm: Arm, dataset: Dataset, seeds: Iterable[int]) -> list[RunSpec]:
        """An arm's runs on a variant of the data set `name`; they are made once and kept."""
        spec = DatasetSpec.of(dataset)
        which = (name, declaration_hash(spec.declaration), id(arm))
        if which not in self._made:
            self._made[which] = arm.on(dataset, seeds)
        return self._made[which]

    @cached_property
    def _made(self) -> dict[tuple[str, str, int], list[RunSpec]]:
        return {}

    def seeds_on(self, name: str) -> tuple[int, ...]:
        """The seeds of the data set `name`."""
        return self.seeds[: self.data[name].seeds]

    @property
    def n_runs(self) -> int:
        """How many runs there are, those of the searches included."""
        fresh = sum(
            len(data.variants) * len(self.seeds_on(name)) * sum(1 for _ in self.arms_on(name))
            for name, data in self.data.items()
        )
        return fresh + sum(len(search.seeds) for search in self._searches.values())

    @property
    def _searches(self) -> dict[str, Search]:
        """The searches that are run, by data set: those whose modified images are wanted."""
        return {
            name: data.search
            for name, data in self.data.items()
            if data.search is not None and MODIFIED in data.variants
        }

    @property
    def declaration(self) -> Declaration:
        """What makes this study again, as JSON."""
        return {
            "name": self.name,
            "data": {name: data.declaration for name, data in self.data.items()},
            "arms": [arm.declaration for arm in self.arms],
            "seeds": list(self.seeds),
            "metrics": list(self.metrics),
            "draw": list(self.draw),
            **({} if self.images == N_IMAGES else {"images": self.images}),
        }


@dataclass(frozen=True, kw_only=True)
class TaskList:
    """A study of tasks that are listed one by one; displays show it under its `title`."""

    name: str
    title: str
    tasks: tuple[Task, ...]
    wanted: Wanted = field(default_factory=Wanted)

    @property
    def declaration(self) -> Declaration:
        """The name alone: lists of one name may share a folder."""
        return {"name": self.name}
