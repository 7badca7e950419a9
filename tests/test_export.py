"""Runs for other software: weights without prefixes, ONNX files, and shared folders."""

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from typer.testing import CliRunner

import gordium as gd
from gordium.cli.main import app
from gordium.files import write_sealed
from gordium.networks import Convolutional
from gordium.training.checkpoint import save_tensors, tensors_of


@pytest.fixture(scope="module")
def run(room, tmp_path_factory):
    return gd.train(
        "beta-vae",
        room,
        steps=2,
        architecture=Convolutional(0.125),
        folder=tmp_path_factory.mktemp("run") / "a",
    )


def test_weights_load_as_pytorch_loads_them(run):
    model = gd.load_run(run.folder).model
    for parameter in model.parameters():
        torch.nn.init.zeros_(parameter)
    model.load_state_dict(load_file(run.folder / "model.safetensors"))
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, run.model.state_dict()[name])


def test_files_with_a_prefix_are_still_loaded(run, room, tmp_path):
    for name in ("config.json", "history.jsonl"):
        (tmp_path / name).write_bytes((run.folder / name).read_bytes())
    save_tensors(tmp_path / "model.safetensors", tensors_of({"model": run.model}))
    again = gd.load_run(tmp_path)
    np.testing.assert_array_equal(gd.encode(again, room).codes, gd.encode(run, room).codes)


def test_onnx_files_compute_what_pytorch_does_for_any_number_of_rows(run, room, tmp_path):
    pytest.importorskip("onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    arguments = ["export", str(run.folder), "--format", "onnx", "--out", str(tmp_path / "x")]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    images = room.images(np.arange(7)).astype(np.float32) / 255
    session = onnxruntime.InferenceSession(tmp_path / "x" / "encoder.onnx")
    codes, log_variances = session.run(None, {"images": images})
    with torch.no_grad():
        posterior = run.model.encode(torch.from_numpy(images))
        decoded = run.model.decode(posterior.mean)
    np.testing.assert_allclose(codes, posterior.mean, atol=1e-4)
    np.testing.assert_allclose(log_variances, posterior.log_variance, atol=1e-4)
    session = onnxruntime.InferenceSession(tmp_path / "x" / "decoder.onnx")
    np.testing.assert_allclose(session.run(None, {"z": codes})[0], decoded, atol=1e-4)


def test_a_shared_folder_has_a_card_and_is_a_run(run, room, tmp_path):
    needed = ("estimators", "active_units", "over_pruned", "n_images", "declaration")
    scores = {"scores": {"mig": 0.25, "dci": None}, **dict.fromkeys(needed)}
    write_sealed(run.folder / "scores.json", scores)
    arguments = ["export", str(run.folder), "--out", str(tmp_path / "shared"), "--licence", "mit"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    card = (tmp_path / "shared" / "README.md").read_text()
    assert card.startswith("---\nlicense: mit\nlibrary_name: gordium\n")
    assert "| mig | 0.2500 |" in card
    assert "| dci | undefined |" in card
    assert "# beta-vae, 2 latent units" in card
    again = gd.load_run(tmp_path / "shared")
    np.testing.assert_array_equal(gd.encode(again, room).codes, gd.encode(run, room).codes)
    refused = CliRunner().invoke(app, arguments)
    assert "holds files already" in refused.output


def test_a_run_in_memory_is_saved_with_its_scores_and_loaded(room, tmp_path):
    run = gd.train("beta-vae", room, steps=1, architecture="linear")
    scores = gd.evaluate(run, room, metrics="mig")
    gd.save_run(run, tmp_path / "hub", scores={**scores, "sap": float("nan")}, licence="cc0-1.0")
    (tmp_path / "hub" / ".gitattributes").write_text("*.safetensors filter=lfs\n")
    again = gd.load_run(tmp_path / "hub")
    np.testing.assert_array_equal(gd.encode(again, room).codes, gd.encode(run, room).codes)
    assert again.history == run.history
    assert again.spec == run.spec
    assert again.config["hash"] == run.spec.key
    again.model.load_state_dict(load_file(tmp_path / "hub" / "model.safetensors"))
    card = (tmp_path / "hub" / "README.md").read_text()
    assert f"| mig | {scores['mig']:.4f} |" in card
    assert "| sap | undefined |" in card
    assert "license: cc0-1.0" in card
    gd.save_run(again, tmp_path / "copy")
    assert (tmp_path / "copy" / "README.md").read_text().count("mig") == 1


def test_an_unknown_format_is_named(run):
    done = CliRunner().invoke(app, ["export", str(run.folder), "--format", "onx"])
    assert done.exit_code == 1
    assert "Did you mean onnx" in done.output
