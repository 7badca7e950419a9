"""Which rows belong to a study, which count as finished, and where its file is."""

from pathlib import Path

import pytest

from gordium.exhibits import announce as announcing
from gordium.exhibits import studies
from gordium.exhibits.base import Place
from gordium.exhibits.studies import declare_study, labels, row_files, store_of, study_file
from gordium.report.rows import Row
from gordium.study.plan import make_plan
from gordium.study.price import Price
from gordium.study.store import Store


def row(label, run):
    names = ("dataset", "variant", "method", "strength", "seed")
    return Row(**dict(zip(names, label, strict=True)), run=run, metric="mig", value=0.5)


@pytest.fixture
def laptop(tmp_path):
    """The study at laptop scale, its plan where nothing is done, and its runs' names by label."""
    study = declare_study("zietlow2021", "laptop")
    store = Store(tmp_path)
    plan = make_plan(study, store)
    return study, store, plan


def test_labels_are_those_of_the_plan_and_of_the_runs_that_wait(laptop):
    study, _, plan = laptop
    fresh = [node for node in plan.nodes if node.labels["variant"] != "search"]
    assert len(set(labels(study))) == len(fresh) + plan.waiting
    assert {tuple(node.labels.values()) for node in fresh} <= set(labels(study))


def test_rows_belong_by_hash_and_those_of_unknown_changes_by_label(laptop):
    study, _, plan = laptop
    node = next(node for node in plan.nodes if node.labels["variant"] == "original")
    label = tuple(node.labels.values())
    changed = (label[0], "modified", *label[2:])
    other_seed = (*changed[:-1], 9999)
    rows = [
        row(label, node.key),
        row(label, "of another declaration"),
        row(changed, "of a change learned elsewhere"),
        row(other_seed, "of a change learned elsewhere"),
    ]
    found = list(studies._select_rows(rows, study, plan))
    assert found == [rows[0], rows[2]]


def test_a_search_is_done_again_only_where_its_change_is_needed(laptop):
    study, store, plan = laptop
    searches = {
        name: {
            n.key
            for n in plan.nodes
            if n.labels["variant"] == "search" and n.labels["data"] == name
        }
        for name in study.data
    }
    [first, *_] = study.data
    committed = [row(label, f"run{i}") for i, label in enumerate(labels(study, ["modified"]))]
    committed = [one for one in committed if one.dataset == first]
    finished = frozenset(one.run for one in committed) | searches["shapes3d"]
    known = studies._list_known(study, store, committed, finished)
    assert searches[first] <= known
    assert not searches["shapes3d"] & known


def test_files_of_studies_and_rows_are_found(tmp_path, monkeypatch):
    assert study_file("zietlow2021").name == "zietlow2021.toml"
    monkeypatch.setattr(studies, "ROOT", tmp_path)
    with pytest.raises(FileNotFoundError, match="no study moon"):
        study_file("moon")
    given = (Path("a.csv"),)
    assert row_files(Place("laptop", tmp_path, rows=given), "moon-laptop") == [Path("a.csv")]
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "moon-laptop.csv").touch()
    found = row_files(Place("laptop", tmp_path, rows=given), "moon-laptop")
    assert found == [Path("a.csv"), tmp_path / "results" / "moon-laptop.csv"]


def test_a_folder_that_is_the_study_is_used_as_it_is(tmp_path):
    place = Place("laptop", tmp_path / "runs")
    assert store_of(place, "moon-laptop").folder == tmp_path / "runs" / "moon-laptop"
    Store(tmp_path / "runs").declare({"name": "moon-laptop"})
    assert store_of(place, "moon-laptop").folder == tmp_path / "runs"
    assert store_of(place, "sun-laptop").folder == tmp_path / "runs" / "sun-laptop"


@pytest.mark.parametrize("folder", ["moon", "moon-laptop"])
def test_a_study_that_was_run_here_under_its_name_is_found_without_being_told(
    folder, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Store(Path(folder)).declare({"name": "moon-laptop"})
    assert store_of(Place("laptop", tmp_path / "runs"), "moon-laptop").folder == Path(folder)


def test_what_will_be_trained_is_said_before_it_is(laptop, monkeypatch, capsys):
    study, store, plan = laptop
    monkeypatch.delenv("GORDIUM_QUIET", raising=False)
    monkeypatch.setattr(announcing, "estimate_price", lambda s: Price(s.n_runs, 10, 8.0, {}))
    place = Place("laptop", Path("here"), 2)
    runs = [node for node in plan.nodes if node.kind == "run"]
    announcing.announce(place, study, store, frozenset())
    said = capsys.readouterr().err
    assert f"{len(runs) + plan.waiting} of {study.n_runs} runs are neither in here nor" in said
    assert "hours with 2 workers" in said
    assert "--finished trains nothing" in said
    announcing.announce(Place("smoke", Path("here")), study, store, frozenset())
    assert capsys.readouterr().err == ""


def test_rows_of_an_earlier_declaration_are_named(monkeypatch):
    study = declare_study("locatello2019", "laptop")
    monkeypatch.setattr(announcing, "estimate_price", lambda s: Price(s.n_runs, 10, 0.5, {}))
    said = announcing.say_work(Place("laptop", Path("here"), 1), study, 3)
    assert "results/locatello2019-unscaled.csv have other strengths" in said
    assert "--scale unscaled --finished" in said
