"""One repetition of the demo, from the search to the rows; started again, it goes on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gordium.datasets import Dataset, Modified
from gordium.exhibits.base import Place
from gordium.exhibits.demo import phases
from gordium.exhibits.demo.others import other_seeds, others
from gordium.exhibits.demo.phases import Probed
from gordium.exhibits.demo.recipe import Recipe
from gordium.exhibits.runs import execute, raise_failures, seeded, trained
from gordium.files import read_json
from gordium.manipulation import (
    Candidate,
    Chosen,
    choose_beyond,
    declare_manipulation,
    load_manipulation,
)
from gordium.methods import Method
from gordium.report import Row
from gordium.spec import DatasetSpec, RunSpec, declaration_hash
from gordium.study.local import Job
from gordium.study.work import SCORES, ChangeTask, learn_change
from gordium.training import Report, Run, Settings, load_run

Rows = list[Row]


@dataclass(frozen=True)
class Repetition:
    """A repetition's number, its recipe, and where and by how many workers it is made.

    Without `controls`, only the change is learned and held against plain noise.
    """

    number: int
    recipe: Recipe
    folder: Path
    workers: int = 2
    controls: bool = True

    def train(
        self,
        datasets: Sequence[Dataset],
        settings: Settings,
        seeds: Sequence[int],
        title: str,
        method: Method | None = None,
    ) -> list[list[Path]]:
        """The folders of all seeds on each of the data sets, which are worked off by seed."""
        method = method or self.recipe.method
        runs = [seeded(method, dataset, settings, seeds) for dataset in datasets]
        order = [run for some in zip(*runs, strict=True) for run in some]
        place = Place("", self.folder, self.workers)
        done = trained(place, order, title=f"repetition {self.number}: {title}")
        return [done[k :: len(datasets)] for k in range(len(datasets))]


@dataclass(frozen=True)
class Finished:
    """What a repetition leaves: the runs learned from, what fresh seeds saw, all rows."""

    chosen: Chosen[Run]
    arms: dict[str, Dataset]
    rows: Rows


def run_repetition(this: Repetition) -> Finished:
    """Search, learn, probe, and train fresh seeds on what the probes chose; controls come last."""
    chosen, rows = _search(this)
    arms: dict[str, Dataset] = {"original": this.recipe.dataset}
    fresh: Rows = []
    for kinds in (("modified",), phases.CONTROLS)[: 2 if this.controls else 1]:
        found, probed = _probe(this, _candidates(this, chosen, kinds))
        added = phases.arms(this.recipe, this.number, found)
        fresh += _fresh(this, {**({} if fresh else arms), **added})
        arms |= added
        rows += probed
    return Finished(chosen, arms, [*fresh, *rows])


def train_others(this: Repetition, arms: Mapping[str, Dataset]) -> Rows:
    """The other methods of Table 1 on the same images, with seeds of their own."""
    rows: Rows = []
    for method, settings in others(this.recipe):
        title = f"{method.name} on {', '.join(arms)}"
        seeds = other_seeds(this.number)
        folders = this.train(list(arms.values()), settings, seeds, title, method)
        rows += [row for arm, some in zip(arms, folders, strict=True) for row in _rows(arm, some)]
    return rows


def _search(this: Repetition) -> tuple[Chosen[Run], Rows]:
    found: list[Candidate[Run]] = []
    rows: Rows = []
    recipe = this.recipe
    while seeds := phases.next_search_seeds(recipe, this.number, found):
        title = f"searching for both kinds of minima, from run {len(found) + 1} on"
        (folders,) = this.train([recipe.dataset], recipe.search, seeds, title)
        found += [_candidate(folder) for folder in folders]
        rows += _rows("search", folders)
    return choose_beyond(found, recipe.limits), rows


def _candidates(
    this: Repetition, chosen: Chosen[Run], kinds: Sequence[str]
) -> dict[str, list[Dataset]]:
    drawn = phases.drawn_candidates(this.recipe, this.number)
    return {
        kind: drawn[kind] if kind in drawn else _learn(this, phases.roles(chosen, kind), kind)
        for kind in kinds
    }


def _learn(this: Repetition, roles: Chosen[Run], kind: str) -> list[Dataset]:
    recipe, jobs, places = this.recipe, [], []
    good, bad = ([run.spec for run in runs] for runs in roles)
    good_folders, bad_folders = _folders(roles)
    for settings in phases.learning_settings(recipe, this.number):
        declared = declare_manipulation(recipe.dataset, good, bad, recipe.epsilon, settings)
        places.append(this.folder / "manipulations" / declaration_hash(declared))
        data = DatasetSpec.of(recipe.dataset)
        task = ChangeTask(data, recipe.epsilon, good_folders, bad_folders, settings)
        jobs.append(Job(f"{kind}, seed {settings.seed}", _learn_job, (task, str(places[-1]))))
    title = f"repetition {this.number}: learning changes, {kind}"
    raise_failures(execute(jobs, workers=this.workers, title=title))
    return [Modified(recipe.dataset, load_manipulation(place)) for place in places]


def _learn_job(task: ChangeTask, place: str, *, report: Report | None = None) -> dict[str, float]:
    """A worker's part: learn one change, and say how far it came."""
    return {"L_ent - L_dis": learn_change(task, place, report=report).history[-1]["loss"]}


def _candidate(folder: Path) -> Candidate[Run]:
    scores = read_json(folder / SCORES)
    return Candidate(load_run(folder), scores["scores"]["mig"], bool(scores["over_pruned"]))


def _folders(roles: Chosen[Run]) -> list[tuple[str, ...]]:
    return [tuple(str(run.folder) for run in runs) for runs in roles]


def _probe(
    this: Repetition, candidates: Mapping[str, Sequence[Dataset]]
) -> tuple[dict[str, Dataset], Rows]:
    """The most harmful candidate of each kind, and the rows of all probes."""
    recipe, rows = this.recipe, []
    taken = {}
    seeds = phases.probe_seeds(recipe, this.number)
    for kind, sets in candidates.items():
        folders = this.train(sets, recipe.probe, seeds, f"probing {kind}")
        taken[kind] = sets[phases.most_harmful([[_probed(f) for f in some] for some in folders])]
        for k, some in enumerate(folders):
            rows += _rows(f"probe {kind} {k + 1}", some)
    return taken, rows


def _fresh(this: Repetition, arms: Mapping[str, Dataset]) -> Rows:
    seeds = phases.fresh_seeds(this.recipe, this.number)
    title = f"fresh seeds on {', '.join(arms)}"
    folders = this.train(list(arms.values()), this.recipe.fresh, seeds, title)
    return [row for name, some in zip(arms, folders, strict=True) for row in _rows(name, some)]


def _probed(folder: Path) -> Probed:
    scores = read_json(folder / SCORES)
    return Probed(scores["scores"]["mig"], bool(scores["over_pruned"]))


def _rows(variant: str, folders: Iterable[Path]) -> Rows:
    """MIG and active units of finished runs, with what they came from."""
    rows = []
    for folder in folders:
        scores = read_json(folder / SCORES)
        spec = RunSpec.from_json(scores["declaration"])
        for metric, value in {**scores["scores"], "active_units": scores["active_units"]}.items():
            if value is None:  # without a posterior no unit is asleep
                continue
            row = Row(
                variant=variant,
                seed=spec.seed,
                metric=metric,
                value=float(value),
                dataset=spec.dataset.name,
                method=spec.method.name,
                run=spec.key,
                n_images=scores["n_images"],
                version=scores["versions"]["gordium"],
            )
            rows.append(row)
    return rows
