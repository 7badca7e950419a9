"""Exhibits of a study: its missing runs are trained, then the exhibit is made from rows alone."""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pandas as pd

from gordium.datasets import Dataset
from gordium.exhibits.announce import announce
from gordium.exhibits.base import Place, Value
from gordium.report.pages.study_report import study_frame
from gordium.report.rows import Row, read_rows
from gordium.report.study_rows import list_known_runs, merge_rows, study_rows
from gordium.study.data import MODIFIED, SEARCH
from gordium.study.imported_changes import take_change
from gordium.study.nodes import RUN
from gordium.study.plan import Plan, make_plan
from gordium.study.read import read_study
from gordium.study.runner import run_study
from gordium.study.store import Store
from gordium.study.study import Study

ROOT = Path(__file__).resolve().parents[3]  # a checkout's root; no such thing if installed
Label = tuple[str, str, str, float | None, int]
SHOWN = ("dataset", "variant", "method", "strength", "seed", "metric", "value")


class NothingFinished(ValueError):
    """Raised if only finished runs may be used and a study has none."""


@dataclass(frozen=True)
class Studied:
    """A study, its store, and the rows of its finished runs; those of searches are left out."""

    study: Study
    store: Store
    frame: pd.DataFrame

    @property
    def usable(self) -> pd.DataFrame:
        """The rows of runs that did not fail."""
        return self.frame[~self.frame["failed"]]

    @property
    def n_done(self) -> int:
        """How many runs are finished."""
        return int(self.frame["run"].nunique())

    @property
    def n_runs(self) -> int:
        """How many runs the study declares."""
        return len(set(labels(self.study)))

    @property
    def note(self) -> str:
        """How much of the study is finished, for the notes of every exhibit."""
        failed = self.frame.loc[self.frame["failed"], "run"].nunique()
        missing = self.n_runs - self.n_done
        text = f"Study {self.study.name}: {self.n_done} of {self.n_runs} runs are finished"
        text += f", {failed} of them failed" if failed else ""
        return f"{text}; INCOMPLETE, {missing} are missing." if missing else f"{text}."

    @property
    def images(self) -> dict[str, str]:
        """Each data set in words."""
        return {name: describe(name, data.dataset) for name, data in self.study.data.items()}

    @property
    def steps(self) -> str:
        """How many steps runs were trained, all that differ."""
        return ", ".join(f"{int(n):,}" for n in sorted(set(self.frame["steps"].dropna())))

    def rows(self, metrics: Iterable[str]) -> list[dict[str, Value]]:
        """The rows of some metrics, as an exhibit writes them."""
        used = self.frame[self.frame["metric"].isin(list(metrics))]
        columns = [*SHOWN, "over_pruned", "run", "version"]
        found = used[columns].astype(object).where(used[columns].notna(), "")
        return [{str(k): v for k, v in row.items()} for row in found.to_dict("records")]


def describe(name: str, dataset: Dataset) -> str:
    """A data set in words: its name, the shape of its images, its free factors."""
    factors = ", ".join(f"{factor.name} ({factor.size})" for factor in dataset.factors)
    return f"{name} {'x'.join(map(str, dataset.image_shape))}, free factors {factors}"


def study_file(name: str) -> Path:
    """Find the TOML file of a study: in `studies/` of a checkout, or in the package."""
    for folder in (ROOT / "studies", Path(str(files("gordium.exhibits"))) / "declared"):
        if (folder / f"{name}.toml").is_file():
            return folder / f"{name}.toml"
    raise FileNotFoundError(f"there is no study {name}.toml with this package.")


def declare_study(name: str, scale: str) -> Study:
    """Read a study at a scale; at `smoke` it has all metrics of the published study."""
    study = read_study(study_file(name), scale)
    if scale != "smoke":
        return study
    return dataclasses.replace(study, metrics=read_study(study_file(name)).metrics)


def complete_named(place: Place, name: str) -> Studied:
    """Complete the study `name` at the place's scale, as far as the place allows."""
    return complete_study(place, declare_study(name, place.scale))


def complete_study(place: Place, study: Study) -> Studied:
    """Train the missing runs of a study, or of a part of it, unless the place forbids it.

    Returns the study with the rows of its finished runs, committed ones included.
    """
    store = open_store(place, study)
    files = row_files(place, study.name)
    committed = [row for path in files for row in read_rows(path)]
    if not place.finished:
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


def open_store(place: Place, study: Study) -> Store:
    """The store of a study; if it may be trained, the study is declared there."""
    store = store_of(place, study.name)
    if not place.finished:
        store.declare(study.declaration)
        take_committed_changes(store, study.name)
    return store


def store_of(place: Place, name: str) -> Store:
    """Find the store of a study: in the place's folder under its name, or where it was run before.

    `study run` may have made it in the place's folder itself, or in the working directory under
    the study's name, with or without its scale.
    """
    inside, base = Store(place.folder / name), name.rpartition("-")[0]
    others = (Store(folder) for folder in (place.folder, Path(name), Path(base)) if folder.name)
    if not inside.exists:
        for store in others:
            if store.exists and store.declaration()["name"] == name:
                return store
    return inside


def take_committed_changes(store: Store, name: str) -> None:
    """Import changes from `results/STUDY-changes` of a checkout, so that no search is repeated."""
    for config in sorted(
        (ROOT / "results").glob(f"{name.rpartition('-')[0]}-changes/*/config.json")
    ):
        take_change(store, config.parent)


def row_files(place: Place, name: str) -> list[Path]:
    """The CSV files of the place, and `results/NAME.csv` of a checkout if it exists."""
    beside = ROOT / "results" / f"{name}.csv"
    return [*place.rows, *([beside] if beside.is_file() else [])]


def labels(study: Study, variants: Sequence[str] = ()) -> Iterator[Label]:
    """The labels of the fresh runs of a study, of some variants or of all."""
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
    """The rows of the plan's runs, which are found by their key.

    The key of a run on modified images depends on the change; if that was not learned here, the
    key is unknown, and committed rows are found by their labels instead.
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
    """The keys of runs that need no training: committed runs, and runs of a search.

    A search is needed only if a run on the modified images that it leads to is not committed.
    """
    held = {_label(row) for row in committed if row.run in finished}
    left = {label[0] for label in labels(study, [MODIFIED]) if label not in held}
    searches = {
        node.key: node.labels["data"]
        for node in make_plan(study, store).nodes
        if node.kind == RUN and node.labels["variant"] == SEARCH
    }
    needed = {key for key, data in searches.items() if data in left}
    return (finished | searches.keys()) - needed
