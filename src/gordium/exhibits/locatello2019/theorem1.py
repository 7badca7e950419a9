"""Locatello et al. 2019, Theorem 1: entangled codes with the distribution of disentangled ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from gordium.arrays import Floats, Integers
from gordium.datasets import Shapes3D
from gordium.exhibits.base import Exhibit, Made, Place, Row, fill
from gordium.exhibits.locatello2019 import claims
from gordium.metrics import dci, factor_vae_score, gaussian_total_correlation, mig, sap
from gordium.report.figures import entangling as entangling_figure
from gordium.theory import Entangling, entangle, householder

COLUMNS = {
    "what": "{what}",
    "smallest p, marginals": "{p_marginals:.3f}",
    "smallest p, pairs": "{p_pairs:.3f}",
    "smallest derivative": "{smallest_derivative:.1e}",
    "density off": "{density_off:.0e}",
}
METRICS: dict[str, Callable[[Floats, Any], float]] = {
    "MIG": mig,
    "DCI": lambda codes, factors: float(dci(codes, factors)[0]),
    "SAP": sap,
    "FactorVAE score": lambda codes, factors: float(factor_vae_score(codes, factors)[0]),
}


@dataclass(frozen=True)
class Size:
    """How many samples of each distribution and of the data set; which turns and metrics."""

    n: int
    n_codes: int
    alphas: tuple[float, ...]
    metrics: tuple[str, ...] = tuple(METRICS)


SIZES = {
    "smoke": Size(1000, 1000, (0.05, 0.25), ("MIG", "SAP")),
    "laptop": Size(10_000, 5000, (0.002, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.49)),
    "paper": Size(100_000, 10_000, tuple(np.linspace(0.001, 0.499, 50).round(3))),
}
DISTRIBUTIONS: dict[str, list[Any]] = {
    "normal, 2": [stats.norm()] * 2,
    "uniform, 2": [stats.uniform()] * 2,
    "exponential, 3": [stats.expon()] * 3,
    "Student t with 3 degrees, 4": [stats.t(3)] * 4,
    "beta, gamma, Laplace, logistic, normal": [
        stats.beta(0.5, 0.5),
        stats.gamma(2),
        stats.laplace(),
        stats.logistic(),
        stats.norm(),
    ],
    "uniform, 10": [stats.uniform()] * 10,
}


def make(place: Place) -> Made:
    """Test samples of f(z) against their distribution, and score perfect codes turned by f."""
    size = SIZES[place.scale]
    checks = [_check(name, laws, size.n) for name, laws in DISTRIBUTIONS.items()]
    codes, factors = perfect_codes(size.n_codes)
    turned = np.asarray(entangle(codes), dtype=np.float64)
    scores = {
        name: (float(METRICS[name](codes, factors)), float(METRICS[name](turned, factors)))
        for name in size.metrics
    }
    family = [(alpha, mig(entangle(codes, alpha=alpha), factors)) for alpha in size.alphas]
    blind = float(gaussian_total_correlation(codes)), float(gaussian_total_correlation(turned))
    pairs = {**scores, "total correlation": blind}
    rows: list[Row] = [*checks]
    rows += [{"what": name, "before": a, "after": b} for name, (a, b) in pairs.items()]
    rows += [{"what": "MIG", "alpha": alpha, "after": score} for alpha, score in family]
    return Made(
        list(COLUMNS),
        [*fill(COLUMNS, checks), *_score_lines(scores)],
        rows,
        {"theorem1.png": _picture(codes, factors, scores, family)},
        [
            "Marginals: Kolmogorov-Smirnov against the given distribution. Pairs: a chi-squared "
            "test of independence of two coordinates of f(z) in a 5 x 5 table of equal cells. "
            "Density off: largest |log p(f(z)) + log |det f'(z)| - log p(z)|. Scores are of "
            "codes of Shapes3D that are its six factors, each with noise within a value's cell, "
            "before and after gordium.theory.entangle (marginals taken from the codes)."
        ],
    )


def perfect_codes(n: int) -> tuple[Floats, Integers]:
    """The factors of Shapes3D as codes with a density, and the factors."""
    rng = np.random.default_rng(0)
    sizes = [factor.size for factor in Shapes3D().factors]
    factors = rng.integers(sizes, size=(n, len(sizes)))
    return factors + rng.random(factors.shape), factors


def _check(name: str, laws: Sequence[Any], n: int) -> Row:
    rng = np.random.default_rng(1)
    z = np.column_stack([law.rvs(size=n, random_state=rng) for law in laws])
    f = Entangling(laws, householder(len(laws)))
    moved, jacobian = f(z), f.jacobian(z)
    change = _log_density(laws, moved) + np.linalg.slogdet(jacobian)[1] - _log_density(laws, z)
    columns = list(zip(laws, moved.T, strict=True))
    marginals = [stats.kstest(column, law.cdf).pvalue for law, column in columns]
    uniform = [law.cdf(column) for law, column in columns]
    pairs = [_independence(*pair) for pair in combinations(uniform, 2)]
    return {
        "what": name,
        "n": n,
        "p_marginals": float(min(marginals)),
        "p_pairs": float(min(pairs)),
        "n_tests": len(marginals) + len(pairs),
        "smallest_derivative": float(np.abs(jacobian).min()),
        "density_off": float(np.abs(change).max()),
    }


def _log_density(laws: Sequence[Any], z: Floats) -> Floats:
    return np.sum([law.logpdf(column) for law, column in zip(laws, z.T, strict=True)], axis=0)


def _independence(u: Floats, v: Floats) -> float:
    table = np.histogram2d(u, v, bins=5, range=[[0, 1], [0, 1]])[0]
    return float(stats.chi2_contingency(table).pvalue)


def _score_lines(scores: Mapping[str, tuple[float, float]]) -> list[tuple[str, ...]]:
    return [
        (f"{name} of perfect codes", f"{before:.2f} before", f"{after:.2f} after", "", "")
        for name, (before, after) in scores.items()
    ]


def _picture(
    codes: Floats,
    factors: Integers,
    scores: Mapping[str, tuple[float, float]],
    family: Sequence[tuple[float, float]],
) -> bytes:
    """Draw two codes before and after, since a plane can be drawn, and the scores of all six."""
    two = codes[:, [0, 5]]
    turned = np.asarray(entangle(two), dtype=np.float64)
    return entangling_figure.draw_entangling(two, turned, factors[:, [0, 5]], scores, family)


theorem1 = Exhibit(
    "Theorem 1",
    "Entangled codes with the same distribution as disentangled ones",
    make,
    claims.theorem1,
)
