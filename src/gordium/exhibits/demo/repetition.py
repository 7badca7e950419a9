"""One repetition of the demo: a rung's study with seeds of its own, worked off in a folder."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from gordium.datasets import Dataset
from gordium.exhibits import runs
from gordium.exhibits.demo.other_methods import choose_seeds, list_others
from gordium.exhibits.demo.seeds import SEARCH, seeds
from gordium.exhibits.studies import study_file
from gordium.manipulation import Chosen
from gordium.report.rows import Row, fresh_rows
from gordium.report.study_rows import study_rows
from gordium.study.arm import Arm
from gordium.study.data import CONTROLS, VARIANTS, Data
from gordium.study.nodes import Node
from gordium.study.phases import find_variants
from gordium.study.plan import make_plan
from gordium.study.read import read_study
from gordium.study.runner import run_study
from gordium.study.search import Search
from gordium.study.searching import GaveUp, find_searched
from gordium.study.store import Store
from gordium.study.study import Study

Rows = list[Row]


def find_rung(name: str) -> Study:
    """The study of the rung of that name, with the seeds of repetition 0."""
    return read_study(study_file("demo"), name)


@dataclass(frozen=True)
class Repetition:
    """A repetition's number, the study of its rung, and where and by how many workers it is made.

    Without `controls`, only the change is learned and held against noise.
    """

    number: int
    rung: Study
    folder: Path
    workers: int = 2
    controls: bool = True

    @cached_property
    def study(self) -> Study:
        """The rung's study with the seeds of this repetition."""
        (mine,), (first,) = (seeds(k, SEARCH, 1) for k in (self.number, 0))
        moved = self.rung.shift_seeds(mine - first)
        named = replace(moved, name=f"{self.rung.name}-repetition-{self.number}")
        [data] = named.data.values()
        kept = [v for v in data.variants if self.controls or v not in CONTROLS]
        return replace(named, data={self.name: replace(data, variants=tuple(kept))})

    @property
    def name(self) -> str:
        """The name of the one data set."""
        [name] = self.rung.data
        return name

    @property
    def data(self) -> Data:
        """The one data set, with the variants and the seeds of this repetition."""
        return self.study.data[self.name]

    @property
    def search(self) -> Search:
        """How the change is found."""
        assert self.data.search is not None
        return self.data.search

    @property
    def store(self) -> Store:
        """Where the runs and changes are kept."""
        return Store(self.folder)

    def vary(
        self, variants: Sequence[str], drawn: Sequence[int], arms: Sequence[Arm] = ()
    ) -> Study:
        """The study with other seeds, and other arms if given, on some variants of its images."""
        data = {self.name: replace(self.data, variants=tuple(variants))}
        return replace(
            self.study, data=data, seeds=tuple(drawn), arms=tuple(arms) or self.study.arms
        )

    def run(self, study: Study | None = None) -> Rows:
        """Do what is missing of this study, or of a variation; return its rows, fresh ones first.

        The folder's declaration is that of the repetition, whatever else is trained there.
        """
        asked, store = study or self.study, self.store
        store.forget_failures()  # what failed before is tried again
        try:
            ended = run_study(asked, store, workers=self.workers, engine=runs.ENGINE)
        except GaveUp as error:
            raise GaveUp(f"{error} Repetition {self.number} has failed.") from error
        runs.raise_unfinished(ended)
        store.declare(self.study.declaration)
        lines = [node.line for node in make_plan(asked, store).nodes if "method" in node.labels]
        order = (*asked.data[self.name].variants, *(line["variant"] for line in lines))
        return study_rows(store, sorted(lines, key=lambda line: order.index(line["variant"])))

    def find_arms(self, study: Study | None = None) -> dict[str, Dataset]:
        """The images that fresh seeds see, as far as they are known."""
        found = find_variants(self.name, study or self.study, self.store)
        return {variant: images for variant, images in found.items() if images is not None}


@dataclass(frozen=True)
class Finished:
    """The result of a repetition: the runs learned from, what fresh seeds saw, and all rows."""

    chosen: Chosen[Node]
    arms: dict[str, Dataset]
    rows: Rows


def run_repetition(this: Repetition) -> Finished:
    """Search, learn, probe, and train fresh seeds on what the probes chose, and on controls."""
    rows = this.run()
    return Finished(find_searched(this.name, this.study, this.store), this.find_arms(), rows)


def train_others(this: Repetition) -> Rows:
    """Train the rung's other methods on the same images, with their own seeds."""
    others = list_others(this.rung)
    rows = fresh_rows(this.run(this.vary(VARIANTS, choose_seeds(this.number), others)))
    names = [arm.method.name for arm in others]
    return sorted(rows, key=lambda row: names.index(row.method))
