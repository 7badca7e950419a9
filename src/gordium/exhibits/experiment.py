"""Zietlow et al. 2021 from end to end: is the success the model's, or the data set's?

Train a method over several seeds, learn a manipulation from its best and worst runs, and train
fresh seeds on the original, the modified and the noisy data (Table 1).
"""

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from gordium.datasets import Dataset, Modified, Noisy
from gordium.exhibits.base import Place
from gordium.exhibits.runs import declarations, raise_failures, trained
from gordium.exhibits.runs import run_folder as kept_at
from gordium.files import read_json, write_bytes
from gordium.manipulation import (
    Chosen,
    Manipulation,
    ManipulationSettings,
    check_epsilon,
    choose,
    declare_manipulation,
    load_manipulation,
)
from gordium.methods import Method
from gordium.report import Row
from gordium.study import Job, execute
from gordium.study.study import NOISE_SEED, VARIANTS
from gordium.study.work import SCORES, candidate, learn_change
from gordium.training import Report, Settings
from gordium.training.folder import declaration_hash


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """All that the table follows from. `settings.seed` is replaced by each seed in turn.

    The search for both kinds of minima may have a method and settings of its own, `search`:
    where the fresh runs disentangle reliably, entangled ones to learn from are rare.
    Of `restarts` manipulations, which differ in their seed, the one with the lowest
    L_ent - L_dis is taken; no fresh run has a say in it.
    """

    dataset: Dataset
    method: Method
    settings: Settings
    search_seeds: tuple[int, ...]
    fresh_seeds: tuple[int, ...]
    disentangled: int
    entangled: int
    epsilon: float
    manipulation: ManipulationSettings = field(default_factory=ManipulationSettings)
    restarts: int = 1
    search: tuple[Method, Settings] | None = None

    def __post_init__(self) -> None:
        """Hours of training come before the first use of some of these: check them now."""
        if set(self.search_seeds) & set(self.fresh_seeds):
            raise ValueError(
                "fresh seeds must not be among the seeds that the manipulation was learned from; "
                f"got {self.search_seeds} and {self.fresh_seeds}."
            )
        needed = self.disentangled + self.entangled
        if min(self.disentangled, self.entangled) < 1 or len(set(self.search_seeds)) < needed:
            raise ValueError(
                f"{self.disentangled} disentangled and {self.entangled} entangled runs need at "
                f"least one each, and as many search seeds in all; got {self.search_seeds}."
            )
        if not self.fresh_seeds or self.restarts < 1:
            raise ValueError("at least one fresh seed and one restart are needed.")
        if self.settings.latent_dim < 2:
            raise ValueError("MIG compares two latent units; latent_dim must be at least 2.")
        check_epsilon(self.epsilon)

    def search_runs(self) -> list[dict[str, Any]]:
        """The declarations of the runs that the manipulation is learned from."""
        method, settings = self.search or (self.method, self.settings)
        return declarations(method, self.dataset, settings, self.search_seeds)

    def fresh_runs(self, variant: Dataset) -> list[dict[str, Any]]:
        """The declarations of the runs on a variant of the data set."""
        return declarations(self.method, variant, self.settings, self.fresh_seeds)

    @property
    def declaration(self) -> dict[str, Any]:
        """What makes this experiment again, as JSON."""
        return {
            "search": self.search_runs(),
            "fresh": self.fresh_runs(self.dataset),
            "disentangled": self.disentangled,
            "entangled": self.entangled,
            "epsilon": self.epsilon,
            "manipulation": dataclasses.asdict(self.manipulation),
            "restarts": self.restarts,
        }


@dataclass(frozen=True)
class Results:
    """Where everything lies, and the rows of the table."""

    experiment: Experiment
    folder: Path
    manipulation: Manipulation
    chosen: Chosen
    rows: list[Row]


def run_experiment(experiment: Experiment, folder: Path, *, workers: int = 2) -> Results:
    """All three steps, each going on from what the folder holds."""
    search = experiment.search_runs()
    _train(search, folder, workers, "searching for both kinds of minima")
    chosen = choose(
        [candidate(run_folder(folder, run)) for run in search],
        disentangled=experiment.disentangled,
        entangled=experiment.entangled,
    )
    manipulation = _manipulate(experiment, chosen, folder, workers)
    variants = dataset_variants(experiment, manipulation)
    fresh = {name: experiment.fresh_runs(variants[name]) for name in VARIANTS}
    # Seeds outside, variants inside: an unfinished experiment has some of each.
    order = [run for runs in zip(*fresh.values(), strict=True) for run in runs]
    _train(order, folder, workers, "training fresh seeds on each variant")
    rows = [
        row
        for name, runs in fresh.items()
        for run in runs
        for row in _rows(name, read_json(run_folder(folder, run) / SCORES))
    ]
    return Results(experiment, folder, manipulation, chosen, rows)


def dataset_variants(experiment: Experiment, manipulation: Manipulation) -> dict[str, Dataset]:
    """The three data sets of the table, by name."""
    original = experiment.dataset
    return {
        "original": original,
        "modified": Modified(original, manipulation),
        "noise": Noisy(original, experiment.epsilon, seed=NOISE_SEED),
    }


def run_folder(folder: Path, declaration: dict[str, Any]) -> Path:
    return kept_at(folder / "runs", declaration)


def _train(declared: list[dict[str, Any]], folder: Path, workers: int, title: str) -> None:
    trained(Place("", folder / "runs", workers), declared, title=title)


def _manipulate(experiment: Experiment, chosen: Chosen, folder: Path, workers: int) -> Manipulation:
    dataset, epsilon = experiment.dataset, experiment.epsilon
    folders = [[str(run.folder) for run in runs] for runs in chosen]
    jobs, places = [], []
    for k in range(experiment.restarts):
        seed = experiment.manipulation.seed + k
        settings = dataclasses.replace(experiment.manipulation, seed=seed)
        declaration = declare_manipulation(dataset, *chosen, epsilon, settings)
        places.append(folder / "manipulations" / declaration_hash(declaration))
        arguments = (
            dataset.declaration,
            folders,
            epsilon,
            dataclasses.asdict(settings),
            str(places[-1]),
        )
        jobs.append(Job(f"manipulation, seed {seed}", _manipulate_job, arguments))
    raise_failures(execute(jobs, workers=workers, title="learning the manipulation"))
    best = min(places, key=lambda place: settled_loss(load_manipulation(place)))
    for file in best.iterdir():
        write_bytes(folder / "manipulation" / file.name, file.read_bytes())
    return load_manipulation(folder / "manipulation")


def settled_loss(manipulation: Manipulation) -> float:
    """L_ent - L_dis averaged over the last fifth of the steps."""
    history = manipulation.history
    return fmean(row["loss"] for row in history[-max(1, len(history) // 5) :])


def _manipulate_job(
    dataset: dict[str, Any],
    folders: list[list[str]],
    epsilon: float,
    settings: dict[str, Any],
    place: str,
    *,
    report: Report | None = None,
) -> dict[str, float]:
    found = learn_change(dataset, folders, epsilon, settings, place, report=report)
    return {"L_ent - L_dis": settled_loss(found)}


def _rows(variant: str, scores: dict[str, Any]) -> list[Row]:
    declaration = scores["declaration"]
    values = {**scores["scores"], "active_units": scores["active_units"]}
    return [
        Row(
            variant=variant,
            seed=declaration["settings"]["seed"],
            metric=metric,
            value=value,
            dataset=_base_name(declaration["dataset"]),
            method=declaration["method"]["name"],
            run=scores["run"],
            n_images=scores["n_images"],
            version=scores["versions"]["gordium"],
        )
        for metric, value in values.items()
        if value is not None
    ]


def _base_name(dataset: dict[str, Any]) -> str:
    """The name of the data set under all its variants."""
    return _base_name(dataset["base"]) if "base" in dataset else dataset["name"]
