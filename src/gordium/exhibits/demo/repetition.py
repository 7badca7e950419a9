"""One repetition of the demo, from the search to the rows; it resumes where it was stopped."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gordium.datasets import Dataset, Modified
from gordium.exhibits.base import Place
from gordium.exhibits.demo import phases
from gordium.exhibits.demo.other_methods import choose_seeds, list_others
from gordium.exhibits.demo.phases import Probed
from gordium.exhibits.demo.recipe import Recipe
from gordium.exhibits.runs import make_all, repeat_over_seeds, store_in, train_all
from gordium.manipulation import Candidate, Chosen, choose_beyond, load_manipulation
from gordium.methods import Method
from gordium.report.rows import Row
from gordium.report.study_rows import study_rows
from gordium.spec import RunSpec
from gordium.study.plan import make_listed_node
from gordium.study.records import PlanLine
from gordium.study.tasks import ChangeTask
from gordium.training import Run, Settings, load_run

MIG = "mig"
Rows = list[Row]


@dataclass(frozen=True)
class Repetition:
    """A repetition's number, its recipe, and where and by how many workers it is made.

    Without `controls`, only the change is learned and held against noise.
    """

    number: int
    recipe: Recipe
    folder: Path
    workers: int = 2
    controls: bool = True

    @property
    def place(self) -> Place:
        """Where the repetition's runs are made."""
        return Place("", self.folder, self.workers)

    def train(
        self,
        datasets: Sequence[Dataset],
        settings: Settings,
        seeds: Sequence[int],
        title: str,
        method: Method | None = None,
    ) -> list[list[RunSpec]]:
        """Train all seeds on each of the data sets, seed by seed; return the finished runs."""
        method = method or self.recipe.method
        runs = [repeat_over_seeds(method, dataset, settings, seeds) for dataset in datasets]
        order = [run for some in zip(*runs, strict=True) for run in some]
        train_all(self.place, order, title=f"repetition {self.number}: {title}")
        return runs

    def rows(self, variant: str, runs: Iterable[RunSpec]) -> Rows:
        """The rows of finished runs, with `variant` as the name of their images."""
        nodes: list[PlanLine] = [{**make_listed_node(r).line, "variant": variant} for r in runs]
        return study_rows(store_in(self.place), nodes)


@dataclass(frozen=True)
class Finished:
    """The result of a repetition: the runs learned from, what fresh seeds saw, and all rows."""

    chosen: Chosen[Run]
    arms: dict[str, Dataset]
    rows: Rows


def run_repetition(this: Repetition) -> Finished:
    """Search, learn, probe, and train fresh seeds on what the probes chose; controls come last."""
    chosen, rows = search_minima(this)
    arms: dict[str, Dataset] = {"original": this.recipe.dataset}
    fresh: Rows = []
    controls = phases.list_controls(this.recipe)
    for kinds in (("modified",), controls)[: 2 if this.controls else 1]:
        found, probed = _probe(this, _candidates(this, chosen, kinds))
        added = phases.arms(this.recipe, this.number, found)
        fresh += _train_fresh(this, {**({} if fresh else arms), **added})
        arms |= added
        rows += probed
    return Finished(chosen, arms, [*fresh, *rows])


def choose_change(this: Repetition) -> dict[str, Dataset]:
    """Search, learn and probe, without fresh seeds: the arms that they would be trained on."""
    chosen, _ = search_minima(this)
    found, _ = _probe(this, _candidates(this, chosen, ("modified",)))
    return phases.arms(this.recipe, this.number, found)


def train_others(this: Repetition, arms: Mapping[str, Dataset]) -> Rows:
    """Train the other methods of Table 1 on the same images, with their own seeds."""
    rows: Rows = []
    for method, settings in list_others(this.recipe):
        title = f"{method.name} on {', '.join(arms)}"
        seeds = choose_seeds(this.number)
        runs = this.train(list(arms.values()), settings, seeds, title, method)
        pairs = zip(arms, runs, strict=True)
        rows += [row for arm, some in pairs for row in this.rows(arm, some)]
    return rows


def search_minima(this: Repetition) -> tuple[Chosen[Run], Rows]:
    """Train until there are runs of both kinds; return those, and the rows of all."""
    found: list[Candidate[Run]] = []
    rows: Rows = []
    recipe = this.recipe
    while seeds := phases.next_search_seeds(recipe, this.number, found):
        title = f"searching for both kinds of minima, from run {len(found) + 1} on"
        (runs,) = this.train([recipe.dataset], recipe.search, seeds, title)
        more = this.rows("search", runs)
        found += [_candidate(this, row) for row in more if row.metric == MIG]
        rows += more
    return choose_beyond(found, recipe.limits), rows


def _candidates(
    this: Repetition, chosen: Chosen[Run], kinds: Sequence[str]
) -> dict[str, list[Dataset]]:
    drawn = phases.draw_candidates(this.recipe, this.number)
    return {
        kind: drawn[kind]
        if kind in drawn
        else learn_changes(this, phases.roles(this.recipe, chosen, kind), kind)
        for kind in kinds
    }


def learn_changes(this: Repetition, roles: Chosen[Run], kind: str) -> list[Dataset]:
    """Learn the changes; return the images of each. `kind` is what the progress display shows."""
    recipe = this.recipe
    good, bad = ([run.spec for run in runs] for runs in roles)
    tasks = [
        ChangeTask.of(recipe.dataset, good, bad, recipe.epsilon, settings)
        for settings in phases.learning_settings(recipe, this.number)
    ]
    title = f"repetition {this.number}: learning changes, {kind}"
    folders = make_all(this.place, tasks, title=title)
    return [Modified(recipe.dataset, load_manipulation(folder)) for folder in folders]


def _candidate(this: Repetition, row: Row) -> Candidate[Run]:
    mig, pruned = _read_probe(row)
    return Candidate(load_run(store_in(this.place).run_folder(row.run)), mig, pruned)


def _probe(
    this: Repetition, candidates: Mapping[str, Sequence[Dataset]]
) -> tuple[dict[str, Dataset], Rows]:
    """The most harmful candidate of each kind, and the rows of all probes; one needs no probe."""
    recipe, rows = this.recipe, []
    taken = {}
    seeds = phases.probe_seeds(recipe, this.number)
    for kind, sets in candidates.items():
        if len(sets) == 1:
            taken[kind] = sets[0]
            continue
        runs = this.train(sets, recipe.probe, seeds, f"probing {kind}")
        probed = [this.rows(f"probe {kind} {k + 1}", some) for k, some in enumerate(runs)]
        mig = [[_read_probe(row) for row in some if row.metric == MIG] for some in probed]
        taken[kind] = sets[phases.pick_most_harmful(mig)]
        rows += [row for some in probed for row in some]
    return taken, rows


def _train_fresh(this: Repetition, arms: Mapping[str, Dataset]) -> Rows:
    seeds = phases.fresh_seeds(this.recipe, this.number)
    title = f"fresh seeds on {', '.join(arms)}"
    runs = this.train(list(arms.values()), this.recipe.fresh, seeds, title)
    return [row for name, some in zip(arms, runs, strict=True) for row in this.rows(name, some)]


def _read_probe(row: Row) -> Probed:
    if row.value is None:
        raise RuntimeError(f"the MIG of run {row.run} is undefined: nothing can be chosen by it.")
    return Probed(row.value, bool(row.over_pruned))
