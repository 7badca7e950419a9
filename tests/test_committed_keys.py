"""The code still declares the runs of committed rows: what it would train has their keys.

What cannot be rebuilt, and why:

- Runs on images that a learned change has modified, also those of changes learned with roles
  swapped: their declaration holds the hash of the change's weights, which training alone gives. Of
  `zietlow2021` these weights are committed and its modified runs are rebuilt; of the demo and of
  `headline-demo.csv` they are not. Noise of a change's own energy has one number that was measured
  on it, so it is searched for among all that there can be.
- Runs on MNIST and Fashion-MNIST: their declaration holds the hash of files that are fetched.
- Rows without a key, such as those of classifiers and of untrained decoders.
"""

import csv
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from gordium.datasets import Dataset, Noisy
from gordium.exhibits.demo import Repetition, find_rung
from gordium.exhibits.demo.other_methods import choose_seeds, list_others
from gordium.exhibits.demo.seeds import LONGER, seeds
from gordium.exhibits.headline import headline_study
from gordium.exhibits.rolinek2019 import models, table2
from gordium.exhibits.rolinek2019.table_s4 import degenerate_plans
from gordium.exhibits.studies import declare_study, take_committed_changes
from gordium.exhibits.stuehmer2020 import figure5, figure6
from gordium.exhibits.stuehmer2020.stand_ins import CARS, FACES, study_of
from gordium.exhibits.zietlow2021.figure5 import SIZES, vary_strength
from gordium.spec import RunSpec
from gordium.study.arm import Arm
from gordium.study.data import EQUAL_NOISE, WAVES, WORST_NOISE
from gordium.study.phases import draw_candidates
from gordium.study.plan import make_plan
from gordium.study.store import Store
from gordium.study.study import Study

RESULTS = Path(__file__).resolve().parents[1] / "results"
RUNGS = {
    "demo": "0",
    "demo-again": "0",
    "demo-unseen": "0",
    "demo-0-longer": "0-longer",
    "demo-1": "1",
    "demo-1-turned": "1-turned",
    "demo-1-scale": "1-scale",
    "demo-1-designed": "1-designed",
    "demo-2-designed": "2-designed",
    "demo-3-designed": "3-designed",
    "demo-dsprites": "dsprites",
    "demo-dsprites-more": "dsprites",
    "demo-dsprites-designed": "dsprites-designed",
    "demo-intel": "0",
    "demo-avx512": "0",
}
REPETITIONS = sorted(
    (path for name in RUNGS for path in (RESULTS / name).glob("*") if path.name.isdecimal()),
    key=lambda path: (path.parent.name, int(path.name)),
)
LEARNED = ("modified", "swapped", "choice", "probe modified", "probe swapped")  # or after a number
Keys = set[str]


def committed(path: Path) -> dict[str, str]:
    """The runs of a file of rows, and what kind of images each is on."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kinds = ("variant", "kind", "data")
    return {r["run"]: next((r[k] for k in kinds if k in r), "") for r in rows if r["run"]}


def keys_of(arm: Arm, images: Iterable[Dataset], some: Iterable[int]) -> Keys:
    drawn = list(some)
    return {run.key for each in images for run in arm.on(each, drawn)}


def planned(study: Study, folder: Path) -> Keys:
    return {node.key for node in make_plan(study, Store(folder)).nodes}


def demo_keys(this: Repetition) -> Keys:
    """All runs of a repetition that need no learned change."""
    candidates = [
        each for kind in (WORST_NOISE, WAVES) for each in draw_candidates(this.data, kind)
    ]
    arms = [this.data.dataset, candidates[0]]
    (fresh,), probe = this.study.arms, this.search.probe
    longer = replace(fresh, settings={**fresh.settings, "steps": 4 * fresh.settings["steps"]})
    keys = keys_of(this.search.arm, arms[:1], this.search.seeds)
    keys |= keys_of(fresh, [*arms, *candidates], this.study.seeds)
    keys |= set() if probe is None else keys_of(probe.arm, candidates, probe.seeds)
    keys |= keys_of(longer, arms[1:], seeds(this.number, LONGER, 2))
    for other in list_others(this.rung):
        keys |= keys_of(other, arms, choose_seeds(this.number))
    return keys


def equal_noise_keys(this: Repetition, wanted: Keys) -> Keys:
    """The runs on noise of one size, found by the first seed's run among all sizes there are."""
    (fresh,), (first, *rest) = this.study.arms, this.study.seeds
    data = this.data
    for size in range(round((data.epsilon or 0.0) * 10_000), 0, -1):
        noise = Noisy(data.dataset, size / 10_000, data.noise_seed, two_valued=True)
        if (found := keys_of(fresh, [noise], [first])) <= wanted:
            return found | keys_of(fresh, [noise], rest)
    return set()


@pytest.mark.parametrize("place", REPETITIONS, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_runs_of_the_demo_are_declared_by_its_recipe(place: Path) -> None:
    this = Repetition(int(place.name), find_rung(RUNGS[place.parent.name]), place)
    found: dict[str, str] = {}
    for path in sorted(place.glob("*.csv")):
        found |= committed(path)
    free = {run: kind for run, kind in found.items() if not kind.startswith(LEARNED)}
    equal = {run for run, kind in free.items() if kind == EQUAL_NOISE}
    others = set(free) - equal
    # All fresh runs on the original images and on noise, and at least one of the search.
    assert len(others) > 2 * len(this.study.seeds)
    assert others <= demo_keys(this)
    assert equal == equal_noise_keys(this, equal)


def test_every_folder_of_repetitions_has_a_rung() -> None:
    folders = {path.parent.parent.name for path in RESULTS.glob("demo*/*/rows.csv")}
    assert folders <= set(RUNGS)


def test_runs_of_the_first_demo_are_declared_by_its_study(tmp_path: Path) -> None:
    found = committed(RESULTS / "headline-demo.csv")
    free = {run for run, kind in found.items() if kind in ("original", "noise")}
    assert len(free) == 12  # six seeds on each
    assert free <= planned(headline_study("laptop"), tmp_path)


@pytest.mark.parametrize(
    ("name", "scale", "dataset", "methods", "n"),
    [
        ("cars", "unscaled", CARS, figure6.on_cars, 12),
        ("faces", "unscaled", FACES, figure5.on_faces, 24),
        ("faces", "laptop", FACES, figure5.on_faces, 110),
        ("faces-learned", "laptop", FACES, figure5.list_learned, 20),
    ],
)
def test_runs_on_stand_ins_are_declared(name, scale, dataset, methods, n, tmp_path) -> None:
    found = set(committed(RESULTS / f"stuehmer2020-{name}-{scale}.csv"))
    assert len(found) == n
    assert found <= planned(study_of(name, dataset, methods(scale), scale), tmp_path)


def plan_keys(plans: Iterable[models.Plan]) -> Keys:
    return {
        RunSpec.of(p.method, p.setup.train, p.setup.settings).with_seed(p.seed).key for p in plans
    }


def test_runs_of_rolineks_table_2_are_declared() -> None:
    """Its rows are of seeds from 0 on, older than the seeds that are reported now."""
    found = committed(RESULTS / "rolinek2019-table2" / "rows.csv")
    own = {run for run, data in found.items() if "mnist" not in data}
    names = ("synthetic-linear", "synthetic-nonlinear", "dsprites")
    setups = models.list_available(dict.fromkeys(names, 3), "laptop")
    plans = [plan for name in names for plan in table2._plans(name, setups[name], range(200))]
    assert len(own) >= 30
    assert own <= plan_keys(plans)


def test_runs_of_rolineks_figure_s5_are_declared() -> None:
    found = set(committed(RESULTS / "rolinek2019-figureS5" / "rows.csv"))
    assert len(found) == 20
    assert found <= plan_keys(degenerate_plans("laptop", 1.0))


def test_runs_of_zietlows_figure_5_are_declared_with_the_committed_change(tmp_path: Path) -> None:
    found = committed(RESULTS / "zietlow2021-figure5" / "rows.csv")
    assert len(found) == 24
    study, _ = vary_strength(declare_study("zietlow2021", "laptop"), SIZES["laptop"])
    store = Store(tmp_path)
    take_committed_changes(store, study.name)
    assert set(found) <= {node.key for node in make_plan(study, store).nodes}


def test_runs_of_zietlows_figures_10_and_11_are_those_of_the_search(tmp_path: Path) -> None:
    found = set(committed(RESULTS / "zietlow2021-figure10-11" / "rows.csv"))
    assert found
    assert found <= planned(declare_study("zietlow2021", "laptop"), tmp_path)
