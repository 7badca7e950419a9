"""A run says which kernels made it, and does not go on with others unless it is told to."""

import hashlib
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import final

import pytest
from torch import nn

import gordium as gd
from gordium.methods import BetaVAE
from gordium.networks import Convolutional, Mlp, _native, kernels
from gordium.networks import _calls as calls
from gordium.networks._native import name_build
from gordium.training import Recording
from gordium.training.checkpoint import load_tensors, save_tensors
from gordium.training.folder import claim, note_kernels
from gordium.training.machine import Used

pytestmark = pytest.mark.skipif(kernels().library is None, reason="no compiler")
SETTINGS = {"latent_dim": 2, "architecture": Convolutional(0.125), "steps": 6, "batch_size": 32}
OFTEN = Recording(checkpoint_seconds=0, report_seconds=0)


def cut(done, total, note):
    if done >= 3:
        raise KeyboardInterrupt


def begun(folder, room, **changes):
    fields = {**SETTINGS, **changes}
    with pytest.raises(KeyboardInterrupt):
        gd.train(BetaVAE(), room, folder=folder, recording=OFTEN, report=cut, **fields)


def machine(folder):
    return json.loads((folder / "config.json").read_text())["machine"]


def test_the_kernels_are_said_and_are_no_part_of_the_runs_name(tmp_path, room, monkeypatch):
    direct = gd.train(BetaVAE(), room, folder=tmp_path / "direct", **SETTINGS)
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    plain = gd.train(BetaVAE(), room, folder=tmp_path / "plain", **SETTINGS)
    assert machine(tmp_path / "direct")["kernels"].startswith("direct-")
    assert machine(tmp_path / "plain")["kernels"] == "torch"
    assert direct.config["hash"] == plain.config["hash"]
    # The same training but for rounding.
    last, other = direct.history[-1]["loss"], plain.history[-1]["loss"]
    assert last == pytest.approx(other, rel=1e-4)


def test_other_kernels_are_refused_unless_allowed_and_then_noted(tmp_path, room, monkeypatch):
    begun(tmp_path, room)
    name = kernels().name
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    text = f"trained with the kernels '{name}' up to step 3; here 'torch' are in use"
    with pytest.raises(ValueError, match=text):
        gd.train(BetaVAE(), room, folder=tmp_path, **SETTINGS)
    gd.train(BetaVAE(), room, folder=tmp_path, recording=Recording(any_kernels=True), **SETTINGS)
    assert machine(tmp_path)["kernels"] == f"{name}, from step 3 torch"


def test_a_run_begun_with_pytorchs_kernels_is_told_how_to_go_on(tmp_path, room, monkeypatch):
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    begun(tmp_path, room)
    assert load_tensors(tmp_path / "checkpoint.safetensors")[1]["kernels"] == "torch"
    monkeypatch.delenv("GORDIUM_KERNELS")
    with pytest.raises(ValueError, match="Set GORDIUM_KERNELS=off to use the first ones"):
        gd.train(BetaVAE(), room, folder=tmp_path, **SETTINGS)
    monkeypatch.setenv("GORDIUM_KERNELS", "any")
    gd.train(BetaVAE(), room, folder=tmp_path, **SETTINGS)
    assert machine(tmp_path)["kernels"] == f"torch, from step 3 {kernels().name}"


def test_kernels_that_are_noted_are_not_noted_again(tmp_path):
    claim(tmp_path, {"kind": "run"}, machine={"kernels": "torch"})
    for used in (Used("direct-1", "a"), Used("direct-1", "a"), Used("torch")):
        note_kernels(tmp_path, used, 3)
    assert machine(tmp_path) == {
        "kernels": "torch, from step 3 direct-1, from step 3 torch",
        "build": "unstated, from step 3 a, from step 3 none",
    }


@pytest.mark.parametrize(
    ("size", "path"),
    # The kernels take whole multiples of 16 images. Epochs of 120 images end in a batch of 20, or
    # in one of 48.
    [
        ({"batch_size": 32}, ""),
        ({"batch_size": 50}, " (losses)"),
        ({"batch_size": 50, "steps": None, "epochs": 1}, " (losses)"),
        ({"batch_size": 72, "steps": None, "epochs": 1}, ""),
    ],
)
def test_the_name_follows_the_path_of_the_batches(tmp_path, room, monkeypatch, size, path):
    called = set()
    convolve = calls.convolve
    monkeypatch.setattr(calls, "convolve", lambda *a: called.add(1) or convolve(*a))
    gd.train(BetaVAE(), room, folder=tmp_path, **{**SETTINGS, "steps": 1, **size})
    assert machine(tmp_path)["kernels"] == kernels().name + path
    assert machine(tmp_path)["build"] == kernels().build
    assert bool(called) == (path == "")


def test_another_compiler_or_processor_is_refused_unless_allowed(tmp_path, room, monkeypatch):
    begun(tmp_path, room)
    here = kernels()
    other = here._replace(build="another")
    monkeypatch.setattr("gordium.training.machine.kernels", lambda: other)
    text = f"build '{here.build}' of the kernels '{here.name}' up to step 3; here it is 'another'"
    with pytest.raises(ValueError, match=f"{text}.*another processor.*--any-kernels"):
        gd.train(BetaVAE(), room, folder=tmp_path, **SETTINGS)
    gd.train(BetaVAE(), room, folder=tmp_path, recording=Recording(any_kernels=True), **SETTINGS)
    assert machine(tmp_path)["kernels"] == here.name
    assert machine(tmp_path)["build"] == f"{here.build}, from step 3 another"


@pytest.mark.parametrize("batch_size", [32, 50])
def test_a_checkpoint_without_a_build_goes_on(tmp_path, room, batch_size):
    """Those of earlier versions named the direct kernels for batches of any size."""
    fields = {**SETTINGS, "batch_size": batch_size}
    begun(tmp_path, room, batch_size=batch_size)
    path = tmp_path / "checkpoint.safetensors"
    tensors, stated = load_tensors(path)
    del stated["build"]
    save_tensors(path, tensors, **{**stated, "kernels": kernels().name})
    gd.train(BetaVAE(), room, folder=tmp_path, **fields)
    assert "from step" not in machine(tmp_path)["kernels"]


def test_a_cut_run_of_the_full_width_goes_on_to_the_same_bits(tmp_path, room):
    """Two of its layers have enough channels to be computed in tiles."""
    wide = {"architecture": Convolutional(1.0)}
    places = [tmp_path / "whole", tmp_path / "cut"]
    begun(places[1], room, **wide)
    for place in places:
        gd.train(BetaVAE(), room, folder=place, **{**SETTINGS, **wide})
    whole, resumed = ((place / "model.safetensors").read_bytes() for place in places)
    assert resumed == whole


def test_the_build_follows_from_the_processor_and_not_from_the_source(monkeypatch, tmp_path):
    here = name_build()
    monkeypatch.setattr(_native, "SOURCE", tmp_path)
    assert name_build() == here == kernels().build
    monkeypatch.setattr(_native, "processor", lambda: "another")
    assert name_build() != here


CODE = """
import sys
import gordium as gd
from gordium.networks import Convolutional
room = gd.load_dataset("shapes3d", size=16).hold(floor_hue=0, wall_hue=5, object_hue=8, shape=0)
gd.train(gd.methods.BetaVAE(), room, folder=sys.argv[1], latent_dim=2, steps=6, batch_size=32,
         architecture=Convolutional(float(sys.argv[2])))
"""


@pytest.mark.parametrize("width", [0.125, 1.0])  # at full width, two layers are tiled
def test_processes_at_once_and_this_one_end_in_the_same_bits(tmp_path, room, width):
    places = [tmp_path / "a", tmp_path / "b"]
    command = [sys.executable, "-c", CODE]
    running = [subprocess.Popen([*command, str(place), str(width)]) for place in places]
    fields = {**SETTINGS, "architecture": Convolutional(width)}
    gd.train(BetaVAE(), room, folder=tmp_path / "here", **fields)
    assert [process.wait() for process in running] == [0, 0]
    found = {
        hashlib.sha256((place / "model.safetensors").read_bytes()).hexdigest()
        for place in (*places, tmp_path / "here")
    }
    assert len(found) == 1


@final
@dataclass(frozen=True)
class Plain:
    """The reference network, its layers in a plain sequence."""

    def encoder(self, image_shape, n_outputs):
        return nn.Sequential(*Convolutional(0.125).encoder(image_shape, n_outputs))

    def decoder(self, n_inputs, image_shape):
        return nn.Sequential(*Convolutional(0.125).decoder(n_inputs, image_shape))


@pytest.mark.parametrize("network", [Mlp((8,), (8,)), Plain()], ids=["mlp", "plain"])
def test_networks_without_direct_layers_name_the_losses_alone(tmp_path, room, monkeypatch, network):
    monkeypatch.setattr(calls, "convolve", lambda *_: pytest.fail("a direct kernel was called"))
    gd.train(BetaVAE(), room, folder=tmp_path, **{**SETTINGS, "architecture": network})
    assert machine(tmp_path)["kernels"] == f"{kernels().name} (losses)"


def test_a_run_that_was_begun_under_the_name_without_its_path_goes_on(tmp_path, room):
    """Earlier versions named the direct kernels for networks without convolutions, too."""
    dense = {**SETTINGS, "architecture": Mlp((8,), (8,))}
    begun(tmp_path, room, **dense)
    path = tmp_path / "checkpoint.safetensors"
    tensors, stated = load_tensors(path)
    assert stated["kernels"] == f"{kernels().name} (losses)"
    save_tensors(path, tensors, **{**stated, "kernels": kernels().name})
    gd.train(BetaVAE(), room, folder=tmp_path, **dense)
    assert "from step" not in machine(tmp_path)["kernels"]


@pytest.fixture
def declaration(room):
    return gd.train(BetaVAE(), room, **SETTINGS).config["declaration"]


def test_a_run_that_was_cut_before_its_first_checkpoint_is_all_of_the_later_kernels(
    tmp_path, room, declaration, monkeypatch
):
    claim(tmp_path, declaration, machine={"kernels": kernels().name, "build": "a"})
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    gd.train(BetaVAE(), room, folder=tmp_path, **SETTINGS)
    assert machine(tmp_path) == {"kernels": "torch"}
