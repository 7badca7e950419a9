"""Several seeds in one process: on the CPU each ends in the bits that it has alone."""

import pytest
import torch

import gordium as gd
from gordium.networks import Convolutional, kernels
from gordium.training import Recording, graphs, train_seeds

SETTINGS = {
    "latent_dim": 3,
    "steps": 7,
    "batch_size": 16,
    "architecture": Convolutional(0.125),
    "device": "cpu",
}


@pytest.fixture(scope="module")
def room():
    return gd.load_dataset("shapes3d", size=16)


def same(one, other):
    pairs = zip(one.model.state_dict().values(), other.model.state_dict().values(), strict=True)
    return one.history == other.history and all(torch.equal(a, b) for a, b in pairs)


METHODS = [
    gd.methods.BetaVAE(beta=4),
    gd.methods.FactorVAE(),
    gd.methods.AdaGVAE(),
    gd.methods.AnnealedVAE(warmup_steps=10),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_each_seed_ends_in_the_bits_that_it_has_alone(room, method):
    found = train_seeds(method, room, seeds=(3, 5), **SETTINGS)
    for seed, run in zip((3, 5), found, strict=True):
        assert same(run, gd.train(method, room, seed=seed, **SETTINGS))


def test_a_method_that_asks_for_its_step_is_not_recorded_and_others_are(room):
    def recorded(method):
        settings = gd.training.Settings(latent_dim=3, steps=7, architecture=Convolutional(0.125))
        runs = [gd.training.step.training_steps(method, room, settings, torch.device("cpu"))]
        steps = graphs.RecordedSteps(runs, graphs.InTurns())
        for i in range(5):
            steps(i)
        return steps.replay is not None

    assert recorded(gd.methods.BetaVAE())
    assert not recorded(gd.methods.AnnealedVAE())


def test_a_batch_of_another_size_is_taken_as_it_comes(room):
    few = room.hold(floor_hue=0, wall_hue=0, object_hue=0, scale=0)
    settings = {**SETTINGS, "steps": None, "epochs": 2}
    (found,) = train_seeds("vae", few, seeds=(1,), **settings)  # 16, 16, 16 and 12 images
    assert same(found, gd.train("vae", few, seed=1, **settings))


def test_a_stopped_training_goes_on_to_the_same_bits_and_is_then_loaded(room, tmp_path):
    def stop(done, total, note):
        if done == 5:
            raise KeyboardInterrupt

    whole = train_seeds("vae", room, seeds=(0, 1), **SETTINGS)
    recording = Recording(report_seconds=0)
    with pytest.raises(KeyboardInterrupt):
        train_seeds(
            "vae", room, seeds=(0, 1), folder=tmp_path, report=stop, recording=recording, **SETTINGS
        )
    assert (tmp_path / "together" / "checkpoint.safetensors").exists()
    found = train_seeds("vae", room, seeds=(0, 1), folder=tmp_path, **SETTINGS)
    again = train_seeds("vae", room, seeds=(0, 1), folder=tmp_path, **SETTINGS)
    assert all(map(same, whole, found))
    assert all(map(same, whole, again))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["seed-0", "seed-1"]


@pytest.mark.skipif(kernels().library is None, reason="no compiler")
def test_every_seed_says_by_which_kernels_it_went_on(room, tmp_path, monkeypatch):
    def stop(done, total, note):
        if done == 5:
            raise KeyboardInterrupt

    often = Recording(report_seconds=0, any_kernels=True)
    fields = {"seeds": (0, 1), "folder": tmp_path, "recording": often, **SETTINGS}
    with pytest.raises(KeyboardInterrupt):
        train_seeds("vae", room, report=stop, **fields)
    began = kernels()
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    for run in train_seeds("vae", room, **fields):
        assert run.config["machine"]["kernels"] == f"{began.name}, from step 5 torch"
        assert run.config["machine"]["build"] == f"{began.build}, from step 5 none"


def test_what_cannot_be_recorded_on_a_gpu_is_refused():
    weight = torch.nn.Parameter(torch.zeros(1))
    adam, sgd = torch.optim.Adam([weight]), torch.optim.SGD([weight])
    graphs._make_recordable(adam)
    graphs._make_recordable(sgd)
    assert adam.param_groups[0]["capturable"]
    with pytest.raises(ValueError, match="Adagrad cannot be recorded as a CUDA graph; use adam"):
        graphs._make_recordable(torch.optim.Adagrad([weight]))


def test_the_seeds_must_differ(room):
    with pytest.raises(
        ValueError, match=r"seeds must be different numbers, e\.g\. range\(3\); got \(1, 1\)"
    ):
        train_seeds("vae", room, seeds=(1, 1), **SETTINGS)
