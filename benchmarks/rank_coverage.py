"""How often does a 95 % interval hold a rank correlation where runs share settings?

    python benchmarks/rank_coverage.py

Writes results/rank_coverage.csv: 18 settings of three runs, as in the large study's smaller data
sets. Two scores, normal, of which each run has a share from its setting; both shares correlate
alike. Fisher's interval takes the 54 runs for independent, the jackknife leaves out settings.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gordium.report.statistics.correlation import rank, rank_by_group

OUT = Path(__file__).resolve().parents[1] / "results" / "rank_coverage.csv"
SETTINGS, RUNS, TRIALS = 18, 3, 500
TRUE, SHARED = (0.0, 0.6), (0.0, 0.5, 0.9)
GROUPS = np.repeat(np.arange(SETTINGS), RUNS)


def coverage(true: float, shared: float, *, trials: int = TRIALS) -> tuple[float, float]:
    """Of Fisher's interval over runs, and of the jackknife's over settings."""
    rng = np.random.default_rng(7)
    rho = 6 / np.pi * np.arcsin(true / 2)  # Spearman's, of normal scores
    hits = np.zeros(2)
    for _ in range(trials):
        x, y = draw(rng, true, shared)
        found = rank(x, y), rank_by_group(x, y, GROUPS)
        hits += [interval.low <= rho <= interval.high for interval in found]
    return float(hits[0] / trials), float(hits[1] / trials)


def draw(rng: np.random.Generator, true: float, shared: float) -> NDArray[np.float64]:
    """Two scores (2, runs) with correlation `true`, a share of whose variance is the setting's."""
    mix = np.linalg.cholesky(np.array([[1.0, true], [true, 1.0]]))
    of_setting = np.repeat(rng.standard_normal((2, SETTINGS)), RUNS, axis=1)
    of_run = rng.standard_normal((2, SETTINGS * RUNS))
    scores: NDArray[np.float64] = mix @ (
        np.sqrt(shared) * of_setting + np.sqrt(1 - shared) * of_run
    )
    return scores


if __name__ == "__main__":
    lines = ["correlation,shared,fisher_over_runs,jackknife_over_settings"]
    for true in TRUE:
        for shared in SHARED:
            fisher, jackknife = coverage(true, shared)
            lines.append(f"{true},{shared},{fisher:.3f},{jackknife:.3f}")
    OUT.write_text("\n".join([*lines, ""]), encoding="utf-8")
    print("\n".join(lines))
