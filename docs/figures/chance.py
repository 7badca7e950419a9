"""Writes results/demo/chance.csv: is a method's MIG more than that of its codes in any other basis?

    python docs/figures/chance.py FOLDER

FOLDER holds finished repetitions of `gordium demo --methods`. An autoencoder has no reason to
prefer one basis of its codes to another. So the codes of each fresh run, brought to covariance one,
are turned by angles that are drawn at random: `share` is how many of the turned codes have a lower
MIG than the codes as they are. By chance it lies anywhere between 0 and 1.
"""

import sys
from pathlib import Path

import numpy as np
from changes import RESULTS, list_repetitions, write_table
from scipy.stats import special_ortho_group

from gordium.evaluation.run_scores import load_representation
from gordium.metrics import mig
from gordium.report.rows import read_rows

METHODS = ("beta-vae", "factor-vae", "beta-tcvae", "slow-vae", "ae", "pcl", "weak-gan")
TURNS = 200


def measure(folder: Path) -> list[dict[str, object]]:
    """Every fresh run of the methods, beside its codes turned."""
    tables = [RESULTS / folder.name / f"{name}.csv" for name in ("rows", "methods")]
    rows = [row for path in tables if path.exists() for row in read_rows(path)]
    lines: list[dict[str, object]] = []
    for row in rows:
        is_fresh = not row.variant.startswith(("search", "probe"))
        if is_fresh and row.metric == "mig" and row.method in METHODS:
            kept = load_representation(folder / "runs" / row.run)
            turned = turn(kept.codes, kept.factors)
            lines.append(
                {"repetition": int(folder.name), "method": row.method, "variant": row.variant}
                | {"seed": row.seed, "mig": row.value, "turned": float(turned.mean())}
                | {"share": float(np.mean(turned < row.value))}
            )
    return lines


def turn(codes: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """MIG of the codes in other bases."""
    centred = codes.astype(np.float64) - codes.mean(axis=0)
    u, _, _ = np.linalg.svd(centred, full_matrices=False)
    turns = special_ortho_group.rvs(codes.shape[1], size=TURNS, random_state=0)
    return np.array([mig(u @ turn, factors) for turn in turns])


if __name__ == "__main__":
    folders = list_repetitions(Path(sys.argv[1]))
    write_table("chance.csv", [line for folder in folders for line in measure(folder)])
