"""The manipulation: its bound, its game, its files, and what it does to losses."""

import copy

import numpy as np
import pytest
import torch

import gordium as gd
from gordium.datasets import Modified, from_declaration, reflect
from gordium.manipulation import (
    Candidate,
    ManipulationSettings,
    choose,
    load_declared_manipulation,
    load_manipulation,
    manipulate,
)
from gordium.manipulation.learn import _Learner
from gordium.manipulation.manipulator import Manipulator, standardise, weigh_alike
from gordium.methods import BetaVAE
from gordium.networks import Convolutional, Mlp
from gordium.training import Adam, Recording

EPSILON = 0.175
QUICK = ManipulationSettings(steps=3, batch_size=8)


@pytest.fixture(scope="module")
def runs(room, tmp_path_factory):
    """Two short runs; a manipulation can be learned between any two."""
    return [
        gd.train(
            BetaVAE(beta=0.01),
            room,
            steps=60,
            seed=seed,
            latent_dim=2,
            architecture=Convolutional(0.125),
            optimiser=Adam(3e-3),
            folder=tmp_path_factory.mktemp("runs") / str(seed),
        )
        for seed in (0, 1)
    ]


def new_learner(room):
    config = {
        "epsilon": EPSILON,
        "factors": [{"name": f.name, "size": f.size, "kind": f.kind} for f in room.factors],
        "image_shape": list(room.image_shape),
        "architecture": {"name": "convolutional", "width": 0.125},
    }
    return _Learner(room, config, QUICK, torch.device("cpu"))


def learn(room, runs, folder, **options):
    options = {"settings": QUICK, "epsilon": EPSILON, **options}
    return manipulate(room, disentangled=[runs[0]], entangled=[runs[1]], folder=folder, **options)


def test_changes_are_bounded_by_epsilon_and_depend_on_one_number(room, runs, tmp_path):
    found = learn(room, runs, tmp_path)
    factors = room.factors_at(np.arange(len(room)))
    changes = found.changes(factors)
    assert changes.shape == (len(room), 3, 16, 16)
    assert np.abs(changes).max() <= EPSILON
    # The single neuron: points that it weighs alike change alike, 15 orientations here.
    with torch.no_grad():
        found.network.neuron.weight.copy_(torch.tensor([[1.0, 0.0]]))
    by_first = found.changes(factors)
    assert np.array_equal(by_first[:15], np.broadcast_to(by_first[:1], (15, 3, 16, 16)))
    assert not np.array_equal(by_first[0], by_first[-1])
    with torch.no_grad():
        for parameter in found.network.parameters():
            parameter.mul_(100)
    assert np.abs(found.changes(factors)).max() == pytest.approx(EPSILON)


def test_a_modified_image_is_the_same_in_any_batch_and_close_to_the_original(room, runs, tmp_path):
    hidden = Modified(room, learn(room, runs, tmp_path))
    indices = np.random.default_rng(0).permutation(len(room))
    whole = hidden.images(indices)
    for part in (indices[:1], indices[5:70], indices[::-1]):
        rows = [int(np.flatnonzero(indices == i)[0]) for i in part]
        assert np.array_equal(hidden.images(part), whole[rows])
    difference = np.abs(whole.astype(int) - room.images(indices).astype(int))
    assert difference.max() <= 255 * EPSILON + 0.5


def test_factors_are_standardised_over_the_grid(room):
    w = standardise(room.factors, room.factors_at(np.arange(len(room)))).double()
    torch.testing.assert_close(w.mean(dim=0), torch.zeros(2).double(), atol=1e-6, rtol=0)
    torch.testing.assert_close(w.var(dim=0, correction=0), torch.ones(2).double())


def test_the_neuron_starts_with_all_factors_and_the_signs_of_the_seed():
    manipulator = Manipulator(Mlp((2,), (2,)), 3, (1, 16, 16))
    rows = []
    for seed in range(4):
        weigh_alike(manipulator, 1.0, pattern=seed)
        rows.append(manipulator.neuron.weight[0].tolist())
    assert rows == [[1, 1, 1], [1, -1, 1], [1, 1, -1], [1, -1, -1]]


def test_reflection_is_that_of_the_supplement_on_tensors_and_on_arrays():
    x = torch.cat([torch.linspace(-1, 2, 61), torch.tensor([0.0, 1.0])]).requires_grad_()
    published = x - 2 * torch.relu(x - 1) + 2 * torch.relu(-x)
    assert torch.equal(reflect(x), published)
    assert np.array_equal(reflect(x.detach().numpy()), published.detach().numpy())
    # The gradient too, at both borders.
    ours, theirs = (torch.autograd.grad(y.sum(), x)[0] for y in (reflect(x), published))
    assert torch.equal(ours, theirs)
    values = reflect(torch.tensor([-0.1, 0.4, 1.2]))
    torch.testing.assert_close(values, torch.tensor([0.1, 0.4, 0.8]))


def test_the_manipulators_gradient_is_that_of_the_difference_of_losses(room, runs):
    # d/dx' (E|a - x'|^2 - E|b - x'|^2) = 2 (E b - E a): checked on the images themselves.
    learner = new_learner(room)
    dis, ent = (learner._member(run.model) for run in runs)
    x, _ = learner._batch(0)
    target = x.clone().requires_grad_()
    state = learner.noise.get_state()
    often = target.repeat(5, 1, 1, 1)
    loss = learner._loss(ent, x, often, fixed=True) - learner._loss(dis, x, often, fixed=True)
    (gradient,) = torch.autograd.grad(loss, target)
    learner.noise.set_state(state)
    with torch.no_grad():
        a = ent.images(x, 5, learner.noise).mean(dim=0)
        b = dis.images(x, 5, learner.noise).mean(dim=0)
    torch.testing.assert_close(gradient, 2 * (b - a) / len(x), atol=1e-5, rtol=1e-3)


def test_encoders_stay_frozen_and_decoders_move(room, runs):
    learner = new_learner(room)
    members = [learner._member(run.model) for run in runs]
    before = [copy.deepcopy(member.model.state_dict()) for member in members]
    for run, state in zip(runs, before, strict=True):  # decoders start from the trained ones
        assert all(torch.equal(t, run.model.state_dict()[key]) for key, t in state.items())
    x, w = learner._batch(0)
    learner._train_decoders(members, x, w)
    for member, state in zip(members, before, strict=True):
        for key, tensor in member.model.state_dict().items():
            assert torch.equal(tensor, state[key]) == key.startswith("encoder."), key
    decoders = [copy.deepcopy(member.model.state_dict()) for member in members]
    manipulator = copy.deepcopy(learner.manipulator.state_dict())
    learner._train_manipulator(members[:1], members[1:], x, w)
    for member, state in zip(members, decoders, strict=True):
        assert all(torch.equal(t, state[key]) for key, t in member.model.state_dict().items())
    moved = learner.manipulator.state_dict()
    assert not all(torch.equal(moved[key], t) for key, t in manipulator.items())


def test_a_step_is_three_batches_for_the_decoders_and_one_for_the_manipulator(room, runs):
    class Counted:
        factors, image_shape, calls = room.factors, room.image_shape, 0

        def __len__(self):
            return len(room)

        def factors_at(self, indices):
            return room.factors_at(indices)

        def images(self, indices):
            self.calls += 1
            return room.images(indices)

    counted = Counted()
    task = new_learner(counted).task([runs[0]], [runs[1]])
    task.step(0)
    assert counted.calls == 4
    for name in ("disentangled-0-optimiser", "entangled-0-optimiser"):
        assert {int(state["step"]) for state in task.parts[name].state.values()} == {3}
    assert {int(state["step"]) for state in task.parts["optimiser"].state.values()} == {1}


def test_the_defaults_are_those_of_the_supplement():
    default = ManipulationSettings()
    assert (default.decoder_batches, default.latent_samples) == (3, 5)
    for adam in (default.optimiser, default.decoder_optimiser):
        assert adam == Adam(learning_rate=1e-4, beta1=0.9, beta2=0.999, eps=1e-7)


def test_losses_are_averaged_over_the_members_of_a_kind(room, runs):
    learner = new_learner(room)
    one, two = (learner._member(run.model) for run in runs)
    x, w = learner._batch(0)
    with torch.no_grad():
        target = learner._target(x, w)
        state = learner.noise.get_state()
        separate = [learner._loss(member, x, target) for member in (one, two)]
    learner.noise.set_state(state)
    terms = learner._train_manipulator([one], [one, two], x, w)
    torch.testing.assert_close(terms["entangled"].detach(), sum(separate) / 2)


def test_learning_lowers_the_difference_of_losses(room, runs, tmp_path):
    settings = ManipulationSettings(
        steps=150, batch_size=16, optimiser=Adam(3e-3, eps=1e-7), decoder_optimiser=Adam(1e-4)
    )
    history = learn(room, runs, tmp_path, settings=settings).history
    difference = [row["loss"] for row in history]
    assert np.mean(difference[-20:]) < np.mean(difference[:5])
    assert history[0].keys() == {"step", "loss", "entangled", "disentangled"}


class Cut(Exception):
    pass


def test_a_cut_manipulation_goes_on_to_the_same_bits(room, runs, tmp_path):
    often = Recording(checkpoint_seconds=0, report_seconds=0)
    runs = [*runs, *runs]

    def cut(done, total, note):
        if done >= 2:
            raise Cut

    def learn_ensemble(name, **options):
        manipulate(
            room,
            disentangled=runs[:2],
            entangled=runs[2:],
            epsilon=EPSILON,
            settings=QUICK,
            folder=tmp_path / name,
            **options,
        )

    learn_ensemble("whole")
    with pytest.raises(Cut):
        learn_ensemble("cut", report=cut, recording=often)
    assert (tmp_path / "cut" / "checkpoint.safetensors").exists()
    learn_ensemble("cut")
    for name in ("model.safetensors", "history.jsonl"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_manipulation_is_loaded_as_it_was_and_rebuilds_its_data_set(room, runs, tmp_path):
    found = learn(room, runs, tmp_path)
    hidden = Modified(room, found)
    again = from_declaration(hidden.declaration, load_change=load_declared_manipulation)
    indices = np.arange(len(room))
    assert np.array_equal(again.images(indices), hidden.images(indices))
    assert load_manipulation(tmp_path).history == found.history


def test_a_data_set_refuses_another_manipulation_in_its_folder(room, runs, tmp_path):
    identity = learn(room, runs, tmp_path).declaration
    with pytest.raises(ValueError, match="now holds another manipulation"):
        load_declared_manipulation({**identity, "sha256": "0" * 64})
    with pytest.raises(FileNotFoundError, match="put it back"):
        load_declared_manipulation({**identity, "folder": str(tmp_path / "gone")})


def test_mlps_are_manipulated_too(room, tmp_path):
    runs = [
        gd.train(
            BetaVAE(),
            room,
            steps=2,
            seed=seed,
            latent_dim=2,
            architecture=Mlp((8,), (8,)),
            folder=tmp_path / str(seed),
        )
        for seed in (0, 1)
    ]
    assert learn(room, runs, tmp_path / "m").changes(np.zeros((1, 2), int)).shape == (1, 3, 16, 16)


def test_bad_input_is_named(room, runs, tmp_path):
    with pytest.raises(ValueError, match=r"epsilon must lie in \(0, 1\]"):
        learn(room, runs, tmp_path, epsilon=17)
    with pytest.raises(ValueError, match="at least one disentangled"):
        manipulate(room, disentangled=[], entangled=runs, epsilon=0.1, folder=tmp_path)
    other = gd.load_dataset("shapes3d", size=17).hold(floor_hue=0, wall_hue=5)
    with pytest.raises(ValueError, match=r"trained on images of shape \(3, 16, 16\)"):
        learn(other, runs, tmp_path)
    with pytest.raises(ValueError, match="steps must be at least 1; got 0"):
        ManipulationSettings(steps=0)
    with pytest.raises(ValueError, match="holds a run, not a manipulation"):
        load_manipulation(runs[0].folder)


def candidates(*scores, pruned=()):
    return [Candidate(name, score, name in pruned) for name, score in enumerate(scores)]


def test_the_extremes_are_chosen_best_and_worst_first():
    chosen = choose(candidates(0.5, 0.9, 0.1, 0.7, 0.3), disentangled=2, entangled=2)
    assert chosen.disentangled == [1, 3]
    assert chosen.entangled == [2, 4]


def test_over_pruned_runs_are_never_chosen():
    chosen = choose(candidates(0.5, 0.9, 0.1, pruned=(2,)))
    assert (chosen.disentangled, chosen.entangled) == ([1], [0])


def test_too_few_runs_are_counted():
    with pytest.raises(ValueError, match="only 1 of 3 kept as many active units"):
        choose(candidates(0.5, 0.9, 0.1, pruned=(0, 2)))
