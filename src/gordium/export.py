"""Runs for other software: as ONNX files, or as a folder with a model card."""

import warnings
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from gordium._version import versions
from gordium.evaluation.run_scores import SCORES, read_scores
from gordium.files import check_path, write_sealed, write_text
from gordium.lookup import answer_wrong_calls
from gordium.spec.run import method_to_json
from gordium.training import Run, load_run
from gordium.training.folder import CONFIG, save_finished

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
    """Write encoder.onnx and decoder.onnx of a run; return how far they differ from PyTorch.

    Both take any number of rows. They are checked by onnxruntime on rows that were not traced: a
    file that differs by more than 1e-4 is removed, and that is an error.
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


@answer_wrong_calls
def save_run(
    run: Run,
    folder: str | Path,
    *,
    licence: str = _LICENCE,
    scores: Mapping[str, float] | None = None,
) -> Path:
    """Write a run to a folder with a model card, as models are shared on the Hugging Face Hub.

    The folder holds the weights, the declaration, the history, and the scores: those given, e.g.
    by `evaluate`, or those in the run's own folder. `load_run` reads it back, and
    `load_state_dict(load_file("model.safetensors"))` reads the weights alone.
    """
    if not isinstance(run, Run):
        raise TypeError(f"give a run, as train and load_run do; got a {type(run).__name__}.")
    if scores is not None and not isinstance(scores, Mapping):
        raise TypeError(f"scores must be as evaluate gives them; got a {type(scores).__name__}.")
    place = check_path("folder", folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise ValueError(f"{place} holds files already; give an empty or new folder.")
    document = _scores_of(run, scores)
    config = {"hash": run.spec.key, "versions": versions(), "machine": {}, **run.config}
    write_sealed(place / CONFIG, config)
    if document is not None:
        write_sealed(place / SCORES, document)
    shown = {} if document is None else document["scores"]
    write_text(place / "README.md", _card(run, shown, licence))
    save_finished(place, "model", run.model, run.history)
    return place


def export_folder(folder: str | Path, out: str | Path, *, licence: str = _LICENCE) -> Path:
    """Copy the run in a folder to another folder, as `save_run` does."""
    return save_run(load_run(folder), out, licence=licence)


def _scores_of(run: Run, scores: Mapping[str, float] | None) -> Mapping[str, Any] | None:
    """What the scores file will say: the scores given, or those in the run's folder, if any."""
    if scores is not None:
        known = {name: value if isfinite(value) else None for name, value in scores.items()}
        return {"scores": known, "run": run.spec.key}
    if run.folder is None or not (run.folder / SCORES).is_file():
        return None
    return read_scores(run.folder)


@torch.no_grad()
def _write(module: nn.Module, path: Path, rows: Tensor, given: list[str], found: list[str]) -> None:
    try:
        import onnx  # noqa: F401 - PyTorch needs it to write
    except ImportError as error:
        raise ModuleNotFoundError("pip install 'gordium[onnx]' to write ONNX files.") from error
    axes = {name: {0: "n"} for name in (*given, *found)}
    with warnings.catch_warnings():
        # The tracing exporter needs no further package and leaves the number of rows free.
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
        raise ValueError(f"{path.name} differed from PyTorch by {worst:.2g} and was removed.")
    return worst


def _card(run: Run, scores: Mapping[str, float | None], licence: str) -> str:
    """The text of a model card: a head for Hugging Face, then sentences for people."""
    spec = run.spec
    method = {k: v for k, v in method_to_json(spec.method).items() if k != "name"}
    fields = "".join(f"{key} {value}, " for key, value in method.items())
    lines = [
        "---",
        f"license: {licence}",
        "library_name: gordium",
        "tags: [disentanglement, vae, representation-learning]",
        "---",
        f"# {spec.method.name}, {spec.settings.latent_dim} latent units",
        "",
        f"Images {spec.dataset.image_shape}; {fields}seed {spec.seed}.",
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
