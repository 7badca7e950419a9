"""Trains every method on reduced data; makes the tables and pictures of docs/methods.md.

    python docs/figures/methods.py --runs FOLDER [--workers 2] [--part shapes3d dsprites modified]

Runs are kept in FOLDER and used again. Rows go to results/methods.csv. The part `modified` needs
`--manipulation`, a folder that `make demo` leaves (demo/manipulation).
"""

import argparse
import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from gordium.datasets import Dataset, Modified, in_memory, load_dataset
from gordium.exhibits import pictures
from gordium.exhibits.base import Place
from gordium.exhibits.runs import declarations, run_folder, trained
from gordium.files import read_json, write_bytes, write_text
from gordium.manipulation import load_manipulation
from gordium.methods import METHODS, PCL, BetaVAE, Method, SlowVAE, WeakGAN
from gordium.networks import Convolutional
from gordium.report import figures
from gordium.study import declared_dataset
from gordium.study.work import is_scored
from gordium.training import Adam, Settings, load_run

HERE = Path(__file__).resolve().parent
IMAGES, RESULTS = HERE.parent / "images" / "methods", HERE.parents[1] / "results" / "methods.csv"
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
    "weak-gan": {"critic_width": 1.0},
}
SLOW_TO_TRAIN = ("orthogonal-vae", "weak-gan")


class Part(NamedTuple):
    """One table: its data sets by variant, its methods by name, and its settings."""

    datasets: dict[str, Dataset]
    methods: dict[str, Method]
    settings: Settings


def parts(manipulation: Path | None) -> dict[str, Part]:
    quick = [name for name in METHODS if name not in SLOW_TO_TRAIN]
    every = {name: method(name) for name in (*quick, *SLOW_TO_TRAIN)}
    gan = WeakGAN(critic_width=1.0)
    on_sprites: dict[str, Method] = {
        "beta-vae 2": BetaVAE(beta=2.0),
        "beta-vae 8": BetaVAE(beta=8.0),
        "slow-vae": SlowVAE(),
        "weak-gan": gan,
    }
    found = {
        "shapes3d": Part({"original": _room()}, every, COMMON),
        "dsprites": Part({"original": _sprites()}, on_sprites, replace(COMMON, steps=6000)),
    }
    if manipulation is not None:
        change = load_manipulation(manipulation)
        floor = load_dataset("shapes3d", size=32).hold(wall_hue=5, object_hue=0, scale=4, shape=0)
        variants = {"original": floor, "modified": Modified(floor, change)}
        pairs: dict[str, Method] = {"pcl": PCL(), "weak-gan": gan}
        found["modified"] = Part(variants, pairs, replace(COMMON, latent_dim=2))
    return found


def _room() -> Dataset:
    """1,200 images: the floor's hue, the cube's scale and the orientation are free."""
    return load_dataset("shapes3d", size=32).hold(wall_hue=5, object_hue=0, shape=0)


def _sprites() -> Dataset:
    """6,144 images of a heart: scale and place are free."""
    return load_dataset("dsprites", size=32).hold(shape=2, orientation=0)


def method(name: str) -> Method:
    return METHODS[name](**CHANGED.get(name, {}))


def declared(part: Part) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Variant, method and declaration of each run; seeds outside, so that all advance."""
    for seed in SEEDS:
        for name, member in part.methods.items():
            isa = name.startswith("isa")
            settings = replace(part.settings, latent_dim=4) if isa else part.settings
            for variant, dataset in part.datasets.items():
                [run] = declarations(member, dataset, settings, [seed])
                yield variant, name, run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--part", nargs="+", default=["shapes3d", "dsprites"])
    parser.add_argument("--manipulation", type=Path)
    parser.add_argument("--finished", action="store_true", help="train nothing, take what is there")
    given = parser.parse_args()
    place = Place("laptop", given.runs, given.workers)
    known = parts(given.manipulation)
    rows = []
    for title in given.part:
        runs = list(declared(known[title]))
        if given.finished:
            runs = [entry for entry in runs if is_scored(run_folder(given.runs, entry[2]), METRICS)]
        folders = trained(place, [run for *_, run in runs], title=title, metrics=METRICS)
        for (variant, name, run), folder in zip(runs, folders, strict=True):
            rows += row(title, variant, name, run, folder)
        draw(title, runs, folders)
    write(rows)


def row(
    title: str, variant: str, name: str, run: dict[str, Any], folder: Path
) -> list[dict[str, Any]]:
    scores = read_json(folder / "scores.json")
    return [
        {
            "data": title,
            "variant": variant,
            "method": name,
            "seed": run["settings"]["seed"],
            "steps": run["settings"]["steps"],
            "metric": metric,
            "value": round(value, 6),
            "active_units": scores["active_units"],
            "run": scores["run"],
            "version": scores["versions"]["gordium"],
        }
        for metric, value in scores["scores"].items()
        if "/" not in metric and "." not in metric
    ]


def draw(title: str, runs: list[tuple[str, str, dict[str, Any]]], folders: list[Path]) -> None:
    """Originals, reconstructions and traversals of each method's first seed."""
    for (variant, name, run), folder in zip(runs, folders, strict=True):
        first = run["settings"]["seed"] == SEEDS[0] and variant == "original"
        if first and name != "pcl":  # which has no decoder
            png = picture(in_memory(declared_dataset(run["dataset"])), folder)
            write_bytes(IMAGES / f"{title}-{name.replace(' ', '-')}.png", png)


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


def write(rows: list[dict[str, Any]]) -> None:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(RESULTS, buffer.getvalue())


if __name__ == "__main__":
    main()
