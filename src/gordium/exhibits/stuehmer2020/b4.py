"""B.4 of Stühmer et al. 2020: a spare component costs free energy and is pruned."""

import numpy as np

from gordium.exhibits.base import Exhibit, Made, Place, Row
from gordium.exhibits.stuehmer2020 import claims
from gordium.exhibits.stuehmer2020 import example as worked
from gordium.report.figures import plane
from gordium.theory import factor_analysis as fa
from gordium.theory.factor_analysis import Array

SHARES = np.linspace(0, np.sqrt(0.5), 101)
SHOWN = (0.0, 0.25, 0.5, float(np.sqrt(0.5)))


def make(place: Place) -> Made:
    """Sweep the share of a spare component, and learn three columns from random starts."""
    given = worked.example()
    likelihood, energy = np.array([_values(share) for share in SHARES]).T
    found = [worked.learn(given, 3, 1.0, seed) for seed in range(worked.STARTS[place.scale])]
    rows: list[Row] = [
        {"share": float(s), "log_likelihood": float(a), "free_energy": float(b)}
        for s, a, b in zip(SHARES, likelihood, energy, strict=True)
    ]
    rows += [{"start": k, **_measure_pruning(weights, given)} for k, weights in enumerate(found)]
    lines = [
        plane.Line("log-likelihood", SHARES, likelihood),
        plane.Line("free energy", SHARES, energy),
    ]
    return Made(
        (
            "share of the third component",
            "log-likelihood, nats a point",
            "free energy, nats a point",
        ),
        [(f"{s:.3f}", *(f"{v:.4f}" for v in _values(s))) for s in SHOWN],
        rows,
        {
            "pruning.png": plane.curves(
                {"": lines}, x="share of the third component", y="nats a point"
            )
        },
        (
            "The second axis is shared by two columns, (0, sqrt(1 - a^2)) and (0, a), beside a "
            f"first column (1, 0), with noise of variance {worked.VARIANCE}; a is the share, "
            "from 0 to an equal one (the paper goes to 1/2). The data have exactly the model's "
            "covariance.",
            f"The learned weights are those of the {worked.N_POINTS} points of stuehmer2020-b3.",
        ),
    )


def _measure_pruning(weights: Array, given: worked.Example) -> Row:
    """Measure what learning left of the third column, and by how much it missed the optimum."""
    best = fa.log_likelihood(given.weights, given.noise, given.second_moment)
    reached = fa.best_free_energy(weights, given.noise, given.second_moment).value
    return {
        "third_length": float(np.linalg.norm(weights[:, 2]) / np.linalg.norm(weights[:, 1])),
        "degrees_off_pca": worked.off_axis(weights[:, :2], given.weights),
        "below_best": best - reached,
    }


def share_column(share: float) -> Array:
    """Eq. 17 as we read it: three columns with W W^T = I for every share."""
    return np.array([[1.0, 0.0, 0.0], [0.0, np.sqrt(1 - share**2), share]])


def _values(share: float) -> tuple[float, float]:
    weights, noise = share_column(share), np.full(2, worked.VARIANCE)
    moment = np.eye(2) + np.diag(noise)
    energy = fa.best_free_energy(weights, noise, moment)
    return fa.log_likelihood(weights, noise, moment), energy.value


b4 = Exhibit("B.4", "A spare component is pruned", make, claims.b4)
