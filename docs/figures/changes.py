"""Writes results/demo/changes.csv: how large the changes of the demo's repetitions are.

    python docs/figures/changes.py FOLDER

FOLDER holds finished repetitions of `gordium demo`. Variances are over all images, summed over
pixels in [0, 1]; that of a factor is the variance of the mean images of its values.
"""

import json
import sys
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from gordium.datasets import Dataset, Modified, Noisy
from gordium.exhibits.demo import Repetition, find_rung
from gordium.files import write_text
from gordium.geometry import stencils
from gordium.geometry.differences import as_decoder, factor_jacobians
from gordium.manipulation import load_manipulation
from gordium.report.rows import Row, read_rows
from gordium.study.equal_noise import measure_size
from gordium.study.phases import Probed, pick_most_harmful
from gordium.table_text import csv_text

RESULTS = Path(__file__).resolve().parents[2] / "results" / "demo"
HOW = find_rung("0")
(IMAGES,) = (data.dataset for data in HOW.data.values())


def measure(folder: Path) -> dict[str, float]:
    """The chosen change of a repetition beside its draw of noise and its other candidates."""
    probed = probe_runs(folder)
    probes = [fmean(run.mig for run in runs) for runs in probed]
    plain = pixels(IMAGES)
    found = {"repetition": int(folder.name)}
    found |= {f"{name}_of_original": value for name, value in effects(plain).items()}
    for arm, dataset in load_changed(folder).items():
        change = pixels(dataset) - plain
        found[f"rms_{arm}"] = measure_size(IMAGES, dataset)
        found[f"mean_absolute_{arm}"] = float(np.abs(change).mean())
        found[f"variance_{arm}"] = float(change.reshape(len(IMAGES), -1).var(axis=0).sum())
        found |= {f"{name}_of_{arm}": value for name, value in effects(pixels(dataset)).items()}
    best, mean, worst = probes[pick_most_harmful(probed)], fmean(probes), max(probes)
    return {**found, "probe_chosen": best, "probe_mean": mean, "probe_mildest": worst}


def load_changed(folder: Path) -> dict[str, Dataset]:
    """The changed and the noisy images of a repetition."""
    data = Repetition(int(folder.name), HOW, folder).data
    return {
        "modified": Modified(IMAGES, load_manipulation(find_change(folder))),
        "noise": Noisy(IMAGES, data.epsilon or 0.0, seed=data.noise_seed),
    }


def find_change(folder: Path, variant: str = "modified") -> Path:
    """The change that the runs of a variant were trained on, by what they declare."""
    run = next(row.run for row in read_rows(folder / "rows.csv") if row.variant == variant)
    config = json.loads(next(folder.rglob(f"runs/{run}/config.json")).read_text("utf-8"))
    name = Path(config["declaration"]["dataset"]["change"]["folder"]).name
    return next(path for path in folder.rglob(name) if (path / "config.json").is_file())


def pixels(dataset: Dataset) -> np.ndarray:
    """All images in [0, 1], indexed by the values of both factors."""
    sizes = [factor.size for factor in dataset.factors]
    return (dataset.images(np.arange(len(dataset))) / 255.0).reshape(*sizes, -1)


def mean_local_variance(dataset: Dataset) -> np.ndarray:
    """The mean over all images of J^T J; J is per standard deviation of each factor."""
    stencil = stencils.Stencil(tuple(stencils.arm(factor) for factor in dataset.factors))
    cells = stencil.draw(len(stencil), np.random.default_rng(0))
    slopes = factor_jacobians(as_decoder(dataset), stencil, cells).astype(np.float64)
    return np.einsum("npi,npj->ij", slopes, slopes) / len(slopes)


def effects(images: np.ndarray) -> dict[str, float]:
    """The variance that each factor explains alone, and what only both together explain."""
    hue, turn = (float(images.mean(axis=1 - k).var(axis=0).sum()) for k in (0, 1))
    whole = float(images.reshape(-1, images.shape[-1]).var(axis=0).sum())
    return {"hue": hue, "orientation": turn, "both": whole - hue - turn}


def probe_runs(folder: Path) -> list[list[Probed]]:
    """The scores of the probe runs on each candidate."""
    return [
        [Probed(row.value, bool(row.over_pruned)) for row in rows]
        for _, rows in sorted(group_probes(folder, "probe modified").items())
    ]


def group_probes(folder: Path, start: str = "probe") -> dict[str, list[Row]]:
    """The rows of a repetition's probes, by the variants whose names begin so."""
    groups: dict[str, list[Row]] = {}
    for row in read_rows(folder / "rows.csv"):
        if row.variant.startswith(start) and row.metric == "mig":
            groups.setdefault(row.variant, []).append(row)
    return groups


def list_repetitions(folder: Path) -> list[Path]:
    """The folders of finished repetitions, in the order of their numbers."""
    found = (path.parent for path in folder.glob("[0-9]*/rows.csv"))
    return sorted(found, key=lambda path: int(path.name))


def write_table(name: str, table: list[dict[str, Any]]) -> None:
    """Write a table to results/demo, its numbers rounded to four places."""
    rounded = (
        {k: round(v, 4) if isinstance(v, float) else v for k, v in line.items()} for line in table
    )
    write_text(RESULTS / name, csv_text(list(table[0]), rounded))


if __name__ == "__main__":
    found = [measure(folder) for folder in list_repetitions(Path(sys.argv[1]))]
    write_table("changes.csv", found)
