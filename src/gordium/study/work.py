"""The steps of a run: train, encode, score; each leaves its file and is not done twice."""

import io
from pathlib import Path
from typing import Any

import numpy as np

from gordium.datasets import Dataset, declared, in_memory
from gordium.files import read_json, write_bytes, write_json
from gordium.manipulation import (
    Candidate,
    Manipulation,
    ManipulationSettings,
    declared_manipulation,
    manipulate,
)
from gordium.methods import METHODS
from gordium.representation import Representation, active_units, encode, over_pruned
from gordium.study.display import OVER_PRUNED
from gordium.study.scoring import check_names, scored
from gordium.track import Tracked
from gordium.training import Report, Run, load_run, train
from gordium.training.folder import declaration_hash
from gordium.training.named import from_named
from gordium.training.settings import declared_settings

SCORES, REPRESENTATION = "scores.json", "representation.npz"
_MOST_IMAGES = 10_000


def train_and_score(
    declaration: dict[str, Any],
    folder: str,
    metrics: tuple[str, ...] = ("mig",),
    *,
    report: Report | None = None,
    track: str | None = None,
) -> dict[str, Any]:
    """One declared run from start to scores, going on from whatever its folder holds.

    `track` names a tracker that hears of it.
    """
    place = Path(folder)
    if is_scored(place, metrics):
        return headline(read_json(place / SCORES))
    dataset = in_memory(declared_dataset(declaration["dataset"]))
    config = {"hash": declaration_hash(declaration), "declaration": declaration}
    with Tracked(track, place, config) as tracked:
        train(
            from_named("method", declaration["method"], METHODS),
            dataset,
            folder=place,
            report=report,
            log=tracked.log,
            settings=declared_settings(declaration),
        )
        found = headline(evaluate(load_run(place), dataset, metrics=metrics))
        tracked.end(found)
    return found


def is_scored(folder: Path, metrics: tuple[str, ...] = ()) -> bool:
    """Whether the run in `folder` is trained, encoded and scored by all `metrics`."""
    if not (folder / SCORES).exists() or not (folder / REPRESENTATION).exists():
        return False
    return set(metrics) <= set(read_json(folder / SCORES)["estimators"])


def declared_dataset(declaration: dict[str, Any]) -> Dataset:
    """The data set of a declaration, with its manipulation if it has one."""
    return declared(declaration, load_change=declared_manipulation)


def evaluate(
    run: Run,
    dataset: Dataset,
    *,
    metrics: tuple[str, ...] = ("mig",),
    n: int | None = None,
    seed: int = 0,
    out: Path | None = None,
) -> dict[str, Any]:
    """Encode once, score, and write both into the run's folder, the scores to `out` if given.

    Without `n`, all images are encoded if there are at most 10,000, else that many draws. The
    metric "all" stands for every one that the representation allows.
    """
    check_names(metrics)
    if n is None and len(dataset) > _MOST_IMAGES:
        n = _MOST_IMAGES
    representation = encode(run.model, dataset, n=n, seed=seed)
    if n is None:
        representation = _shuffled(representation, seed)
    document = {
        **scored(representation._asdict(), metrics, seed),
        **_pruning(run, representation),
        "n_images": len(representation.codes),
        "sampling": f"{'uniform draws' if n else 'every image once, shuffled'}, seed {seed}",
        "run": declaration_hash(run.config["declaration"]),
        "declaration": run.config["declaration"],
    }
    if run.folder is not None:
        write_bytes(run.folder / REPRESENTATION, _npz(representation))
    if place := out or (run.folder and run.folder / SCORES):
        write_json(place, document)
    return document


def candidate(folder: Path) -> Candidate:
    """A finished run as one to learn a change from, or not."""
    scores = read_json(folder / SCORES)
    return Candidate(load_run(folder), scores["scores"]["mig"], bool(scores["over_pruned"]))


def learn_change(
    dataset: dict[str, Any],
    folders: list[list[str]],
    epsilon: float,
    settings: dict[str, Any],
    place: str,
    *,
    report: Report | None = None,
) -> Manipulation:
    """Learn the change of a declared data set from the disentangled and the entangled `folders`."""
    disentangled, entangled = ([load_run(folder) for folder in kind] for kind in folders)
    return manipulate(
        in_memory(declared_dataset(dataset)),
        disentangled=disentangled,
        entangled=entangled,
        epsilon=epsilon,
        folder=place,
        settings=ManipulationSettings.of(settings),
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
    }


def headline(document: dict[str, Any]) -> dict[str, Any]:
    """The few numbers of a scores file that a person wants to see at once."""
    pruning = {"active units": document["active_units"], OVER_PRUNED: document["over_pruned"]}
    return {**document["scores"], **pruning}


def load_representation(folder: Path) -> Representation:
    with np.load(folder / REPRESENTATION, allow_pickle=False) as arrays:
        return Representation(*(arrays[name] for name in Representation._fields))


def _shuffled(representation: Representation, seed: int) -> Representation:
    """Metrics hold out the last rows, which in the order of the grid differ from the first."""
    order = np.random.default_rng(seed).permutation(len(representation.codes))
    codes, log_variances, factors = representation
    return Representation(codes[order], log_variances[order], factors[order])


def _pruning(run: Run, representation: Representation) -> dict[str, Any]:
    """Active units mean something only where the posterior's variance was trained."""
    method = from_named("method", run.config["declaration"]["method"], METHODS)
    if not method.stochastic:
        return {"active_units": None, "over_pruned": None}
    active = active_units(representation.log_variances)
    return {"active_units": int(active.sum()), "over_pruned": over_pruned(representation)}


def _npz(representation: Representation) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **representation._asdict())
    return buffer.getvalue()
