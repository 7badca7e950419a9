"""The exhibits of Rolinek et al. 2019 that train: all parts run, and what is measured is right."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from gordium.exhibits.base import Place
from gordium.exhibits.reproduce import reproduce
from gordium.exhibits.rolinek2019 import figure3 as rolinek_figure3
from gordium.exhibits.rolinek2019 import figure_s4 as rolinek_figure_s4
from gordium.exhibits.rolinek2019 import figure_s5 as rolinek_figure_s5
from gordium.exhibits.rolinek2019 import table1 as rolinek_table1
from gordium.exhibits.rolinek2019 import table2 as rolinek_table2
from gordium.exhibits.rolinek2019 import table_s4 as rolinek_table_s4
from gordium.exhibits.rolinek2019.models import (
    SETUPS,
    Setup,
    list_available,
    make_dsprites,
    make_linear,
    make_nonlinear,
)
from gordium.geometry import polarised_regime

RESULTS = Path(__file__).parents[3] / "results"

ASKED = ("synthetic-linear", "mnist")
MODULES = {
    "rolinek2019-table1": rolinek_table1,
    "rolinek2019-table2": rolinek_table2,
    "rolinek2019-tableS4": rolinek_table_s4,
    "rolinek2019-figureS5": rolinek_figure_s5,
    "rolinek2019-figureS4": rolinek_figure_s4,
    "rolinek2019-figure3": rolinek_figure3,
}


@pytest.mark.parametrize("name", MODULES)
def test_smoke_is_made_and_shows_nothing(name, tmp_path: Path, judged) -> None:
    made = MODULES[name].make(Place("smoke", tmp_path, 1))
    assert "seen" not in judged(name, made).values()
    assert made.rows
    assert all(len(line) == len(made.head) for line in made.table)
    assert all(picture.startswith(b"\x89PNG") for picture in made.pictures.values())


@pytest.mark.parametrize("scale", ["smoke", "laptop", "paper"])
@pytest.mark.parametrize("make", [make_linear, make_nonlinear])
def test_tests_are_on_samples_that_no_training_sees(make, scale) -> None:
    setup = make(scale)
    n = len(setup.whole)
    assert len(setup.train) == 0.8 * n
    assert setup.test_indices().min() >= 0.9 * n
    some = np.arange(0, len(setup.train), 97)
    # Training samples are the first of the whole.
    np.testing.assert_allclose(setup.train.images(some), setup.whole.images(some), rtol=1e-6)


def test_images_of_dsprites_are_split_too() -> None:
    setup = make_dsprites("paper")
    n, tested = len(setup.whole), setup.test_indices()
    assert len(setup.train) == pytest.approx(0.8 * n, abs=1)
    assert len(np.unique(tested)) == len(tested) == 73_728  # all of a tenth, as published
    assert not np.isin(tested, setup.train.rows).any()
    # All over the grid, whose first factor has three values.
    assert np.bincount(setup.whole.factors_at(tested)[:, 0]).min() > 24_000


def test_paper_scale_is_table_s3() -> None:
    setup = make_linear("paper")
    assert (setup.beta, setup.settings.epochs, setup.settings.latent_dim) == (1e-4, 600, 2)
    assert (len(setup.whole), setup.whole.ratio) == (50_000, 2.0)
    setup = make_nonlinear("paper")
    assert (setup.beta, setup.settings.epochs) == (1e-3, 600)
    assert setup.settings.architecture.decoder_widths == (60, 40, 20)
    setup = make_dsprites("paper")
    assert (setup.beta, setup.settings.epochs, setup.settings.latent_dim) == (4.0, 50, 5)
    assert setup.settings.architecture.encoder_widths == (1200, 1200)


@pytest.mark.parametrize(("name", "beta"), [("synthetic-linear", 1e-4),
                                           ("synthetic-nonlinear", 1e-3)])  # fmt: skip
def test_regime_is_watched_as_published_but_for_its_length(name, beta) -> None:
    setup, theirs = (rolinek_table1.choose_setup(scale, name) for scale in ("laptop", "paper"))
    assert (setup.beta, setup.settings.steps, len(setup.whole)) == (beta, 50_000, 50_000)
    assert setup.settings.optimiser == theirs.settings.optimiser
    assert setup.settings.architecture == theirs.settings.architecture
    assert rolinek_table1.SIZES["laptop"][name].every == 500


def test_at_paper_scale_beta_is_swept_with_seeds_that_chose_nothing() -> None:
    seeds = {s: {plan.seed for plan in rolinek_figure_s4.declare_plans(s)}
             for s in ("laptop", "paper")}  # fmt: skip
    assert seeds == {"laptop": {0, 1}, "paper": set(range(100, 110))}


def test_x_has_half_of_the_range_of_y_and_every_restart_its_own_seed() -> None:
    plans = rolinek_figure3.declare_plans("laptop")
    assert len({plan.seed for plan in plans}) == len(plans) == 30
    assert [plan.labels["steps"] for plan in plans[:3]] == [1000, 2500, 5000]
    whole = plans[0].setup.whole
    assert {f.name: f.size for f in whole.factors} == {"scale": 6, "x": 16, "y": 32}
    tested = plans[0].setup.test_indices()
    assert len(tested) == 300
    assert not np.isin(tested, plans[0].setup.train.rows).any()
    drawn = whole.images(np.arange(len(whole))).max(axis=(0, 1))
    across, down = (np.ptp(np.flatnonzero(drawn.any(axis=axis))) for axis in (0, 1))
    assert across < 0.8 * down


def test_recorded_approximation_is_that_of_the_regime() -> None:
    generator = torch.Generator().manual_seed(0)
    means = torch.randn(50, 3, generator=generator, dtype=torch.float64)
    log_variances = torch.randn(50, 3, generator=generator, dtype=torch.float64) - torch.tensor(
        [4.0, 2.0, -3.0]
    )
    regime = polarised_regime(means.numpy(), log_variances.numpy())
    assert regime.is_active.tolist() == [True, True, False]
    found = rolinek_table1.approximate_kl(means, log_variances)
    assert float(found) == pytest.approx(regime.approximate_kl)


@pytest.mark.parametrize("degrees", [0.0, 10.0, 45.0, 80.0, 130.0])
def test_turn_of_a_square_is_found(degrees) -> None:
    square = np.random.default_rng(0).random((200, 2))
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    off_axis, first, second = rolinek_figure_s5._turn(square, 3 * square @ turn + 1)
    nearest = min(degrees % 90, 90 - degrees % 90)
    assert off_axis == pytest.approx(nearest, abs=1e-6)
    assert (first, second) == (pytest.approx(3), pytest.approx(3))


@pytest.fixture
def clothes() -> Setup:
    found = list_available(["fashion-mnist"], "laptop")
    if not found:
        pytest.skip("the files of Fashion-MNIST are not here")
    return found["fashion-mnist"]


def test_images_of_clothes_are_tested_on_others_than_trained_on(clothes: Setup) -> None:
    assert not set(clothes.train.rows) & set(clothes.test_indices())
    assert (len(clothes.train), len(set(clothes.test_indices()))) == (8000, 1000)
    assert clothes.settings.architecture.decoder_widths == (500, 500)
    assert (clothes.settings.latent_dim, clothes.beta) == (6, 1.0)


def test_data_sets_without_files_are_left_out_and_named(monkeypatch, tmp_path: Path) -> None:
    def absent(_scale: str) -> Setup:
        raise FileNotFoundError("no file")

    monkeypatch.setitem(SETUPS, "mnist", absent)
    monkeypatch.setitem(rolinek_table1.SIZES, "smoke",
                        dict.fromkeys(ASKED, rolinek_table1.Size((0,), 10)))  # fmt: skip
    made = rolinek_table1.make(Place("smoke", tmp_path, 1))
    assert {line[0] for line in made.table} == {"synthetic-linear"}
    assert made.notes[-1] == "Left out, as their files are not here: mnist."


@pytest.mark.parametrize("name", ["rolinek2019-table1", "rolinek2019-table2"])
def test_rows_of_data_sets_without_files_are_kept(name, monkeypatch, tmp_path: Path) -> None:
    def absent(_scale: str) -> Setup:
        raise FileNotFoundError("no file")

    monkeypatch.setitem(SETUPS, "mnist", absent)
    monkeypatch.setitem(rolinek_table1.SIZES, "smoke",
                        dict.fromkeys(ASKED, rolinek_table1.Size((0,), 10)))  # fmt: skip
    monkeypatch.setitem(rolinek_table2.SIZES, "smoke", dict.fromkeys(ASKED, 1))
    out = tmp_path / "out"
    shutil.copytree(RESULTS / name, out)
    before = (RESULTS / name / "rows.csv").read_text(encoding="utf-8").splitlines()
    written = reproduce(name, Place("smoke", tmp_path / "runs", 1), out=out, command="again")
    after = (out / "rows.csv").read_text(encoding="utf-8").splitlines()
    assert after[0] == before[0]
    for data in ("mnist", "fashion-mnist"):  # the second is not asked for here
        kept, old = ([row for row in table if row.startswith(f"{data},")]
                     for table in (after, before))  # fmt: skip
        assert kept == (old if data == "mnist" else [])
    lines = {line.line.of for verdict in written.verdicts for line in verdict.lines}
    assert any(of.startswith("mnist, ") for of in lines)
    assert "mnist" in {line[0] for line in written.made.table}
    assert written.made.notes[-1].startswith("Kept as they were (scale ")
    assert "as their files are not here: mnist." in written.made.notes[-1]
