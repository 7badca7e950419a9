"""Compares the orthogonal VAE with the beta-VAE of the same beta.

    python docs/figures/orthogonal.py --runs FOLDER [--workers 2]

Data and settings are those of docs/figures/methods.py, whose runs are used again. Rows go to
results/orthogonal.csv, the table to docs/methods.md.
"""

import argparse
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from gordium.datasets import in_memory
from gordium.exhibits.base import Place
from gordium.exhibits.runs import train_all
from gordium.files import read_json
from gordium.geometry import distance_to_orthogonality
from gordium.methods import VAE, BetaVAE, Method, OrthogonalVAE
from gordium.spec import RunSpec
from gordium.table_text import markdown_lines
from gordium.training import load_run
from gordium.training.pixels import as_floats
from methods import COMMON, METRICS, SEEDS, put_table, room, write_csv

RESULTS = Path(__file__).resolve().parents[2] / "results" / "orthogonal.csv"
START, END = "<!-- orthogonal -->", "<!-- end of orthogonal -->"
DIGITS = {"reconstruction": 1, "dto": 2, "mig": 2}  # shown of each number
MEMBERS: dict[tuple[float, str], Method] = {
    (1.0, "beta-vae"): VAE(),
    (1.0, "orthogonal-vae"): OrthogonalVAE(beta=1.0),
    (4.0, "beta-vae"): BetaVAE(beta=4.0),
    (4.0, "orthogonal-vae"): OrthogonalVAE(beta=4.0),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    dataset = room()
    runs = [
        (beta, name, seed, RunSpec.of(method, dataset, COMMON).with_seed(seed))
        for seed in SEEDS
        for (beta, name), method in MEMBERS.items()
    ]
    place = Place("laptop", given.runs, given.workers)
    folders = train_all(place, [run for *_, run in runs], title="orthogonal", metrics=METRICS)
    x = as_floats(in_memory(dataset).images(range(0, len(dataset), 10)), torch.device("cpu"))
    rows = [
        {"beta": beta, "method": name, "seed": seed, **measure(folder, x), "run": folder.name}
        for (beta, name, seed, _), folder in zip(runs, folders, strict=True)
    ]
    write_csv(RESULTS, rows)
    put_table(START, table(rows), END)


@torch.no_grad()
def measure(folder: Path, x: torch.Tensor) -> dict[str, float]:
    """The reconstruction loss at the end of training, distance to orthogonality, and MIG."""
    run = load_run(folder)
    means = run.model.encode(x).mean
    return {
        "reconstruction": fmean(row["reconstruction"] for row in run.history[-5:]),
        "dto": distance_to_orthogonality(run.model.decode, means).distance,
        "mig": read_json(folder / "scores.json")["scores"]["mig"],
    }


def table(rows: list[dict[str, Any]]) -> list[str]:
    """A line for each method and beta, with every seed in each cell."""
    lines = []
    for beta, name in MEMBERS:
        own = [row for row in rows if (row["beta"], row["method"]) == (beta, name)]
        cells = (" ".join(f"{row[k]:.{n}f}" for row in own) for k, n in DIGITS.items())
        lines.append((f"{beta:g}", f"`{name}`", *cells))
    head = ("beta", "method", "reconstruction", "distance to orthogonality", "MIG")
    return markdown_lines(head, lines)


if __name__ == "__main__":
    main()
