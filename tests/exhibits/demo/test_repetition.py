"""A whole repetition at the smallest size, twice."""

from dataclasses import replace

import pytest

from gordium.exhibits.demo import GaveUp, Repetition, recipe, repetition
from gordium.exhibits.demo.other_methods import Other, list_others
from gordium.exhibits.demo.page import ARMS, fresh_rows, repetitions_table
from gordium.exhibits.demo.recipe import cube_on_any_floor
from gordium.exhibits.demo.run import finish_factors, finish_others, finish_rows
from gordium.manipulation import Limits, ManipulationSettings
from gordium.methods import AE, PCL, BetaVAE
from gordium.networks import Mlp
from gordium.training import Adam, Settings

ANY = Limits(disentangled=0.0, entangled=1.0, loss=1e9)


def tiny(**changes):
    settings = Settings(
        latent_dim=2,
        steps=30,
        architecture=Mlp((16,), (16,)),
        optimiser=Adam(learning_rate=1e-2),
    )
    how = replace(
        recipe(),
        dataset=cube_on_any_floor(16),
        method=BetaVAE(beta=0.01),
        search=settings,
        probe=settings,
        fresh=settings,
        learning=ManipulationSettings(steps=2, settled=True),
        limits=ANY,
        search_round=2,
        most_runs=2,
        waves=(1.0, 0.6),
        probes=1,
        n_fresh=2,
    )
    return replace(how, **changes)


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
    made = list(tmp_path.glob("exhibits/*/*/model.safetensors"))
    assert {path.parts[-3] for path in made} == {"runs", "manipulations"}
    files = {path: path.stat().st_mtime_ns for path in made}
    rows = finish_rows(this, "command")
    assert all(path.stat().st_mtime_ns == then for path, then in files.items())
    fresh = fresh_rows(rows)
    arms = ("original", "modified", "noise", "equal noise", "worst noise", "waves", "swapped")
    assert {row.variant for row in fresh} == set(arms)
    assert {row.seed for row in fresh} == {13_000, 13_001}
    assert {row.seed for row in rows if row.variant == "search"} == {10_000, 10_001}
    assert all((tmp_path / name).exists() for name in ("rows.csv", "report.html", "figure4.png"))
    assert finish_rows(this, "command") == rows
    assert repetitions_table({0: fresh})[0][0] == "0"


def test_factors_and_other_methods_are_rows_of_their_own(tmp_path, monkeypatch):
    def some(how):
        return [Other(AE(), how.fresh), Other(PCL(), how.fresh)]

    monkeypatch.setattr(repetition, "list_others", some)
    this = Repetition(1, tiny(each_kind=1), tmp_path, workers=1, controls=False)
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
    assert [each.method.name for each in list_others(recipe())] == names


def test_a_repetition_whose_search_fails_leaves_no_rows(tmp_path):
    never = tiny(limits=Limits(disentangled=2.0, entangled=-1.0, loss=1e9))
    with pytest.raises(GaveUp, match="Repetition 4 has failed"):
        finish_rows(Repetition(4, never, tmp_path, workers=1), "command")
    assert not (tmp_path / "rows.csv").exists()
