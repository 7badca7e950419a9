"""Studies as values: read from TOML, planned by hash, run to the end, shared and killed."""

import dataclasses
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.inline import inline

from gordium.fields import declare_fields
from gordium.files import write_json, write_sealed
from gordium.progress import QUIET
from gordium.report.rows import read_rows, write_rows
from gordium.report.study_rows import add_rows, list_known_runs, study_rows
from gordium.study.engine import Outcome
from gordium.study.imported_changes import GIVEN, find_given_change, take_change
from gordium.study.plan import make_plan
from gordium.study.price import estimate_price
from gordium.study.read import read_study, study_of
from gordium.study.runner import run_study
from gordium.study.store import Store

ROOT = Path(__file__).parents[2]
CLOSING = 4  # reconstruction, KL, ELBO and total correlation at the end of a run
TINY = tomllib.loads((ROOT / "studies" / "tiny.toml").read_text())


def tables(**changes: Any) -> dict[str, Any]:
    return {**TINY, **changes}


def linear(n_seeds: int, steps: int) -> dict[str, Any]:
    """Runs of a moment: a linear model on a drawn square."""
    return {
        "name": "short",
        "metrics": ["mcc"],
        "seeds": n_seeds,
        "settings": {"steps": steps, "architecture": "linear", "likelihood": "gaussian"},
        "data": {"square": {"name": "synthetic-linear", "n": 200}},
        "method": {"beta-vae": {"beta": [0.001, 0.01]}},
    }


def test_an_arm_has_other_runs_with_other_seeds():
    study = study_of(linear(2, steps=1))
    arm, dataset = study.arms[0], study.data["square"].dataset
    drawn = [study.runs_of("square", arm, dataset, seeds) for seeds in ((0, 1), (5,))]
    assert [[run.settings.seed for run in runs] for runs in drawn] == [[0, 1], [5]]


def test_a_data_set_may_have_fewer_of_the_seeds(tmp_path):
    given = linear(3, steps=1)
    given["data"]["few"] = {"name": "synthetic-linear", "n": 100, "seeds": 2}
    study = study_of(given)
    nodes = make_plan(study, Store(tmp_path)).nodes
    runs = [(node.labels["seed"], node.labels["data"]) for node in nodes]
    both = ["square", "square", "few", "few"]
    assert runs == [*((seed, name) for seed in (0, 1) for name in both), *[(2, "square")] * 2]
    assert study.n_runs == len(runs)
    whole = study_of(linear(3, steps=1))
    assert {node.key for node in make_plan(whole, Store(tmp_path)).nodes} < {n.key for n in nodes}

    given["data"]["few"]["seeds"] = 0
    with pytest.raises(ValueError, match="at least one seed; got 0"):
        study_of(given)


@pytest.mark.parametrize("path", sorted((ROOT / "studies").glob("*.toml")), ids=lambda p: p.stem)
def test_studies_of_this_project_can_be_read(path: Path) -> None:
    for scale in (None, *tomllib.loads(path.read_text()).get("scale", {})):
        study = read_study(path, scale)
        assert study.n_runs > 0
        assert study.declaration["name"] == study.name


def test_a_scale_replaces_what_it_names() -> None:
    small = {"seeds": 1, "data": {"room": {"size": 17}}, "method": {"ae": {"skip": True}}}
    study = study_of(tables(scale={"small": small}), "small")
    assert study.seeds == (10,)
    assert study.data["room"].dataset.image_shape == (3, 17, 17)
    assert [arm.strength for arm in study.arms] == [0.01, 0.1]
    assert study.declaration["name"] == study.name == "tiny-small"
    assert study.n_runs == 3 + 3 * 2


def test_a_nuisance_varies_and_is_not_scored() -> None:
    data = {"shapes3d": {"size": 16, "marginalise": ["scale"]}}
    study = study_of({"name": "a", "data": data, "method": {"vae": {}}, "settings": {"steps": 1}})
    factors = study.data["shapes3d"].dataset.factors
    assert [factor.name for factor in factors if not factor.scored] == ["scale"]
    data["shapes3d"]["marginalise"] = ["size"]
    with pytest.raises(ValueError, match=r"data\.shapes3d: marginalise: unknown factor 'size'"):
        study_of({"name": "a", "data": data, "method": {"vae": {}}})


def test_adding_a_seed_or_a_method_renames_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    before = {n.key for n in make_plan(study_of(tables()), store).nodes}
    more = {**TINY["method"], "vae": {}}
    after = {n.key for n in make_plan(study_of(tables(seeds=3, method=more)), store).nodes}
    assert before < after


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sedes": 3}, "unknown table 'sedes'. Did you mean seeds"),
        ({"settings": {"step": 3}}, "unknown setting 'step'"),
        ({"method": {"beta-vea": {}}}, "unknown method 'beta-vea'"),
        ({"method": {"beta-vae": {"bata": 1}}}, "unknown hyperparameter of beta-vae 'bata'"),
        ({"metrics": ["migg"]}, "unknown metric 'migg'"),
        ({"first_seed": 0}, "fresh seeds must not be among"),
        ({"seeds": []}, "at least one seed"),
        ({"method": {"ae": {"data": "moon"}}}, "which the study does not have"),
        ({"data": {"shapes3d": {"variants": ["modified"]}}}, "need an epsilon"),
        ({"data": {"shapes3d": {"variants": ["blue"]}}}, "unknown variant 'blue'"),
    ],
)
def test_mistakes_are_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        study_of(tables(**changes))


def test_mistakes_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("name = ")
    with pytest.raises(ValueError, match=r"a\.toml is not TOML"):
        read_study(tmp_path / "a.toml")
    (tmp_path / "b.toml").write_text("name = 'b'")
    with pytest.raises(ValueError, match=r"b\.toml: a study needs 'data'"):
        read_study(tmp_path / "b.toml")


def test_the_price_counts_runs_and_steps() -> None:
    study = study_of(tables())
    found = estimate_price(study, seconds=0.01)
    assert found.runs == study.n_runs == 3 + 3 * 3 * 2
    assert found.steps == 60 * found.runs
    assert found.hours >= 0


def test_a_whole_experiment_is_one_declaration(tmp_path: Path) -> None:
    """Search, change, and fresh runs on three variants; started again, nothing is left to do."""
    settings = {**TINY["settings"], "steps": 15}
    study = study_of(tables(seeds=1, settings=settings, method={"beta-vae": {"beta": 0.01}}))
    store = Store(tmp_path / "s")
    ended = run_study(study, store)
    assert (ended.finished, ended.failed, ended.waiting) == (3 + 1 + 3, {}, 0)
    rows = study_rows(store)
    assert {row.variant for row in rows} == {"search", "original", "modified", "noise"}
    assert len(rows) == (2 + CLOSING) * (3 + 3)
    assert run_study(study, store) == ended
    write_rows(tmp_path / "rows.csv", rows)
    assert read_rows(tmp_path / "rows.csv") == rows
    known = list_known_runs([tmp_path / "rows.csv"], study.metrics)
    assert known == {row.run for row in rows}
    # Elsewhere, with the change and the rows of the other variants given: one run is left.
    others = frozenset(row.run for row in rows if row.variant != "modified")
    elsewhere = Store(tmp_path / "t")
    [learned] = (tmp_path / "s" / "manipulations").iterdir()
    elsewhere.declare(study.declaration)
    take_change(elsewhere, learned)
    into = tmp_path / "more.csv"
    ended = run_study(study, elsewhere, known=others, after_each=partial(add_rows, into, elsewhere))
    assert (ended.finished, ended.waiting) == (1, 0)
    assert read_rows(into) == [row for row in rows if row.variant == "modified"]


def test_a_study_does_not_shrink_when_its_changes_are_deleted(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv(QUIET, "1")
    settings = {**TINY["settings"], "steps": 5}
    methods = {"beta-vae": {"beta": 0.01}}
    study = study_of(tables(settings=settings, method=methods, metrics=["mig"], seeds=1))
    store = Store(tmp_path)
    ended = run_study(study, store, engine=inline)
    rows = study_rows(store)
    shutil.rmtree(tmp_path / "manipulations")
    store.plan(node.line for node in make_plan(study, store).nodes)
    assert sorted(map(str, study_rows(store))) == sorted(map(str, rows))
    assert run_study(study, store, engine=inline) == ended  # it is learned again, to the same bits
    assert sorted(map(str, study_rows(store))) == sorted(map(str, rows))
    # With its search known from rows alone, nothing can be learned: such a study is not done.
    known = frozenset(row.run for row in rows if row.variant == "search")
    assert run_study(study, Store(tmp_path / "b"), engine=inline, known=known).waiting == 1


def test_a_runner_without_a_compiler_says_once_what_would_help(tmp_path, monkeypatch, capfd):
    """Its workers, of which each would find out, are silent."""
    monkeypatch.delenv(QUIET, raising=False)
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "cache"))
    ended = run_study(study_of(linear(1, steps=1)), Store(tmp_path / "runs"))
    assert ended.finished == 2
    said = capfd.readouterr().err
    assert said.count("PyTorch's convolutions are in use (there is no C++ compiler)") == 1


def test_workers_start_before_the_plan_serve_all_rounds_and_do_not_start_if_all_is_done(
    tmp_path, monkeypatch
):
    seen: list[set[int]] = []

    def plan(*given):
        seen.append({process.pid for process in multiprocessing.active_children()})
        return make_plan(*given)

    monkeypatch.setenv(QUIET, "1")
    monkeypatch.setattr("gordium.study.runner.make_plan", plan)
    study = study_of(linear(1, steps=1))
    run_study(study, Store(tmp_path))
    first, *others = seen
    assert len(first) == 2
    assert others == [first] * len(others)
    assert not multiprocessing.active_children()
    seen.clear()
    assert run_study(study, Store(tmp_path)).finished == 2
    assert seen == [set()]


def test_what_waits_for_a_change_does_not_wait_for_all_else(tmp_path: Path, monkeypatch) -> None:
    """The change is the next thing after its search, and then come all variants, seed by seed."""
    settings = {**TINY["settings"], "steps": 5}
    study = study_of(
        tables(settings=settings, method={"beta-vae": {"beta": 0.01}}, metrics=["mig"])
    )
    order: list[str] = []

    def engine(jobs, *, take, ended, **_):
        outcomes = []
        for job in jobs:
            taken = take(job)
            outcome = Outcome(job, skipped=taken is None)
            if taken is not None:
                outcome = Outcome(job, taken.function(*taken.arguments))
                order.append(job.label.split()[1])
                ended(outcome)
            outcomes.append(outcome)
        return outcomes

    monkeypatch.setenv(QUIET, "1")
    run_study(study, Store(tmp_path), engine=engine)
    assert order[:4] == ["search"] * 3 + ["manipulation"]
    assert order[4:] == ["original", "modified", "noise"] * 2


def test_a_change_of_other_runs_is_not_taken_for_a_study(tmp_path: Path) -> None:
    study = study_of(tables())
    store = Store(tmp_path)
    place = store.manipulation_folder("0123")
    data = study.data["room"]
    declaration = {
        "kind": "manipulation",
        "dataset": data.dataset.declaration,
        "epsilon": data.epsilon,
        "settings": declare_fields(data.search.learning),
        "disentangled": ["a"],
        "entangled": ["b"],
    }
    write_json(place / "config.json", {"hash": "0123", "declaration": declaration})
    (place / GIVEN).touch()
    assert find_given_change(data, {"a", "b", "c"}, store) == place
    assert find_given_change(data, {"a", "c"}, store) is None
    assert find_given_change(dataclasses.replace(data, epsilon=0.1), {"a", "b"}, store) is None
    with pytest.raises(ValueError, match="no finished change"):
        take_change(store, place)


@pytest.mark.parametrize("name", ["../../../evil", "/tmp/evil", ".evil", "a/b", ""])
def test_the_hash_of_a_given_change_does_not_become_a_path(tmp_path: Path, name: str) -> None:
    given, store = tmp_path / "given", Store(tmp_path / "deep" / "within" / "study")
    store.declare({"name": "a"})
    write_sealed(given / "config.json", {"hash": name, "declaration": {"kind": "manipulation"}})
    (given / "model.safetensors").write_bytes(b"0")
    before = set(tmp_path.rglob("*"))
    with pytest.raises(ValueError, match=f"must be plain.*got {name!r}"):
        take_change(store, given)
    assert set(tmp_path.rglob("*")) == before


def test_rows_of_another_folder_count_as_finished(tmp_path: Path) -> None:
    study = study_of(linear(1, 5))
    first = Store(tmp_path / "a")
    run_study(study, first, workers=1)
    known = frozenset(row.run for row in study_rows(first))
    ended = run_study(study, Store(tmp_path / "b"), known=known)
    assert ended.finished == 0
    assert not (tmp_path / "b" / "runs").exists()


def test_a_failed_run_is_kept_and_the_others_go_on(tmp_path: Path) -> None:
    given = linear(1, 5)
    given["method"]["slow-vae"] = {}  # needs pairs, and this data set has none
    study = study_of(given)
    store = Store(tmp_path)
    ended = run_study(study, store, workers=1)
    assert ended.finished == 2
    [failure] = ended.failed.values()
    assert "not a grid" in failure["error"]
    assert [row.method for row in study_rows(store) if row.failed] == ["slow-vae"]


def rows_text(folder: Path) -> str:
    write_rows(folder / "rows.csv", study_rows(Store(folder)))
    return (folder / "rows.csv").read_text()


def start(file: Path, out: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "gordium", "study", "run", str(file), "--out", str(out)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, start_new_session=True, **quiet)


def toml(folder: Path, n_seeds: int, steps: int) -> Path:
    path = folder / "short.toml"
    path.write_text(
        f'name = "short"\nmetrics = ["mcc"]\nseeds = {n_seeds}\n'
        f'[settings]\nsteps = {steps}\narchitecture = "linear"\nlikelihood = "gaussian"\n'
        '[data.square]\nname = "synthetic-linear"\nn = 200\n'
        "[method.beta-vae]\nbeta = [0.001, 0.01]\n"
    )
    return path


def kill_at_random(file: Path, out: Path, kills: int, longest: float) -> None:
    """Start, kill everything or a part of it, and so on; then let it end."""
    chance = random.Random(0)
    for _ in range(kills):
        runner = start(file, out)
        time.sleep(chance.uniform(0, longest))
        if chance.random() < 0.5:
            runner.kill()
        else:
            os.killpg(runner.pid, signal.SIGKILL)
        runner.wait()
    assert start(file, out).wait() == 0


def test_kills_change_no_row(tmp_path: Path) -> None:
    file = toml(tmp_path, n_seeds=3, steps=400)
    assert start(file, tmp_path / "calm").wait() == 0
    kill_at_random(file, tmp_path / "killed", kills=3, longest=8.0)
    assert rows_text(tmp_path / "killed") == rows_text(tmp_path / "calm")
    assert len(study_rows(Store(tmp_path / "calm"))) == 6 * (1 + CLOSING)


def test_two_runners_share_the_work(tmp_path: Path) -> None:
    file = toml(tmp_path, n_seeds=4, steps=200)
    runners = [start(file, tmp_path / "shared") for _ in range(2)]
    assert [runner.wait() for runner in runners] == [0, 0]
    lines = Store(tmp_path / "shared").read_finished()
    assert len(lines) == 8  # none was done twice
    assert len(study_rows(Store(tmp_path / "shared"))) == 8 * (1 + CLOSING)
