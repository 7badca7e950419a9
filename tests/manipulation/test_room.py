"""Whether any change can pay, asked of encoders before one is learned."""

import numpy as np
import pytest
import torch

import gordium as gd
from gordium.datasets import reflect
from gordium.evaluation.representation import choose_rows
from gordium.manipulation import find_room
from gordium.manipulation import room as module
from gordium.manipulation.manipulator import standardise
from gordium.manipulation.room import DRAWS, FREQUENCIES, PHASES, list_waves
from gordium.manipulation.settled import confusion
from gordium.methods import BetaVAE
from gordium.networks import Mlp

EPSILON = 0.175


@pytest.fixture(scope="module")
def runs(room, tmp_path_factory):
    """Two runs, of which only what they stand for matters: their codes are put in their place."""
    folder = tmp_path_factory.mktemp("room")
    return [
        gd.train(
            BetaVAE(),
            room,
            steps=1,
            seed=seed,
            latent_dim=2,
            architecture=Mlp((8,), (8,)),
            folder=folder / str(seed),
        )
        for seed in (0, 1)
    ]


@pytest.fixture
def ask(room, runs, monkeypatch):
    """ask(aligned, turned): the room if the kinds encode the factors with noise of these sizes."""

    def find(aligned, turned):
        w = order_factors(room)
        axes = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
        codes = {
            runs[0].folder: (w, log_variances(w, aligned)),
            runs[1].folder: (w @ axes, log_variances(w, turned)),
        }
        monkeypatch.setattr(module, "encode_images", lambda run, dataset: codes[run.folder])
        dis, ent = runs
        found = find_room(room, disentangled=[dis], entangled=[ent], epsilon=EPSILON)
        return found, list(codes.values())

    return find


def order_factors(room):
    """The factors in standard deviations, in the order in which images are encoded."""
    rows = choose_rows(len(room), n=2000)
    return standardise(room.factors, room.factors_at(rows)).double().numpy()


def log_variances(w, sizes):
    return np.broadcast_to(2 * np.log(np.asarray(sizes, float)), w.shape)


def loss(matrix, images):
    """The squared error of the best decoder, value by value: x^T Q x."""
    return np.array([column @ matrix @ column for column in images.T])


def test_the_gain_is_that_of_the_best_wave_on_the_changed_images(room, ask):
    """All waves are tried once more, in double precision, value by value, with both losses."""
    found, (dis, ent) = ask((0.2, 0.6), 0.3)
    x = room.images(choose_rows(len(room), n=2000)).reshape(len(room), -1) / 255
    w = order_factors(room)

    def compare(draw):
        matrices = [confusion(*each, seed=draw) for each in (dis, ent)]
        tied, other = (loss(matrix, x).sum() for matrix in matrices)
        return tied, lambda x: loss(matrices[1], x) * tied / other - loss(matrices[0], x)

    tied, first = compare(0)
    assert found.tied == pytest.approx(tied, rel=1e-4)
    best = (np.inf,)
    for sign in (1, -1):
        for frequency in FREQUENCIES:
            for phase in PHASES:
                u = (w[:, 0] + sign * w[:, 1]) / np.sqrt(2)
                wave = EPSILON * np.tanh(3 * np.cos(frequency * u + phase))[:, None]
                up, down = reflect(x + wave), reflect(x - wave)
                goes_up = first(up) <= first(down)
                changed = np.where(goes_up, up, down)
                if first(changed).sum() < best[0]:
                    best = (first(changed).sum(), changed, sign, frequency)
    assert np.abs(best[1] - x).max() <= EPSILON + 1e-9
    gains = [compare(draw)[1](best[1]).sum() for draw in range(1, DRAWS)]
    assert found.gain == pytest.approx(max(gains), rel=1e-2)
    assert found.frequency == best[3]
    np.testing.assert_allclose(found.direction, np.array([1, best[2]]) / np.sqrt(2), rtol=1e-6)


def test_unequal_noise_leaves_room_for_a_change_along_the_diagonal(ask):
    # A turned code has the harmonic mean of both noises in every direction, the aligned one the
    # arithmetic mean along the diagonal, which is larger.
    aligned = (0.15, 0.6)
    found, _ = ask(aligned, np.sqrt(2 / sum(s**-2 for s in aligned)))
    assert found.gain < -0.01 * found.tied


def test_equal_noise_leaves_none(ask):
    """Turned by any angle, the codes confuse the same images: what is left is chance."""
    found, _ = ask(0.3, 0.3)
    assert found.gain > -0.002 * found.tied


def test_runs_of_one_kind_have_no_room_and_codes_without_noise_neither(room, runs, ask):
    ask(0.3, 0.3)
    same = find_room(room, disentangled=runs[:1], entangled=runs[:1], epsilon=EPSILON)
    assert same.gain == 0
    found, _ = ask(1e-6, 1e-6)
    assert found.gain == found.tied == 0


def test_it_is_the_same_each_time(room, runs):
    one, two = (
        find_room(room, disentangled=runs[:1], entangled=runs[1:], epsilon=EPSILON)
        for _ in range(2)
    )
    assert one == two


def test_waves_run_along_all_factors_and_few_of_many_directions_are_taken():
    w = torch.randn(50, 2, generator=torch.Generator().manual_seed(0))
    waves = list(list_waves(w))
    assert len(waves) == 2 * len(FREQUENCIES) * len(PHASES)
    assert all(wave.values.abs().max() <= 1 for wave in waves)
    many = {wave.direction for wave in list_waves(torch.zeros(1, 6))}
    assert len(many) == module.MOST_DIRECTIONS
    assert all(abs(part) == pytest.approx(6**-0.5) for one in many for part in one)


def test_wrong_calls_are_refused(room, runs):
    with pytest.raises(ValueError, match="at least one disentangled and one entangled run"):
        find_room(room, disentangled=runs, entangled=[], epsilon=EPSILON)
    with pytest.raises(ValueError, match=r"epsilon must lie in \(0, 1\]"):
        find_room(room, disentangled=runs, entangled=runs, epsilon=0)
