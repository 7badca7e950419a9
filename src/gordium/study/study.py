"""A study as a value: data sets x methods x strengths x seeds, and changes learned on the way."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from gordium.datasets import Dataset
from gordium.evaluation.representation import N_IMAGES
from gordium.fields import Declaration
from gordium.files import plain_name
from gordium.notebook import facts
from gordium.spec import DatasetSpec, RunSpec, declaration_hash
from gordium.study.arm import Arm
from gordium.study.data import Data
from gordium.study.search import MIG, UDR, Search
from gordium.study.tasks import Task, Wanted

MOST_RUNS = 1_000_000


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
        self._check_searches()

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
        n_planned = self.n_runs + sum(search.n_starts for search in self._searches.values())
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

    def _check_searches(self) -> None:
        for name, search in self._searches.items():
            if search.by == MIG and MIG not in self.metrics:
                raise ValueError(
                    f"metrics: the search of {name} ranks its runs by {MIG}; list it among the "
                    f'metrics, or let the search rank by = "{UDR}".'
                )
            if search.probe is not None and MIG not in self.metrics:
                raise ValueError(f"metrics: probes on {name} are judged by {MIG}; list it too.")
        for name, data in self.data.items():
            if data.chosen_by & set(self.seeds):
                raise ValueError(
                    f"{name}: fresh seeds must not be among those that the change is learned "
                    f"from or chosen by; got {self.seeds} and {tuple(sorted(data.chosen_by))}."
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
        drawn = tuple(seeds)
        which = (name, declaration_hash(spec.declaration), id(arm), drawn)
        if which not in self._made:
            self._made[which] = arm.on(dataset, drawn)
        return self._made[which]

    @cached_property
    def _made(self) -> dict[tuple[str, str, int, tuple[int, ...]], list[RunSpec]]:
        return {}

    def seeds_on(self, name: str) -> tuple[int, ...]:
        """The seeds of the data set `name`."""
        return self.seeds[: self.data[name].seeds]

    @property
    def n_runs(self) -> int:
        """How many runs there are at most, those of searches and probes included."""
        fresh = sum(
            len(data.variants) * len(self.seeds_on(name)) * sum(1 for _ in self.arms_on(name))
            for name, data in self.data.items()
        )
        before = chain.from_iterable(data.list_rehearsals() for data in self.data.values())
        return fresh + sum(rehearsal.n_runs for rehearsal in before)

    @property
    def _searches(self) -> dict[str, Search]:
        """The searches that are run, by data set: those whose modified images are wanted."""
        found = {name: data.learned for name, data in self.data.items()}
        return {name: search for name, search in found.items() if search is not None}

    def shift_seeds(self, by: int) -> "Study":
        """The same study with all its seeds moved: a repetition, if no two seeds meet."""
        data = {name: data.shift_seeds(by) for name, data in self.data.items()}
        return replace(self, data=data, seeds=tuple(seed + by for seed in self.seeds))

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
