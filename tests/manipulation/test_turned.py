"""Turned copies of an encoder, and changes that are learned against them."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import gordium as gd
from gordium.factors import Factor
from gordium.fields import declare_fields
from gordium.manipulation import ManipulationSettings, manipulate
from gordium.manipulation.manipulator import Manipulator, share_wave, standardise, start_as_wave
from gordium.manipulation.settled import confuse_kinds, confusion
from gordium.manipulation.turned import draw_rotation, turn
from gordium.methods import BetaVAE
from gordium.networks import Convolutional
from gordium.training import Adam, Recording

TURNED = ManipulationSettings(
    steps=20,
    settled=True,
    wave=1.0,
    even=True,
    turns=3,
    optimiser=Adam(learning_rate=3e-3, eps=1e-7),
)


@pytest.fixture(scope="module")
def run(room, tmp_path_factory):
    return gd.train(
        BetaVAE(beta=0.01),
        room,
        steps=60,
        latent_dim=2,
        architecture=Convolutional(0.125),
        optimiser=Adam(3e-3),
        folder=tmp_path_factory.mktemp("turned"),
    )


def posterior(n=40, d=3):
    rng = np.random.default_rng(0)
    return rng.standard_normal((n, d)), np.log(rng.uniform(0.01, 0.5, (n, d)))


@pytest.mark.parametrize("dimensions", [2, 3, 6])
def test_rotations_keep_lengths_and_handedness(dimensions):
    found = draw_rotation(dimensions, np.random.default_rng(1))
    np.testing.assert_allclose(found @ found.T, np.eye(dimensions), atol=1e-12)
    assert np.linalg.det(found) == pytest.approx(1)


def test_no_rotation_and_a_quarter_turn_change_nothing_but_the_order_of_units():
    codes, log_variances = posterior(d=2)
    same = turn(codes, log_variances, np.eye(2))
    np.testing.assert_allclose(same, (codes, log_variances), rtol=1e-12)
    quarter = turn(codes, log_variances, np.array([[0.0, -1.0], [1.0, 0.0]]))
    np.testing.assert_allclose(quarter[0], np.stack([-codes[:, 1], codes[:, 0]], 1))
    np.testing.assert_allclose(quarter[1], log_variances[:, ::-1], rtol=1e-12)


def test_the_noise_of_a_copy_is_the_nearest_diagonal_one():
    codes, log_variances = posterior(n=1)
    rotation = draw_rotation(3, np.random.default_rng(2))
    (_, found) = turn(codes, log_variances, rotation)
    precision = rotation @ np.diag(np.exp(-log_variances[0])) @ rotation.T

    def divergence(log_variance):  # KL(q || p) up to what does not depend on q
        return 0.5 * (np.diag(precision) @ np.exp(log_variance) - log_variance.sum())

    least = divergence(found[0])
    rng = np.random.default_rng(3)
    for _ in range(50):
        assert divergence(found[0] + 0.3 * rng.standard_normal(3)) > least


def test_the_kind_without_runs_is_made_of_turned_copies(room, run):
    dis, ent = confuse_kinds(([run], []), room, turns=2, seed=5)
    rep = gd.encode(run.model, room, n=len(room), seed=0)
    rng = np.random.default_rng(5)
    both = rep.codes, rep.require_log_variances()
    copies = [turn(*both, draw_rotation(2, rng)) for _ in range(2)]
    np.testing.assert_allclose(dis, confusion(*both))
    np.testing.assert_allclose(ent, np.mean([confusion(*copy) for copy in copies], 0))
    swapped = confuse_kinds(([], [run]), room, turns=2, seed=5)
    np.testing.assert_array_equal(swapped, (ent, dis))


def test_a_change_is_learned_from_runs_of_one_kind(room, run, tmp_path):
    for name, dis, ent in (("a", [run], []), ("b", [], [run])):
        found = manipulate(
            room,
            disentangled=dis,
            entangled=ent,
            epsilon=0.175,
            folder=tmp_path / name,
            settings=TURNED,
            recording=Recording(record_every=1),
        )
        assert found.history[-1]["loss"] < found.history[0]["loss"]


def test_wrong_kinds_and_trained_decoders_are_refused(room, run, tmp_path):
    wrong = r"got 1 disentangled and 1 entangled runs|got 0 disentangled and 0 entangled"
    for runs in ([run], []):
        with pytest.raises(ValueError, match=wrong):
            manipulate(
                room,
                disentangled=runs,
                entangled=runs,
                epsilon=0.175,
                folder=tmp_path / "m",
                settings=TURNED,
            )
    with pytest.raises(ValueError, match="`turns` needs settled=True"):
        replace(TURNED, settled=False)


def test_the_new_fields_rename_no_change():
    assert not {"even", "turns"} & declare_fields(ManipulationSettings()).keys()


def test_an_even_wave_has_equal_parts_of_all_factors():
    factors = (Factor("hue", 3), Factor("angle", 15))
    network = Manipulator(Convolutional(1.0), 2, (3, 32, 32))
    chance = torch.Generator().manual_seed(0)
    steps = share_wave(factors, even=True)
    start_as_wave(network, factors, 1.5, steps, pattern=1, generator=chance)
    np.testing.assert_allclose(network.neuron.weight.detach(), [[1.5, -1.5]])
    layer = next(m for m in network.decoder.modules() if isinstance(m, torch.nn.Linear))
    bends = (-layer.bias / layer.weight[:, 0]).detach().numpy()
    grid = np.stack(np.meshgrid(range(3), range(15), indexing="ij"), -1).reshape(-1, 2)
    reach = np.abs(standardise(factors, grid).numpy() @ [1.5, -1.5]).max()
    assert 0.9 * reach < np.abs(bends).max() <= reach
