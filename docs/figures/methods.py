"""Trains every method on reduced Shapes3D; makes the table and pictures of docs/methods.md.

    python docs/figures/methods.py --runs FOLDER [--workers 2] [--finished]

Runs are kept in FOLDER and used again. Rows go to results/methods.csv. dSprites and modified
images are the study zietlow2021's.
"""

import argparse
import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from gordium.datasets import Dataset, in_memory, load_dataset
from gordium.evaluation.run_scores import is_scored
from gordium.exhibits.base import Place
from gordium.exhibits.runs import repeat_over_seeds, train_all
from gordium.files import read_json, write_bytes, write_text
from gordium.methods import METHODS, Method
from gordium.networks import Convolutional
from gordium.report.figures import images as figures
from gordium.spec import RunSpec
from gordium.study import pictures
from gordium.training import Adam, Settings, load_run

HERE = Path(__file__).resolve().parent
PAGE, IMAGES = HERE.parent / "methods.md", HERE.parent / "images" / "methods"
RESULTS = HERE.parents[1] / "results" / "methods.csv"
START, END = "<!-- scores -->", "<!-- end of scores -->"
SEEDS = (0, 1, 2)
METRICS = ("mig", "dci", "mcc")
COMMON = Settings(
    latent_dim=3,
    steps=2500,
    architecture=Convolutional(width=0.5),
    optimiser=Adam(learning_rate=1e-3),
)
# What differs from a method's own defaults, which are made for 300,000 steps and ten units.
CHANGED: dict[str, dict[str, Any]] = {
    "beta-vae": {"beta": 8.0},
    "beta-vae-full": {"beta": 8.0},
    "annealed-vae": {"gamma": 100.0, "capacity": 12.0, "warmup_steps": 2000},
    "factor-vae": {"gamma": 10.0},
    "isa-vae": {"beta": 8.0, "layout": 2},
    "isa-tcvae": {"beta": 8.0, "layout": 2},
    "ada-gvae": {"beta": 4.0},
    "orthogonal-vae": {"beta": 4.0},
    "weak-gan": {"critic_width": 0.5, "compare": True},
}
SLOW_TO_TRAIN = ("orthogonal-vae", "weak-gan")


def room() -> Dataset:
    """1,200 images: the floor's hue, the cube's scale and the orientation are free."""
    return load_dataset("shapes3d", size=32).hold(wall_hue=5, object_hue=0, shape=0)


def method(name: str) -> Method:
    return METHODS[name](**CHANGED.get(name, {}))


def declared() -> Iterator[tuple[str, RunSpec]]:
    """Method and declaration of each run; seeds outside, so that all advance."""
    dataset = room()
    quick = [name for name in METHODS if name not in SLOW_TO_TRAIN]
    for seed in SEEDS:
        for name in (*quick, *SLOW_TO_TRAIN):
            isa = name.startswith("isa")
            settings = replace(COMMON, latent_dim=4) if isa else COMMON
            [run] = repeat_over_seeds(method(name), dataset, settings, [seed])
            yield name, run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--finished", action="store_true", help="train nothing, take what is there")
    given = parser.parse_args()
    runs = list(declared())
    if given.finished:
        runs = [entry for entry in runs if is_scored(given.runs / entry[1].key, METRICS)]
    place = Place("laptop", given.runs, given.workers)
    folders = train_all(place, [run for _, run in runs], title="methods", metrics=METRICS)
    rows = []
    for (name, run), folder in zip(runs, folders, strict=True):
        rows += row(name, run, folder)
        if run.seed == SEEDS[0] and name != "pcl":  # which has no decoder
            png = picture(in_memory(run.dataset.load()), folder)
            write_bytes(IMAGES / f"{name}.png", png)
    write_csv(RESULTS, rows)
    put_table(START, table(rows), END)


def row(name: str, run: RunSpec, folder: Path) -> list[dict[str, Any]]:
    scores = read_json(folder / "scores.json")
    return [
        {
            "data": "shapes3d",
            "method": name,
            "seed": run.seed,
            "steps": run.settings.steps,
            "metric": metric,
            "value": value,
            "active_units": scores["active_units"],
            "run": scores["run"],
            "version": scores["versions"]["gordium"],
        }
        for metric, value in scores["scores"].items()
        if "/" not in metric and "." not in metric
    ]


def picture(dataset: Dataset, folder: Path) -> bytes:
    run = load_run(folder)
    shown = pictures.some_indices(dataset, 9)
    rows = {
        "images": pictures.originals(dataset, shown),
        "decoded": pictures.reconstructions(run, dataset, shown),
    }
    for k, images in enumerate(pictures.traversals(run, dataset, int(shown[0]))):
        rows[f"unit {k + 1}"] = images
    return figures.image_grid(rows, zoom=0.55)


def table(rows: list[dict[str, Any]]) -> list[str]:
    lines = [
        "| method | changed | MIG of each seed | mean | DCI | MCC |",
        "|---|---|---|---|---|---|",
    ]
    for name in dict.fromkeys(r["method"] for r in rows):
        values = {
            m: [r["value"] for r in rows if r["method"] == name and r["metric"] == m]
            for m in METRICS
        }
        changed = ", ".join(f"{k} {v}" for k, v in CHANGED.get(name, {}).items())
        means = " | ".join(f"{fmean(values[m]):.2f}" for m in METRICS)
        lines.append(
            f"| `{name}` | {changed} | {' '.join(f'{v:.2f}' for v in values['mig'])} | {means} |"
        )
    return lines


def write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: round(v, 6) if isinstance(v, float) else v for k, v in row.items()})
    write_text(path, buffer.getvalue())


def put_table(start: str, lines: list[str], end: str) -> None:
    """The page with what stands between two marks made anew."""
    before, rest = PAGE.read_text().split(start)
    _, after = rest.split(end)
    write_text(PAGE, before + start + "\n".join(["", *lines, ""]) + end + after)


if __name__ == "__main__":
    main()
