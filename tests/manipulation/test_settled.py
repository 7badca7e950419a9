"""A change that is learned against settled decoders, and how it starts."""

import numpy as np
import pytest
import torch

import gordium as gd
from gordium.factors import Factor
from gordium.fields import declare_fields
from gordium.manipulation import (
    Candidate,
    Limits,
    ManipulationSettings,
    choose_beyond,
    load_manipulation,
    manipulate,
)
from gordium.manipulation.manipulator import Manipulator, share_wave, standardise, start_as_wave
from gordium.methods import BetaVAE
from gordium.networks import Convolutional
from gordium.training import Adam, Recording

SETTLED = ManipulationSettings(
    steps=20, settled=True, wave=1.0, optimiser=Adam(learning_rate=3e-3, eps=1e-7)
)


@pytest.fixture(scope="module")
def runs(room, tmp_path_factory):
    return [
        gd.train(
            BetaVAE(beta=0.01),
            room,
            steps=60,
            seed=seed,
            latent_dim=2,
            architecture=Convolutional(0.125),
            optimiser=Adam(3e-3),
            folder=tmp_path_factory.mktemp("settled") / str(seed),
        )
        for seed in (0, 1)
    ]


def learn(room, runs, folder, **options):
    return manipulate(
        room,
        disentangled=[runs[0]],
        entangled=[runs[1]],
        epsilon=0.175,
        folder=folder,
        settings=SETTLED,
        **options,
    )


def test_both_kinds_tie_on_the_original_images_and_the_loss_falls(room, runs, tmp_path):
    found = learn(room, runs, tmp_path / "a", recording=Recording(record_every=1))
    first, last = found.history[0], found.history[-1]
    # The change starts small, so the two losses start nearly alike, whatever the runs are.
    assert abs(first["loss"]) < 0.1 * first["entangled"]
    assert last["loss"] < first["loss"]


def test_the_same_settings_learn_the_same_change(room, runs, tmp_path):
    values = room.factors_at(np.arange(5))
    one, two = (learn(room, runs, tmp_path / name).changes(values) for name in "ab")
    np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(load_manipulation(tmp_path / "a").changes(values), one)


def test_a_field_that_was_added_renames_no_change():
    assert "settled" not in declare_fields(ManipulationSettings())


def test_a_wave_starts_with_one_step_of_its_number_for_each_step_of_a_factor():
    factors = (Factor("hue", 10), Factor("angle", 15))
    network = Manipulator(Convolutional(0.25), 2, (3, 32, 32))
    with torch.no_grad():
        network.neuron.bias.zero_()
    chance = torch.Generator().manual_seed(0)
    start_as_wave(network, factors, 0.7, share_wave(factors), pattern=1, generator=chance)
    values = np.array([[4, 7], [5, 7], [4, 8]])
    u = network.neuron(standardise(factors, values)).detach().flatten()
    np.testing.assert_allclose(u[1:] - u[0], [0.7, -0.7], rtol=1e-5)


def test_its_first_layer_bends_all_along_the_number():
    factors = (Factor("hue", 10), Factor("angle", 15))
    network = Manipulator(Convolutional(1.0), 2, (3, 32, 32))
    chance = torch.Generator().manual_seed(0)
    start_as_wave(network, factors, 1.0, share_wave(factors), pattern=0, generator=chance)
    layer = next(m for m in network.decoder.modules() if isinstance(m, torch.nn.Linear))
    bends = (-layer.bias / layer.weight[:, 0]).detach().numpy()
    # 256 bends, uniform over u from -11.5 to 11.5.
    assert bends.min() < -10.5
    assert bends.max() > 10.5
    assert abs(np.mean(bends > 0) - 0.5) < 0.15


class Finished:
    """A run as far as choosing is concerned: its history."""

    def __init__(self, loss):
        self.history = [{"step": 1, "loss": 2 * loss}] * 9 + [{"step": 10, "loss": loss}]


def test_all_runs_beyond_the_limits_are_chosen_if_their_loss_is_like_the_others():
    scores = [0.7, 0.6, 0.5, 0.4, 0.1, 0.2, 0.9]
    losses = [100, 101, 100, 102, 99, 120, 100]  # the sixth is entangled, but not a minimum
    pruned = [False] * 6 + [True]
    found = [
        Candidate(Finished(loss), score, over)
        for score, loss, over in zip(scores, losses, pruned, strict=True)
    ]
    chosen = choose_beyond(found, Limits(disentangled=0.55, entangled=0.4, loss=0.03))
    assert chosen.disentangled == [found[0].run, found[1].run]
    assert chosen.entangled == [found[3].run, found[4].run]


def test_nothing_is_chosen_from_nothing():
    assert choose_beyond([], Limits()) == ([], [])
