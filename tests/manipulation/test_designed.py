"""Changes that are designed: what they maximise, and that no model is asked."""

import numpy as np
import pytest
import torch

import gordium as gd
from gordium.datasets import FromArrays
from gordium.manipulation import ManipulationSettings, manipulate
from gordium.manipulation.designed import (
    hadamard_gap,
    make_filter,
    mean_local_variance,
    thin_grid,
)
from gordium.methods import BetaVAE
from gordium.networks import Convolutional
from gordium.theory.linear_gaussian import hadamard_gap as gap_of_array
from gordium.training import Adam, Recording

SIZES = (7, 5)


def filters(smoothing):
    return [make_filter(np.arange(n), n, smoothing) for n in SIZES]


def factors():
    grid = np.stack(np.meshgrid(*map(np.arange, SIZES), indexing="ij"), -1).reshape(-1, 2)
    return (grid - (np.array(SIZES) - 1) / 2) / np.sqrt((np.array(SIZES) ** 2 - 1) / 12)


@pytest.mark.parametrize("smoothing", [0.01, 0.3, 5.0])
def test_linear_images_have_their_own_jacobian_whatever_the_smoothing(smoothing):
    jacobian = np.random.default_rng(0).normal(size=(4, 2))
    images = torch.from_numpy(factors() @ jacobian.T + 3).float()
    found = mean_local_variance(images, filters(smoothing)).numpy()
    assert found == pytest.approx(jacobian.T @ jacobian, rel=1e-4)


def test_smoothing_takes_away_what_is_finer_than_it():
    u = 6 * factors()[:, :1]  # 6 radians a standard deviation
    images = torch.from_numpy(np.concatenate([np.sin(u), np.cos(u)], axis=1)).float()
    fine, coarse = (mean_local_variance(images, filters(width))[0, 0] for width in (0.05, 0.6))
    assert coarse < 0.1 * fine


def test_the_gap_is_the_one_of_the_theory_and_zero_where_factors_are_the_axes():
    root = np.random.default_rng(1).normal(size=(3, 3))
    variance = root @ root.T
    assert float(hadamard_gap(torch.from_numpy(variance))) == pytest.approx(gap_of_array(variance))
    assert float(hadamard_gap(torch.diag(torch.tensor([4.0, 1.0, 9.0])))) == pytest.approx(0)


def test_large_grids_are_thinned_and_keep_every_combination(room):
    values, indices = thin_grid(room, most=20)
    assert len(indices) == np.prod([len(some) for some in values]) <= 20
    rows = room.factors_at(indices)
    assert [sorted(set(column)) for column in rows.T] == [list(some) for some in values]


def test_what_is_no_grid_is_refused_with_what_to_do():
    images, labels = np.zeros((3, 1, 4, 4), np.uint8), np.array([[0, 0], [0, 1], [1, 0]])
    with pytest.raises(ValueError, match=r"designed on a grid.*Learn one from runs"):
        thin_grid(FromArrays(images, labels))


@pytest.fixture(scope="module")
def run(room, tmp_path_factory):
    settings = {"latent_dim": 2, "architecture": Convolutional(0.125), "optimiser": Adam(3e-3)}
    folder = tmp_path_factory.mktemp("designed")
    return gd.train(BetaVAE(beta=0.01), room, steps=2, folder=folder, **settings)


def test_the_gap_grows_and_the_change_stays_within_its_bound(room, run, tmp_path):
    settings = ManipulationSettings(
        steps=40, wave=1.0, smoothing=0.3, optimiser=Adam(learning_rate=3e-3, eps=1e-7)
    )
    found = manipulate(
        room,
        disentangled=[run],
        entangled=[],
        epsilon=0.175,
        folder=tmp_path / "a",
        settings=settings,
        recording=Recording(record_every=1),
    )
    gaps = [row["gap"] for row in found.history]
    assert gaps[-1] > 2 * gaps[0]
    assert np.abs(found.changes(room.factors_at(np.arange(len(room))))).max() <= 0.175


def test_a_factor_that_moves_no_pixel_is_named(run, tmp_path):
    images = np.zeros((6, *run.spec.dataset.image_shape), np.uint8)
    images[3:] = 255
    labels = np.stack(np.meshgrid(range(2), range(3), indexing="ij"), -1).reshape(-1, 2)
    settings = ManipulationSettings(smoothing=0.3, steps=1)
    dataset = FromArrays(images, labels, names=("moves", "still"))
    with pytest.raises(ValueError, match=r"still moves no pixel.*hold\(still=0\)"):
        manipulate(
            dataset, disentangled=[run], entangled=[], epsilon=0.1, folder=tmp_path,
            settings=settings,
        )  # fmt: skip


def test_a_design_takes_no_turned_copies():
    with pytest.raises(ValueError, match="give one of them"):
        ManipulationSettings(smoothing=0.3, turns=2, settled=True)


def test_runs_of_both_kinds_and_a_width_of_zero_are_refused(room, run, tmp_path):
    with pytest.raises(ValueError, match="smoothing"):
        ManipulationSettings(smoothing=0.0)
    settings = ManipulationSettings(smoothing=0.3)
    with pytest.raises(ValueError, match="runs of one kind are given"):
        manipulate(
            room, disentangled=[run], entangled=[run], epsilon=0.1, folder=tmp_path / "b",
            settings=settings,
        )  # fmt: skip


def test_a_design_along_some_factors_depends_on_no_other(run, tmp_path):
    dataset = gd.load_dataset("shapes3d", size=16).hold(wall_hue=5, object_hue=0, shape=0)
    names = ("scale", "orientation")
    settings = ManipulationSettings(
        steps=4, wave=1.0, smoothing=0.3, along=names, optimiser=Adam(learning_rate=3e-3)
    )
    change = manipulate(
        dataset,
        disentangled=[run],
        entangled=[],
        epsilon=0.2,
        folder=tmp_path / "m",
        settings=settings,
    )
    rows = np.array([[floor, 3, 7] for floor in range(10)] + [[0, 4, 7], [0, 3, 8]])
    changes = change.changes(rows)
    assert (changes[:10] == changes[0]).all()
    assert (changes[10] != changes[0]).any()
    assert (changes[11] != changes[0]).any()


def test_other_factors_are_drawn_and_named_ones_have_every_combination():
    dataset = gd.load_dataset("shapes3d", size=16)
    values, indices = thin_grid(dataset, [3, 5], seed=1, most=500)
    grids = dataset.factors_at(indices).reshape(-1, 8, 15, 6)
    assert len(grids) == 4
    assert (grids[:, :, :, [0, 1, 2, 4]] == grids[:, :1, :1, [0, 1, 2, 4]]).all()
    assert (grids[..., 3] == values[0][:, None]).all()
    assert (grids[..., 5] == values[1]).all()
    assert len(np.unique(grids[:, 0, 0, [0, 1, 2, 4]], axis=0)) == 4


def test_the_mean_local_variance_of_several_grids_is_their_mean():
    rng = np.random.default_rng(2)
    both = [torch.from_numpy(rng.normal(size=(35, 4))).float() for _ in range(2)]
    each = [mean_local_variance(images, filters(0.3)).numpy() for images in both]
    found = mean_local_variance(torch.cat(both), filters(0.3)).numpy()
    assert found == pytest.approx(np.mean(each, axis=0), rel=1e-4)


@pytest.mark.parametrize(
    ("along", "smoothing", "said"),
    [
        (("scale", "orientation"), None, "need `smoothing`"),
        (("scale",), 0.3, "two factors or more"),
        (("scale", "scale"), 0.3, "each once"),
    ],
)
def test_factors_that_cannot_be_turned_are_refused(along, smoothing, said):
    with pytest.raises(ValueError, match=said):
        ManipulationSettings(along=along, smoothing=smoothing)


def test_steps_that_lead_make_the_change_vary_before_it_is_added(room, run, tmp_path):
    found = {
        lead: manipulate(
            room,
            disentangled=[run],
            entangled=[],
            epsilon=0.175,
            folder=tmp_path / str(lead),
            settings=ManipulationSettings(
                steps=31, lead=lead, wave=1.0, smoothing=0.3, optimiser=Adam(learning_rate=3e-3)
            ),
        )
        for lead in (0, 30)
    }
    rows = room.factors_at(np.arange(len(room)))
    spread = {lead: change.changes(rows).std(axis=0).mean() for lead, change in found.items()}
    assert spread[30] > 2 * spread[0]


def test_more_steps_that_lead_than_steps_are_refused():
    with pytest.raises(ValueError, match="lead must be at most 10"):
        ManipulationSettings(steps=10, lead=11, smoothing=0.3)
