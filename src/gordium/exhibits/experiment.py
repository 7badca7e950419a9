"""Zietlow et al. 2021 from end to end: is the success the model's, or the data set's?

Train a method over several seeds, learn a manipulation from its best and worst runs, and train
fresh seeds on the original, the modified and the noisy data (Table 1).
"""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gordium.datasets import Dataset, Modified, Noisy, in_memory
from gordium.files import read_json
from gordium.manipulation import (
    Candidate,
    Chosen,
    Manipulation,
    ManipulationSettings,
    choose,
    load_manipulation,
    manipulate,
)
from gordium.methods import Method
from gordium.report import Row
from gordium.study import Job, Outcome, declared_dataset, execute, train_and_score
from gordium.study.work import SCORES
from gordium.training import Report, Settings, load_run
from gordium.training.folder import declaration_hash
from gordium.training.runs import declare

VARIANTS = ("original", "modified", "noise")
NOISE_SEED = 0


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """All that the table follows from. `settings.seed` is replaced by each seed in turn."""

    dataset: Dataset
    method: Method
    settings: Settings
    search_seeds: tuple[int, ...]
    fresh_seeds: tuple[int, ...]
    pairs: int
    epsilon: float
    manipulation: ManipulationSettings = field(default_factory=ManipulationSettings)

    def __post_init__(self) -> None:
        if set(self.search_seeds) & set(self.fresh_seeds):
            raise ValueError(
                "fresh seeds must not be among the seeds that the manipulation was learned from; "
                f"got {self.search_seeds} and {self.fresh_seeds}."
            )

    def runs(self, dataset: Dataset, seeds: Iterable[int]) -> list[dict[str, Any]]:
        """The declarations of this method on a variant of the data set."""
        return [
            declare(self.method, dataset, dataclasses.replace(self.settings, seed=seed))
            for seed in seeds
        ]

    @property
    def declaration(self) -> dict[str, Any]:
        """What makes this experiment again, as JSON."""
        return {
            "runs": self.runs(self.dataset, (0,))[0],
            "search_seeds": list(self.search_seeds),
            "fresh_seeds": list(self.fresh_seeds),
            "pairs": self.pairs,
            "epsilon": self.epsilon,
            "manipulation": dataclasses.asdict(self.manipulation),
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
    original = experiment.dataset
    search = experiment.runs(original, experiment.search_seeds)
    _train(search, folder, workers, "searching for both kinds of minima")
    chosen = choose([_candidate(run_folder(folder, run)) for run in search], pairs=experiment.pairs)
    manipulation = _manipulate(experiment, chosen, folder, workers)
    variants = dataset_variants(experiment, manipulation)
    fresh = {name: experiment.runs(variants[name], experiment.fresh_seeds) for name in VARIANTS}
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
    return folder / "runs" / declaration_hash(declaration)


def _train(runs: list[dict[str, Any]], folder: Path, workers: int, title: str) -> None:
    jobs = [Job(_label(run), train_and_score, (run, str(run_folder(folder, run)))) for run in runs]
    unfinished = [job for job in jobs if not (Path(job.arguments[1]) / SCORES).exists()]
    _raise_failures(execute(unfinished, workers=workers, title=title))


def _manipulate(experiment: Experiment, chosen: Chosen, folder: Path, workers: int) -> Manipulation:
    place = folder / "manipulation"
    folders = [[str(run.folder) for run in runs] for runs in chosen]
    arguments = (
        experiment.dataset.declaration,
        folders,
        experiment.epsilon,
        dataclasses.asdict(experiment.manipulation),
        str(place),
    )
    job = Job("manipulation", _manipulate_job, arguments)
    _raise_failures(execute([job], workers=1, threads=workers, title="learning the manipulation"))
    return load_manipulation(place)


def _manipulate_job(
    dataset: dict[str, Any],
    folders: list[list[str]],
    epsilon: float,
    settings: dict[str, Any],
    place: str,
    *,
    report: Report | None = None,
) -> dict[str, float]:
    disentangled, entangled = ([load_run(folder) for folder in kind] for kind in folders)
    found = manipulate(
        in_memory(declared_dataset(dataset)),
        disentangled=disentangled,
        entangled=entangled,
        epsilon=epsilon,
        folder=place,
        settings=ManipulationSettings.of(settings),
        report=report,
    )
    return {"L_ent - L_dis": found.history[-1]["loss"]}


def _candidate(folder: Path) -> Candidate:
    scores = read_json(folder / SCORES)
    return Candidate(load_run(folder), scores["scores"]["mig"], bool(scores["over_pruned"]))


def _rows(variant: str, scores: dict[str, Any]) -> list[Row]:
    declaration = scores["declaration"]
    values = {**scores["scores"], "active_units": scores["active_units"]}
    return [
        Row(
            variant=variant,
            seed=declaration["settings"]["seed"],
            metric=metric,
            value=value,
            method=declaration["method"]["name"],
            run=scores["run"],
            n_images=scores["n_images"],
            version=scores["versions"]["gordium"],
        )
        for metric, value in values.items()
    ]


def _label(run: dict[str, Any]) -> str:
    dataset = run["dataset"]
    variant = dataset.get("variant") if dataset.get("variant") in ("noisy", "modified") else None
    return f"{variant or 'original'}, seed {run['settings']['seed']}"


def _raise_failures(outcomes: list[Outcome]) -> None:
    failed = [outcome for outcome in outcomes if outcome.error is not None]
    if failed:
        raise RuntimeError(
            f"{len(failed)} of {len(outcomes)} jobs failed; the others are kept, and starting "
            f"again goes on from there. First: {failed[0].job.label}: {failed[0].error}"
        )
