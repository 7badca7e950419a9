"""Exhibits of a study: its runs are trained or found finished, then all is made from rows."""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pandas as pd

from gordium.exhibits.announce import announce
from gordium.exhibits.base import Place, Value
from gordium.report.pages.study_report import study_frame
from gordium.report.rows import Row, read_rows
from gordium.report.study_rows import list_known_runs, merge_rows, study_rows
from gordium.study.imported_changes import take_change
from gordium.study.plan import RUN, Plan, make_plan
from gordium.study.read import read_study
from gordium.study.runner import run_study
from gordium.study.store import Store
from gordium.study.study import MODIFIED, SEARCH, Study

ROOT = Path(__file__).resolve().parents[3]  # of a checkout; of an installed package it is nothing
Label = tuple[str, str, str, float | None, int]
SHOWN = ("dataset", "variant", "method", "strength", "seed", "metric", "value")


class NothingFinished(ValueError):
    """Only finished runs were to be taken, and a study has none."""


@dataclass(frozen=True)
class Studied:
    """A study, its folder, and the rows of its finished runs, searches left out."""

    study: Study
    store: Store
    frame: pd.DataFrame

    @property
    def n_done(self) -> int:
        """How many runs are finished."""
        return int(self.frame["run"].nunique())

    @property
    def n_runs(self) -> int:
        """How many runs the study has."""
        return len(set(labels(self.study)))

    @property
    def note(self) -> str:
        """How much of the study there is, to be seen on every exhibit."""
        failed = self.frame.loc[self.frame["failed"], "run"].nunique()
        missing = self.n_runs - self.n_done
        text = f"Study {self.study.name}: {self.n_done} of {self.n_runs} runs are finished"
        text += f", {failed} of them failed" if failed else ""
        return f"{text}; INCOMPLETE, {missing} are missing." if missing else f"{text}."

    @property
    def images(self) -> dict[str, str]:
        """Each data set in words: its name, the shape of its images, its free factors."""
        return {
            name: f"{name} {'x'.join(map(str, data.dataset.image_shape))}, free factors "
            + ", ".join(f"{factor.name} ({factor.size})" for factor in data.dataset.factors)
            for name, data in self.study.data.items()
        }

    @property
    def steps(self) -> str:
        """All lengths of training among the runs."""
        return ", ".join(f"{int(n):,}" for n in sorted(set(self.frame["steps"].dropna())))

    def rows(self, metrics: Iterable[str]) -> list[dict[str, Value]]:
        """Rows of some metrics as an exhibit keeps them."""
        used = self.frame[self.frame["metric"].isin(list(metrics))]
        columns = [*SHOWN, "over_pruned", "run", "version"]
        found = used[columns].astype(object).where(used[columns].notna(), "")
        return [{str(k): v for k, v in row.items()} for row in found.to_dict("records")]


def study_file(name: str) -> Path:
    """The TOML of a study: in `studies/` of a checkout, or as the package ships it."""
    for folder in (ROOT / "studies", Path(str(files("gordium.exhibits"))) / "declared"):
        if (folder / f"{name}.toml").is_file():
            return folder / f"{name}.toml"
    raise FileNotFoundError(f"there is no study {name}.toml with this package.")


def declare_study(name: str, scale: str) -> Study:
    """The study at a scale; at smoke with all metrics of the published one."""
    study = read_study(study_file(name), scale)
    if scale != "smoke":
        return study
    return dataclasses.replace(study, metrics=read_study(study_file(name)).metrics)


def work_off_named(place: Place, name: str) -> Studied:
    """The study `name` at the place's scale, worked off as far as the place allows."""
    return work_off(place, declare_study(name, place.scale))


def work_off(place: Place, study: Study) -> Studied:
    """A study, or a part of one that shares its folder, worked off as far as the place allows."""
    store = store_of(place, study.name)
    files = row_files(place, study.name)
    committed = [row for path in files for row in read_rows(path)]
    if not place.finished:
        store.declare(study.declaration)
        take_committed_changes(store, study.name)
        known = _list_known(study, store, committed, list_known_runs(files, study.metrics))
        announce(place, study, store, known)
        run_study(study, store, workers=place.workers, known=known)
    plan = make_plan(study, store)
    own = study_rows(store, [node.line for node in plan.nodes])
    rows = list(_select_rows(merge_rows(committed, own), study, plan))
    if not rows:
        raise NothingFinished(
            f"no run of {study.name} is finished in {store.folder} or in committed rows; "
            "leave --finished out to train them."
        )
    return Studied(study, store, study_frame(rows))


def store_of(place: Place, name: str) -> Store:
    """The folder of a study: `NAME` in the place's, unless the study was run elsewhere.

    That is in the place's folder itself, or in one of the working folder that is called as the
    study is, with or without its scale: what `study run` made there is found without being told.
    """
    inside, base = Store(place.folder / name), name.rpartition("-")[0]
    others = (Store(folder) for folder in (place.folder, Path(name), Path(base)) if folder.name)
    if not inside.exists:
        for store in others:
            if store.exists and store.declaration()["name"] == name:
                return store
    return inside


def take_committed_changes(store: Store, name: str) -> None:
    """Changes in `results/STUDY-changes` of a checkout: their search need not be run again."""
    for config in sorted(
        (ROOT / "results").glob(f"{name.rpartition('-')[0]}-changes/*/config.json")
    ):
        take_change(store, config.parent)


def row_files(place: Place, name: str) -> list[Path]:
    """The CSV files given, and `results/NAME.csv` of a checkout if it is there."""
    beside = ROOT / "results" / f"{name}.csv"
    return [*place.rows, *([beside] if beside.is_file() else [])]


def labels(study: Study, variants: Sequence[str] = ()) -> Iterator[Label]:
    """What the fresh runs of a study are called, of some variants or of all."""
    for name, data in study.data.items():
        for variant in data.variants:
            if variants and variant not in variants:
                continue
            for arm in study.arms_on(name):
                for seed in study.seeds_on(name):
                    yield name, variant, arm.method.name, arm.strength, seed


def _label(row: Row) -> Label:
    return row.dataset, row.variant, row.method, row.strength, row.seed


def _select_rows(rows: list[Row], study: Study, plan: Plan) -> Iterator[Row]:
    """Rows of the plan's runs, by hash.

    Runs on modified images are named by a change that is not known where its search was not run:
    there committed rows are taken by their labels.
    """
    keys = {node.key for node in plan.nodes if node.kind == RUN}
    known = {node.labels["data"] for node in plan.nodes if node.labels["variant"] == MODIFIED}
    wanted = set(labels(study))
    for row in rows:
        if _label(row) not in wanted:
            continue
        if row.run in keys or (row.variant == MODIFIED and row.dataset not in known):
            yield row


def _list_known(
    study: Study, store: Store, committed: list[Row], finished: frozenset[str]
) -> frozenset[str]:
    """Committed runs; those of a search only where no run on modified images is left to do."""
    held = {_label(row) for row in committed if row.run in finished}
    left = {label[0] for label in labels(study, [MODIFIED]) if label not in held}
    found = set(finished)
    for node in make_plan(study, store).nodes:
        if node.kind == RUN and node.labels["variant"] == SEARCH:
            (found.discard if node.labels["data"] in left else found.add)(node.key)
    return frozenset(found)
