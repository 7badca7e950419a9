"""A whole repetition at the smallest size, twice."""

import tomllib
from dataclasses import replace

import pytest

from gordium.exhibits import headline_page
from gordium.exhibits.demo import GaveUp, Repetition, find_rung, repetition
from gordium.exhibits.demo.other_methods import list_others
from gordium.exhibits.demo.page import repetitions_table
from gordium.exhibits.demo.run import finish_factors, finish_others, finish_rows
from gordium.methods import AE, PCL
from gordium.report.rows import fresh_rows
from gordium.study.data import VARIANTS as ARMS
from gordium.study.read import study_of

ANY = {"disentangled": 0.0, "entangled": 1.0, "loss": 1e9}
NEVER = {"disentangled": 2.0, "entangled": -1.0, "loss": 1e9}
ALL = ("original", "modified", "noise", "equal noise", "worst noise", "waves", "swapped")
TINY = """
name = "demo-tiny"
seeds = 2
first_seed = 13_000
[settings]
steps = 30
architecture = { name = "mlp", encoder_widths = [16], decoder_widths = [16] }
optimiser = { name = "adam", learning_rate = 1e-2 }
[method.beta-vae]
beta = 0.01
[data.shapes3d]
size = 16
hold = { wall_hue = 5, object_hue = 0, scale = 4, shape = 0 }
variants = ["original", "modified", "noise", "equal noise", "worst noise", "waves", "swapped"]
epsilon = 0.175
noise_seed = 14_000
[data.shapes3d.search]
method = { name = "beta-vae", beta = 0.01 }
seeds = 2
first_seed = 10_000
per_round = 2
learning = { seed = 11_000, steps = 2, settled = true }
waves = [1.0, 0.6]
room = false
probe = { seeds = 1, first_seed = 12_000 }
"""


def tiny(limits=ANY, **search):
    tables = tomllib.loads(TINY)
    tables["data"]["shapes3d"]["search"] |= {"limits": limits, **search}
    return study_of(tables)


def test_a_repetition_leaves_rows_of_every_phase_and_is_not_made_twice(tmp_path):
    this = Repetition(0, tiny(), tmp_path, workers=1)
    first = finish_rows(replace(this, controls=False), "command")
    assert {row.variant for row in first} == {
        "original",
        "modified",
        "noise",
        "equal noise",
        "search",
        "probe modified 1",
        "probe modified 2",
    }
    made = list(tmp_path.glob("*/*/model.safetensors"))
    assert {path.parts[-3] for path in made} == {"runs", "manipulations"}
    files = {path: path.stat().st_mtime_ns for path in made}
    rows = finish_rows(this, "command")
    assert all(path.stat().st_mtime_ns == then for path, then in files.items())
    fresh = fresh_rows(rows)
    assert tuple(dict.fromkeys(row.variant for row in fresh)) == ALL
    assert {row.dataset for row in rows} == {"shapes3d"}
    assert {row.seed for row in fresh} == {13_000, 13_001}
    assert {row.seed for row in rows if row.variant == "search"} == {10_000, 10_001}
    assert all((tmp_path / name).exists() for name in ("rows.csv", "report.html", "figure4.png"))
    assert finish_rows(this, "command") == rows
    assert finish_rows(replace(this, controls=False), "command") == rows
    assert repetitions_table({0: fresh})[0][0] == "0"


def test_factors_and_other_methods_are_rows_of_their_own(tmp_path, monkeypatch):
    def some(rung):
        return [replace(rung.arms[0], method=method) for method in (AE(), PCL())]

    monkeypatch.setattr(repetition, "list_others", some)
    this = Repetition(1, tiny(), tmp_path, workers=1, controls=False)
    finish_rows(this, "command")
    accuracies = finish_factors(this)
    assert [row.variant for row in accuracies] == [arm for arm in ARMS for _ in range(2)]
    rows = finish_others(this)
    assert {row.method for row in rows} == {"ae", "pcl"}
    assert {row.variant for row in rows} == set(ARMS)
    assert {row.seed for row in rows} == {25_000, 25_001}
    assert finish_others(this) == rows


def test_table_1_has_six_methods_beside_the_beta_vae():
    names = ["ae", "factor-vae", "beta-tcvae", "slow-vae", "pcl", "weak-gan"]
    assert [each.method.name for each in list_others(find_rung("0"))] == names


def test_rungs_of_designed_changes_have_methods_of_their_own():
    names = {
        k: [each.method.name for each in list_others(find_rung(k))] for k in ("1", "2-designed")
    }
    assert (len(names["1"]), names["2-designed"]) == (6, ["ae", "pcl"])


def test_a_repetition_whose_search_fails_leaves_no_rows(tmp_path):
    this = Repetition(4, tiny(limits=NEVER), tmp_path, workers=1)
    for _ in range(2):
        with pytest.raises(GaveUp, match="Repetition 4 has failed"):
            finish_rows(this, "command")
    assert not (tmp_path / "rows.csv").exists()
    held = [(line["variant"], line["seed"]) for line in this.store.read_plan()]
    assert held == [("search", 50_000), ("search", 50_001)]


def test_a_repetition_whose_two_kinds_are_the_same_runs_has_no_room_and_says_so(tmp_path):
    this = Repetition(4, tiny(room=True), tmp_path, workers=1)
    with pytest.raises(GaveUp, match=r"no change can pay: .* Repetition 4 has failed"):
        finish_rows(this, "command")
    held = [line["variant"] for line in this.store.read_plan()]
    assert held == ["search", "search", "room"]


def test_the_page_says_what_room_there_was_if_that_was_asked(tmp_path, monkeypatch):
    this = Repetition(0, tiny(room=True), tmp_path)
    assert headline_page.say_room(this.name, this.study, this.store) == ""
    record = {"room": -0.8686, "tied": 70.8106}
    monkeypatch.setattr(headline_page, "find_asked_room", lambda *given: record)
    said = headline_page.say_room(this.name, this.study, this.store)
    assert "L_ent - L_dis to -0.87, both being 70.8 on the originals" in said
    assert "necessary and not sufficient" in said


def test_a_folder_of_another_repetition_or_rung_is_refused(tmp_path):
    finish_rows(Repetition(0, tiny(), tmp_path, workers=1, controls=False), "command")
    with pytest.raises(ValueError, match="holds the study 'demo-tiny-repetition-0', not 'demo-"):
        finish_rows(Repetition(1, tiny(), tmp_path, workers=1), "command")
    other = replace(tiny(), name="demo-other")
    with pytest.raises(ValueError, match="not 'demo-other-repetition-0'; choose another folder"):
        finish_rows(Repetition(0, other, tmp_path, workers=1), "command")
