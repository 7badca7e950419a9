"""The steps of a run: train, encode, score; each leaves its file and is not done twice."""

import io
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gordium.closing import closing_numbers
from gordium.datasets import Dataset, declared, in_memory
from gordium.evaluation.representation import N_IMAGES, Representation, encode, over_pruned
from gordium.evaluation.scoring import scored
from gordium.files import read_json, write_bytes, write_json
from gordium.geometry.activity import active_units
from gordium.manipulation import (
    Manipulation,
    ManipulationSettings,
    declared_manipulation,
    manipulate,
)
from gordium.metrics import check_names
from gordium.spec import DatasetSpec, RunSpec
from gordium.study.display import OVER_PRUNED
from gordium.track import Tracked
from gordium.training import Report, Run, SleepingUnits, load_run, train
from gordium.training.machine import PYTORCH

SCORES, REPRESENTATION = "scores.json", "representation.npz"


def train_and_score(
    spec: RunSpec,
    folder: str,
    metrics: tuple[str, ...] = ("mig",),
    *,
    n: int | None = N_IMAGES,
    report: Report | None = None,
    track: str | None = None,
) -> dict[str, Any]:
    """One declared run from start to scores, going on from whatever its folder holds.

    `n` images are encoded, and scored. `track` names a tracker that hears of it.
    """
    place = Path(folder)
    if is_scored(place, metrics):
        return headline(read_json(place / SCORES))
    dataset = in_memory(spec.dataset.load(declared_manipulation))
    config = {"hash": spec.key, "declaration": spec.to_json()}
    with Tracked(track, place, config) as tracked, warnings.catch_warnings():
        warnings.simplefilter("ignore", SleepingUnits)  # a study counts what is over-pruned
        train(
            spec.method,
            dataset,
            folder=place,
            report=report,
            log=tracked.log,
            settings=spec.settings,
        )
        run = load_run(place, device="auto")
        found = headline(evaluate_run(run, dataset, metrics=metrics, n=n))
        tracked.end(found)
    return found


def is_scored(folder: Path, metrics: tuple[str, ...] = ()) -> bool:
    """Whether the run in `folder` is trained, encoded and scored by all `metrics`."""
    if not (folder / SCORES).exists() or not (folder / REPRESENTATION).exists():
        return False
    return set(metrics) <= set(read_json(folder / SCORES).get("estimators", ()))


def declared_dataset(declaration: dict[str, Any]) -> Dataset:
    """The data set of a declaration, with its manipulation if it has one."""
    return declared(declaration, load_change=declared_manipulation)


def evaluate_run(
    run: Run,
    dataset: Dataset,
    *,
    metrics: tuple[str, ...] = ("mig",),
    n: int | None = N_IMAGES,
    seed: int = 0,
    out: Path | None = None,
) -> dict[str, Any]:
    """Encode once, score, and write both into the run's folder, the scores to `out` if given.

    The metric "all" stands for every one that the representation allows.
    """
    check_names(metrics)
    representation = encode(run.model, dataset, n=n, seed=seed)
    arrays = representation._asdict()
    kinds = arrays.pop("kinds")
    document = scored(arrays, metrics, seed, kinds)
    document["versions"]["kernels"] = run.config.get("machine", {}).get("kernels", PYTORCH)
    document |= {
        **_pruning(run, representation),
        "n_images": len(representation.codes),
        "sampling": _sampling(len(representation.codes), len(dataset), seed),
        "run": run.spec.key,
        "declaration": run.spec.to_json(),
    }
    if run.folder is not None:
        write_bytes(run.folder / REPRESENTATION, _npz(representation))
    place = run.folder / SCORES if out is None and run.folder is not None else out
    if place is not None:
        write_json(place, document)
    return document


@dataclass(frozen=True)
class ChangeTask:
    """A change to learn: of which images, how large, from the runs in which folders, and how."""

    dataset: DatasetSpec
    epsilon: float
    disentangled: tuple[str, ...]
    entangled: tuple[str, ...]
    settings: ManipulationSettings


def learn_change(task: ChangeTask, place: str, *, report: Report | None = None) -> Manipulation:
    """Learn the change in the folder `place`, or go on there."""
    return manipulate(
        in_memory(task.dataset.load(declared_manipulation)),
        disentangled=[load_run(folder) for folder in task.disentangled],
        entangled=[load_run(folder) for folder in task.entangled],
        epsilon=task.epsilon,
        folder=place,
        settings=task.settings,
        report=report,
    )


def scores_document(folder: Path) -> dict[str, Any]:
    """What a study keeps of a finished run: enough for its rows without the run's folder."""
    document = read_json(folder / SCORES)
    declaration = document["declaration"]
    return {
        "scores": document["scores"],
        "active_units": document["active_units"],
        "over_pruned": document["over_pruned"],
        "n_images": document["n_images"],
        "steps": declaration["settings"]["steps"],
        "hyperparameters": declaration["method"],
        "versions": document["versions"],
        "closing": closing_numbers(folder, stochastic=document["active_units"] is not None),
    }


def headline(document: dict[str, Any]) -> dict[str, Any]:
    """The few numbers of a scores file that a person wants to see at once."""
    pruning = {"active units": document["active_units"], OVER_PRUNED: document["over_pruned"]}
    return {**document["scores"], **pruning}


def load_representation(folder: Path) -> Representation:
    """The representation that was kept in a run's folder."""
    with np.load(folder / REPRESENTATION, allow_pickle=False) as arrays:
        found = Representation(*(arrays[name] for name in ("codes", "log_variances", "factors")))
        kinds = tuple(map(str, arrays["kinds"])) if "kinds" in arrays else None
        return found._replace(kinds=kinds)


def _sampling(n: int, n_images: int, seed: int) -> str:
    drawn = "every image once" if n == n_images else f"{n} of {n_images} images, each once"
    return f"{drawn}, shuffled, seed {seed}"


def _pruning(run: Run, representation: Representation) -> dict[str, Any]:
    """Active units mean something only where the posterior's variance was trained."""
    method = run.spec.method
    if not method.stochastic:
        return {"active_units": None, "over_pruned": None}
    active = active_units(representation.known_log_variances())
    return {"active_units": int(active.sum()), "over_pruned": over_pruned(representation)}


def _npz(representation: Representation) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **representation._asdict())
    return buffer.getvalue()
