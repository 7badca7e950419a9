"""Mixed precision and compiled networks: other rounding in training, the same run afterwards."""

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import gordium as gd
from gordium.cli.main import app
from gordium.methods import METHODS
from gordium.networks import Convolutional, kernels
from gordium.networks import _calls as calls
from gordium.training import accelerate

SMALL = {"steps": 3, "latent_dim": 4, "batch_size": 8, "architecture": Convolutional(0.125)}


def test_half_precision_is_another_run_that_ends_near_the_exact_one(room, tmp_path):
    exact = gd.train("beta-vae", room, **SMALL)
    half = gd.train("beta-vae", room, precision="bfloat16", folder=tmp_path / "half", **SMALL)
    assert exact.spec.key != half.spec.key
    assert "precision" not in exact.config["declaration"]["settings"]
    losses = [run.history[-1]["loss"] for run in (exact, half)]
    assert [line["kl"] for line in exact.history] != [line["kl"] for line in half.history]
    assert losses[1] == pytest.approx(losses[0], rel=1e-2)  # of 8 bits, 0.4 % each
    assert {p.dtype for p in half.model.parameters()} == {torch.float32}
    again = gd.load_run(tmp_path / "half")
    np.testing.assert_array_equal(gd.encode(again, room).codes, gd.encode(half, room).codes)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_trained_in_half_precision(name, room):
    run = gd.train(name, room, precision="bfloat16", **{**SMALL, "steps": 1})
    assert np.isfinite(run.history[-1]["loss"])


@pytest.mark.parametrize("asked", [{"precision": "bfloat16"}, {"compiled": True}])
@pytest.mark.filterwarnings("ignore:The .grad attribute")
def test_a_run_names_the_kernels_that_ran(asked, room, tmp_path, monkeypatch):
    monkeypatch.setattr(accelerate, "BACKEND", "eager")
    monkeypatch.setattr(calls, "_library", lambda: pytest.fail("a direct kernel was called"))
    fields = {**SMALL, "batch_size": 16, "folder": tmp_path, "device": "cpu", **asked}
    assert gd.train("beta-vae", room, **fields).config["machine"]["kernels"] == "torch"


def test_an_exact_run_names_the_direct_kernels_if_there_are_any(room, tmp_path):
    run = gd.train("beta-vae", room, folder=tmp_path, device="cpu", **{**SMALL, "batch_size": 16})
    assert run.config["machine"]["kernels"] == kernels().name


def test_half_precision_goes_on_to_the_same_bits(room, tmp_path):
    asked = {**SMALL, "precision": "bfloat16", "device": "cpu"}
    whole = gd.train("factor-vae", room, **asked)
    seen = []

    def stop(done, total, note):
        seen.append(done)
        if done == 1:
            raise KeyboardInterrupt

    often = gd.training.Recording(report_seconds=0.0)
    with pytest.raises(KeyboardInterrupt):
        gd.train("factor-vae", room, folder=tmp_path, report=stop, recording=often, **asked)
    again = gd.train("factor-vae", room, folder=tmp_path, **asked)
    for a, b in zip(whole.model.parameters(), again.model.parameters(), strict=True):
        assert torch.equal(a, b)


@pytest.mark.filterwarnings("ignore:The .grad attribute")  # PyTorch asks for it itself
def test_compiled_networks_are_plain_ones_afterwards(room, monkeypatch):
    monkeypatch.setattr(accelerate, "BACKEND", "eager")  # traced, and then not made faster
    plain = gd.train("beta-vae", room, **SMALL)
    compiled = gd.train("beta-vae", room, compiled=True, **SMALL)
    assert compiled.config["declaration"]["settings"]["compiled"] is True
    assert compiled.history[-1]["loss"] == pytest.approx(plain.history[-1]["loss"], rel=1e-5)
    assert compiled.model.encoder._compiled_call_impl is None
    assert compiled.model.state_dict().keys() == plain.model.state_dict().keys()


def test_an_unknown_precision_is_answered(tmp_path):
    with pytest.raises(ValueError, match="unknown precision 'float16'"):
        gd.training.Settings(steps=1, latent_dim=1, precision="float16")
    asked = ["train", "linear-gaussian", "--steps", "1", "--out", str(tmp_path / "a")]
    done = CliRunner().invoke(app, [*asked, "--precision", "half", "--architecture", "linear"])
    assert done.exit_code == 1
    assert "bfloat16" in done.stderr
