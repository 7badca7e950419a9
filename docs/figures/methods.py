"""Trains methods on reduced Shapes3D; makes the table and pictures of docs/methods.md.

    python docs/figures/methods.py [method ...] --runs FOLDER [--workers 2] [--finished]

Without names it trains every method. Runs are kept in FOLDER and used again. Rows go to
results/methods.csv, where those of other methods stay. For dSprites and modified images see the
study zietlow2021.
"""

import argparse
import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from gordium.datasets import Dataset, in_memory, load_dataset
from gordium.evaluation.run_scores import is_scored
from gordium.exhibits.base import Place
from gordium.exhibits.runs import store_in, train_all
from gordium.files import read_json, write_bytes, write_text
from gordium.lookup import pick
from gordium.methods import METHODS, Method
from gordium.networks import Convolutional
from gordium.report.figures import images as figures
from gordium.spec import RunSpec
from gordium.study import pictures
from gordium.table_text import csv_text, markdown_lines
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


def build_method(name: str) -> Method:
    """A method with the options that suit this data set."""
    return METHODS[name](**CHANGED.get(name, {}))


def declare_runs() -> Iterator[tuple[str, RunSpec]]:
    """The name and the declaration of each run; every method's first seed comes first."""
    dataset = room()
    quick = [name for name in METHODS if name not in SLOW_TO_TRAIN]
    for seed in SEEDS:
        for name in (*quick, *SLOW_TO_TRAIN):
            settings = replace(COMMON, latent_dim=4) if name.startswith("isa") else COMMON
            yield name, RunSpec.of(build_method(name), dataset, settings).with_seed(seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("methods", nargs="*", help="all, if none is named")
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--finished", action="store_true", help="train nothing, use finished runs")
    given = parser.parse_args()
    wanted = {pick("method", name, METHODS) for name in given.methods or METHODS}
    runs = [(name, run) for name, run in declare_runs() if METHODS[name] in wanted]
    place = Place("laptop", given.runs, given.workers)
    if given.finished:
        folder_of = store_in(place).run_folder
        runs = [(name, run) for name, run in runs if is_scored(folder_of(run.key), METRICS)]
    folders = train_all(place, [run for _, run in runs], title="methods", metrics=METRICS)
    rows = []
    for (name, run), folder in zip(runs, folders, strict=True):
        rows += score_rows(name, run, folder)
        if run.seed == SEEDS[0] and name != "pcl":  # PCL has no decoder
            png = picture(in_memory(run.dataset.load()), folder)
            write_bytes(IMAGES / f"{name}.png", png)
    rows = merge(read_rows(), rows)
    write_csv(RESULTS, rows)
    put_table(START, table(rows), END)


def read_rows() -> list[dict[str, Any]]:
    """The committed rows."""
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return [
            {**row, "seed": int(row["seed"]), "value": float(row["value"])}
            for row in csv.DictReader(file)
        ]


def merge(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """New rows in the place of their methods' old ones, in the order in which runs are declared."""
    made = {row["method"] for row in new}
    order = {(name, run.seed): place for place, (name, run) in enumerate(declare_runs())}
    kept = [row for row in old if row["method"] not in made and row["method"] in METHODS]
    return sorted([*kept, *new], key=lambda row: order[row["method"], row["seed"]])


def score_rows(name: str, run: RunSpec, folder: Path) -> list[dict[str, Any]]:
    """A row for each score of a run; parts of a metric are left out."""
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
    """Images, their reconstructions, and a traversal of each unit."""
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
    """A line for each method: what was changed of it, each seed's MIG, and means."""
    lines = []
    for name in dict.fromkeys(r["method"] for r in rows):
        values = {
            m: [r["value"] for r in rows if r["method"] == name and r["metric"] == m]
            for m in METRICS
        }
        changed = ", ".join(f"{k} {v}" for k, v in CHANGED.get(name, {}).items())
        each = " ".join(f"{v:.2f}" for v in values["mig"])
        means = (f"{fmean(values[m]):.2f}" for m in METRICS)
        lines.append((f"`{name}`", changed, each, *means))
    return markdown_lines(("method", "changed", "MIG of each seed", "mean", "DCI", "MCC"), lines)


def write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows with their numbers rounded to six places."""
    rounded = (
        {k: round(v, 6) if isinstance(v, float) else v for k, v in row.items()} for row in rows
    )
    write_text(path, csv_text(list(rows[0]), rounded))


def put_table(start: str, lines: list[str], end: str) -> None:
    """Replace what stands between two marks on the page."""
    before, rest = PAGE.read_text().split(start)
    _, after = rest.split(end)
    write_text(PAGE, before + start + "\n".join(["", *lines, ""]) + end + after)


if __name__ == "__main__":
    main()
