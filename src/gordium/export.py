"""A run for other software: ONNX files, or a folder that others can read with a model card."""

import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from gordium.files import read_json, write_text
from gordium.training import Run, load_run
from gordium.training.folder import CONFIG, HISTORY, MODEL

SCORES = "scores.json"
CLOSE = 1e-4
_LICENCE = "apache-2.0"


class _Encoder(nn.Module):
    """Images in [0, 1] to the means and log-variances of their posteriors."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.model = run.model

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor]:
        posterior = self.model.encode(images)
        return posterior.mean, posterior.log_variance


class _Decoder(nn.Module):
    """Latent points to mean images."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.model = run.model

    def forward(self, z: Tensor) -> Tensor:
        return self.model.decode(z)


def export_onnx(folder: str | Path, out: str | Path) -> float:
    """Write encoder.onnx and decoder.onnx of a run; their greatest difference from PyTorch.

    Both take any number of rows. onnxruntime computes them for rows that were not traced; where
    it differs by more than 1e-4 the files are removed and that is an error.
    """
    run, place = load_run(folder), Path(out)
    shape = run.config["declaration"]["image_shape"]
    chance = torch.Generator().manual_seed(0)
    place.mkdir(parents=True, exist_ok=True)
    parts = {
        "encoder": (_Encoder(run), "images", ["codes", "log_variances"], tuple(shape)),
        "decoder": (_Decoder(run), "z", ["images"], (run.model.latent_dim,)),
    }
    worst = 0.0
    for name, (module, given, found, row) in parts.items():
        path = place / f"{name}.onnx"
        rows = torch.rand(5, *row, generator=chance)
        _write(module.eval(), path, rows[:2], [given], found)
        worst = max(worst, _difference(module, path, rows, given))
    return worst


def export_folder(folder: str | Path, out: str | Path, *, licence: str = _LICENCE) -> Path:
    """A copy of a run as models are shared: weights, declaration, scores and a model card.

    `load_run` takes the copy, and `load_state_dict(load_file("model.safetensors"))` the weights.
    """
    run, source, place = load_run(folder), Path(folder), Path(out)
    if place.exists() and any(place.iterdir()):
        raise ValueError(f"{place} holds files already; give an empty or new folder.")
    place.mkdir(parents=True, exist_ok=True)
    for name in (CONFIG, MODEL, HISTORY, SCORES):
        if (source / name).is_file():
            shutil.copyfile(source / name, place / name)
    scores = read_json(source / SCORES)["scores"] if (source / SCORES).is_file() else {}
    write_text(place / "README.md", _card(run.config["declaration"], scores, licence))
    return place


@torch.no_grad()
def _write(module: nn.Module, path: Path, rows: Tensor, given: list[str], found: list[str]) -> None:
    try:
        import onnx  # noqa: F401 - PyTorch needs it to write
    except ImportError as error:
        raise ModuleNotFoundError("pip install 'gordium[onnx]' to write ONNX files.") from error
    axes = {name: {0: "n"} for name in (*given, *found)}
    with warnings.catch_warnings():
        # The exporter by tracing is the one that needs no further package and keeps n free.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module,
            (rows,),
            str(path),
            input_names=given,
            output_names=found,
            dynamic_axes=axes,
            dynamo=False,
        )


@torch.no_grad()
def _difference(module: nn.Module, path: Path, rows: Tensor, given: str) -> float:
    try:
        import onnxruntime
    except ImportError as error:
        raise ModuleNotFoundError("pip install 'gordium[onnx]' to check ONNX files.") from error
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found = session.run(None, {given: rows.numpy()})
    expected = module(rows)
    expected = expected if isinstance(expected, tuple) else (expected,)
    pairs = zip(found, expected, strict=True)
    worst = max(float(np.abs(a - b.numpy()).max()) for a, b in pairs)
    if worst > CLOSE:
        path.unlink()
        raise ValueError(f"{path.name} would differ from PyTorch by {worst:.2g}; nothing is kept.")
    return worst


def _card(declaration: dict[str, Any], scores: dict[str, Any], licence: str) -> str:
    """The card's head is what Hugging Face reads; its text is for people."""
    method, settings = dict(declaration["method"]), declaration["settings"]
    name = method.pop("name")
    lines = [
        "---",
        f"license: {licence}",
        "library_name: gordium",
        "tags: [disentanglement, vae, representation-learning]",
        "---",
        f"# {name}, {settings['latent_dim']} latent units",
        "",
        f"Images {tuple(declaration['image_shape'])}; {_fields(method)}seed {settings['seed']}.",
        "All that the run follows from is the declaration in `config.json`.",
        "",
        "```python",
        "import gordium as gd",
        "run = gd.load_run(folder)  # run.model.encode(images), run.model.decode(z)",
        "```",
        "",
    ]
    if scores:
        lines += ["| score | value |", "|---|---|"]
        shown = {k: "undefined" if v is None else f"{v:.4f}" for k, v in scores.items()}
        lines += [f"| {name} | {value} |" for name, value in shown.items()]
    else:
        lines.append("Not scored yet: `gordium evaluate` writes scores.")
    return "\n".join([*lines, ""])


def _fields(method: dict[str, Any]) -> str:
    return "".join(f"{key} {value}, " for key, value in method.items())
