"""Training ends in the same bits however often it is cut, and says clearly what is wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import numpy as np
import pytest
import torch

import gordium as gd
from gordium.methods import AE, BetaVAE, Method, weighted_sum
from gordium.methods.terms import reconstruction
from gordium.networks import Convolutional, Linear, Mlp
from gordium.spec import RunSpec
from gordium.training import SGD, AdaGrad, Adam, Recording, Settings
from gordium.training.checkpoint import load_tensors

SMALL = {"latent_dim": 2, "architecture": Convolutional(0.125), "optimiser": Adam(1e-3)}
OFTEN = Recording(record_every=4, checkpoint_seconds=0, report_seconds=0)


def model_bytes(folder):
    return (folder / "model.safetensors").read_bytes()


class Cut(Exception):
    pass


def cut_at(step):
    """A report that stops a training like a kill: nothing is saved after it."""

    def report(done, total, note):
        if done >= step:
            raise Cut

    return report


@pytest.mark.parametrize(
    "optimiser",
    [Adam(1e-3), AdaGrad(1e-2), SGD(1e-4, momentum=0.9)],
    ids=lambda o: type(o).__name__,
)
@pytest.mark.parametrize("length", [{"steps": 10}, {"epochs": 2, "batch_size": 25}])
def test_a_cut_run_goes_on_to_the_same_bits(tmp_path, room, optimiser, length):
    settings = {**SMALL, "optimiser": optimiser, "seed": 3, **length}
    whole = gd.train(BetaVAE(), room, folder=tmp_path / "whole", recording=OFTEN, **settings)
    for step in (3, 7):
        with pytest.raises(Cut):
            gd.train(
                BetaVAE(),
                room,
                folder=tmp_path / "cut",
                recording=OFTEN,
                report=cut_at(step),
                **settings,
            )
    resumed = gd.train(BetaVAE(), room, folder=tmp_path / "cut", recording=OFTEN, **settings)
    assert model_bytes(tmp_path / "cut") == model_bytes(tmp_path / "whole")
    assert resumed.history == whole.history
    assert [row["step"] for row in whole.history] == [4, 8, 10]
    assert not (tmp_path / "cut" / "checkpoint.safetensors").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_saves_at_the_end_of_the_step(tmp_path, room, number):
    rarely = Recording(checkpoint_seconds=1e9, report_seconds=0)

    def interrupt(done, total, note):
        if done == 5:
            os.kill(os.getpid(), number)

    with pytest.raises(KeyboardInterrupt):
        gd.train(
            BetaVAE(),
            room,
            steps=9,
            folder=tmp_path / "cut",
            recording=rarely,
            report=interrupt,
            **SMALL,
        )
    assert load_tensors(tmp_path / "cut" / "checkpoint.safetensors")[1]["step"] == 5
    for name in ("cut", "whole"):
        gd.train(BetaVAE(), room, steps=9, folder=tmp_path / name, recording=rarely, **SMALL)
    assert model_bytes(tmp_path / "cut") == model_bytes(tmp_path / "whole")


def test_a_report_that_nobody_hears_saves_and_stops(tmp_path, room):
    rarely = Recording(checkpoint_seconds=1e9, report_seconds=0)

    def unheard(done, total, note):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gd.train(
            BetaVAE(), room, steps=9, folder=tmp_path, recording=rarely, report=unheard, **SMALL
        )
    assert load_tensors(tmp_path / "checkpoint.safetensors")[1]["step"] == 3


def test_the_same_number_written_differently_is_the_same_run(tmp_path, room):
    gd.train(BetaVAE(beta=8), room, steps=2, folder=tmp_path, **SMALL)
    gd.train(BetaVAE(beta=8.0), room, steps=2, folder=tmp_path, **SMALL)


def test_the_same_seed_gives_the_same_bits_and_another_does_not(tmp_path, room):
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        gd.train(BetaVAE(), room, steps=3, seed=seed, folder=tmp_path / name, **SMALL)
    assert model_bytes(tmp_path / "a") == model_bytes(tmp_path / "b")
    assert model_bytes(tmp_path / "a") != model_bytes(tmp_path / "c")


def test_training_draws_nothing_from_global_generators(room):
    torch.manual_seed(5)
    before, numpy_before = torch.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002
    gd.train(BetaVAE(), room, steps=2, **SMALL)
    assert torch.equal(before, torch.get_rng_state())
    assert np.array_equal(numpy_before, np.random.get_state()[1])  # noqa: NPY002


def test_a_finished_run_is_loaded_and_not_trained_again(tmp_path, room):
    trained = gd.train(BetaVAE(), room, steps=4, folder=tmp_path, **SMALL)
    again = gd.train(BetaVAE(), room, steps=4, folder=tmp_path, report=cut_at(0), **SMALL)
    loaded = gd.load_run(tmp_path)
    for run in (again, loaded):
        assert run.history == trained.history
        for key, tensor in run.model.state_dict().items():
            assert torch.equal(tensor, trained.model.state_dict()[key])


def test_training_lowers_the_loss(room):
    run = gd.train(AE(), room, steps=60, recording=Recording(10), **SMALL)
    assert run.history[-1]["loss"] < run.history[0]["loss"]


def test_epochs_see_every_image_once():
    from gordium.training.streams import Batches

    batches = Batches((1, 2), n=10, batch_size=4, passes=True)
    first, second = ([batches.at(3 * epoch + i) for i in range(3)] for epoch in (0, 1))
    assert sorted(np.concatenate(first)) == sorted(np.concatenate(second)) == list(range(10))
    assert np.concatenate(first).tolist() != np.concatenate(second).tolist()
    assert [len(batch) for batch in first] == [4, 4, 2]


@dataclass(frozen=True, kw_only=True)
class Exploding(Method):
    """Its second term is not a number from the given step on."""

    step: int = 0

    def __call__(self, out, context):
        bad = reconstruction(out) * (float("nan") if context.step >= self.step else 1.0)
        return weighted_sum(good=(1.0, reconstruction(out)), bad=(1.0, bad))


def test_a_loss_that_is_not_finite_names_step_term_and_checkpoint(tmp_path, room):
    with pytest.raises(FloatingPointError) as caught:
        gd.train(Exploding(step=6), room, steps=9, folder=tmp_path, recording=OFTEN, **SMALL)
    text = str(caught.value)
    assert "'bad' is not finite at step 7" in text
    assert f"last good checkpoint, of step 6, is {tmp_path}" in text


def test_weights_that_are_not_finite_after_the_last_step_are_not_saved(tmp_path, room):
    settings = {**SMALL, "optimiser": SGD(1e30)}
    with pytest.raises(FloatingPointError, match="not finite"):
        gd.train(AE(), room, steps=2, folder=tmp_path, **settings)
    assert not (tmp_path / "model.safetensors").exists()


def test_a_folder_of_another_run_is_refused_and_the_difference_named(tmp_path, room):
    gd.train(BetaVAE(beta=4), room, steps=2, folder=tmp_path, **SMALL)
    before = model_bytes(tmp_path)
    with pytest.raises(ValueError, match=r"holds another run, .*method\.beta \(4 there, 8 here\)"):
        gd.train(BetaVAE(beta=8), room, steps=2, folder=tmp_path, **SMALL)
    assert model_bytes(tmp_path) == before


def test_a_folder_of_other_files_is_refused(tmp_path, room):
    (tmp_path / "thesis.tex").write_text("dear")
    with pytest.raises(ValueError, match="holds other files and no run"):
        gd.train(BetaVAE(), room, steps=2, folder=tmp_path, **SMALL)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"steps": -5}, "steps must be at least 1; got -5"),
        ({"steps": 5, "epochs": 1}, "either steps or epochs"),
        ({"steps": 5, "seed": -1}, "seed must be at least 0; got -1"),
        ({"steps": 5, "likelihood": "gauss"}, "Did you mean gaussian"),
        ({"steps": 5, "batchsize": 3}, "Did you mean batch_size"),
    ],
)
def test_bad_settings_are_named(room, settings, text):
    with pytest.raises(ValueError, match=text):
        gd.train(BetaVAE(), room, **{**SMALL, **settings})


def test_without_latent_dim_there_is_a_unit_for_each_factor(room):
    run = gd.train(BetaVAE(), room, steps=1, architecture=Linear())
    assert run.model.latent_dim == len(room.factors) == 2


def test_an_unknown_device_is_named(room):
    with pytest.raises(ValueError, match="unknown device 'gpu'"):
        gd.train(BetaVAE(), room, steps=2, device="gpu", **SMALL)


def test_damaged_files_are_named(tmp_path, room):
    gd.train(BetaVAE(), room, steps=2, folder=tmp_path, **SMALL)
    model = tmp_path / "model.safetensors"
    model.write_bytes(model.read_bytes()[:1000])
    with pytest.raises(ValueError, match=r"model\.safetensors is damaged"):
        gd.load_run(tmp_path)
    with pytest.raises(FileNotFoundError, match="is not a run"):
        gd.load_run(tmp_path / "nowhere")
    model.unlink()
    with pytest.raises(FileNotFoundError, match="not finished"):
        gd.load_run(tmp_path)


def test_a_full_disk_keeps_the_last_checkpoint(tmp_path, room, monkeypatch):
    with pytest.raises(Cut):
        gd.train(
            BetaVAE(), room, steps=9, folder=tmp_path, recording=OFTEN, report=cut_at(4), **SMALL
        )
    before = (tmp_path / "checkpoint.safetensors").read_bytes()

    def full(self, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match=r"could not write .*No space left on device"):
        gd.train(BetaVAE(), room, steps=9, folder=tmp_path, recording=OFTEN, **SMALL)
    assert (tmp_path / "checkpoint.safetensors").read_bytes() == before


def test_settings_survive_json():
    settings = Settings(latent_dim=3, steps=5, architecture=Mlp((7,), (9,)), optimiser=SGD(0.1))
    spec = RunSpec.of(BetaVAE(), gd.load_dataset("dsprites", size=16), settings)
    again = RunSpec.from_json(json.loads(json.dumps(spec.to_json())))
    assert again == spec
    assert again.key == spec.key


class Shift:
    """A change of all pixels that counts the images which it is asked for."""

    epsilon = 0.1
    declaration = {"folder": "none", "sha256": "none"}  # noqa: RUF012

    def __init__(self, dataset):
        self.factors, self.shape, self.n_asked = dataset.factors, dataset.image_shape, 0

    def changes(self, factors):
        self.n_asked += len(factors)
        size = (factors.sum(axis=1) % 3 - 1) * self.epsilon
        return np.broadcast_to(size[:, None, None, None], (len(factors), *self.shape)).astype("f4")


def test_images_are_read_into_memory_once_and_the_bits_are_the_same(room, monkeypatch):
    found = []
    for ahead in (True, False):
        change = Shift(room)
        if not ahead:
            monkeypatch.setattr("gordium.training.runs.in_memory", lambda dataset: dataset)
        data = gd.datasets.Modified(room, change)
        run = gd.train(BetaVAE(), data, steps=20, batch_size=16, recording=OFTEN, **SMALL)
        found.append((run.history, run.model.state_dict(), change.n_asked))
    (history, weights, once), (same_history, same_weights, often) = found
    assert history == same_history
    assert all(torch.equal(weights[name], same_weights[name]) for name in weights)
    # Each of the 120 images once, and otherwise at least those of 20 batches of 16.
    assert once == len(room) == 120
    assert often >= 20 * 16


def test_few_steps_do_not_read_all_images(room):
    change = Shift(room)
    gd.train(BetaVAE(), gd.datasets.Modified(room, change), steps=2, batch_size=4, **SMALL)
    assert change.n_asked < len(room)


SCRIPT = """
import sys, torch
torch.set_num_threads(1)
import gordium as gd
from gordium.networks import Convolutional
from gordium.training import Adam, Recording
held = dict(floor_hue=0, wall_hue=5, object_hue=8, shape=0)
room = gd.datasets.in_memory(gd.load_dataset("shapes3d", size=16).hold(**held))
print("ready", flush=True)
gd.train(gd.methods.BetaVAE(), room, steps=600, latent_dim=2, folder=sys.argv[1],
         architecture=Convolutional(0.125), optimiser=Adam(1e-3),
         recording=Recording(7, checkpoint_seconds=0.02))
"""


def start(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    return process


def test_killed_at_random_moments_a_run_ends_in_the_same_bits(tmp_path):
    whole = start(tmp_path / "whole")
    assert whole.wait() == 0
    moments = np.random.default_rng(0).uniform(0.05, 0.4, size=4)
    unfinished = 0
    for number, moment in zip((signal.SIGKILL, signal.SIGINT) * 2, moments, strict=True):
        process = start(tmp_path / "cut")
        time.sleep(moment)
        process.send_signal(number)
        process.communicate()
        unfinished += not (tmp_path / "cut" / "model.safetensors").exists()
    assert unfinished
    last = start(tmp_path / "cut")
    assert last.wait() == 0, last.stderr.read()
    assert model_bytes(tmp_path / "cut") == model_bytes(tmp_path / "whole")
    assert (tmp_path / "cut" / "history.jsonl").read_text() == (
        tmp_path / "whole" / "history.jsonl"
    ).read_text()
    last.communicate()
    whole.communicate()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("image_shape", [1, 1, -3], "declaration.image_shape: expected sizes of at least 1"),
        ("image_shape", [1, 1, 10**12], "declaration.image_shape: expected sizes of at least 1"),
        ("latent_dim", 10**30, "its network cannot be made|latent_dim"),
    ],
)
def test_a_config_of_a_network_that_cannot_be_is_refused_by_its_name(tmp_path, field, value, said):
    data = gd.load_dataset("synthetic-linear", n=40)
    gd.train(AE(), data, steps=1, latent_dim=2, architecture=Linear(), folder=tmp_path)
    path = tmp_path / "config.json"
    config = json.loads(path.read_text())
    config.pop("checksum", None)  # as an earlier version wrote it
    held = config["declaration"]
    (held if field in held else held["settings"])[field] = value
    path.write_text(json.dumps(config))
    with pytest.raises(ValueError, match=said) as caught:
        gd.load_run(tmp_path)
    assert "config.json" in str(caught.value)
