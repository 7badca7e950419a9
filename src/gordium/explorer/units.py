"""A run's units: their order, noise and range, and what they tell of each factor."""

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.evaluation import Representation
from gordium.explain.numbers import cut_into_bins
from gordium.explain.subject import Kind
from gordium.explorer.blob import Content
from gordium.geometry import active_units
from gordium.metrics._information import discretise, entropy, mutual_information

BINS, RIDGE = 20, 48
REACH = 3.0  # standard deviations of the prior, or of the codes where there is none


class Unit(TypedDict):
    """A unit as the page shows it; without trained noise it has no KL and no variance."""

    unit: int
    active: bool
    kl: float | None
    variance: float | None
    low: float
    high: float
    mean: float
    spread: float
    ridge: list[int]


def units_of(found: Representation, kind: Kind, lengths: NDArray[Any]) -> list[Unit]:
    """One entry for each unit, the most important first.

    With trained noise that is the unit of the least mean variance (Zietlow et al. 2021, Eqs. 13
    and 14); with a decoder alone it is the one that moves the image most, by the `lengths` of
    Jacobian columns; with neither it is the one whose codes spread most.
    """
    codes, log_variances = found.codes.astype(np.float64), found.require_log_variances()
    variances = np.exp(log_variances.astype(np.float64)).mean(axis=0)
    spread = codes.std(axis=0)
    score = -variances if kind.has_noise else lengths if kind.has_decoder else spread
    active = active_units(log_variances) if kind.has_noise else np.ones(len(spread), bool)
    kl = unit_kl(found)
    low, high = ranges(codes, kind)
    return [
        {
            "unit": unit,
            "active": bool(active[unit]),
            "kl": float(kl[unit]) if kind.has_noise else None,
            "variance": float(variances[unit]) if kind.has_noise else None,
            "low": float(low[unit]),
            "high": float(high[unit]),
            "mean": 0.0 if kind.has_prior else float(codes[:, unit].mean()),
            "spread": 1.0 if kind.has_prior else max(float(spread[unit]), 1e-3),
            "ridge": _ridge(codes[:, unit], low[unit], high[unit]),
        }
        for unit in np.argsort(-score, kind="stable").tolist()
    ]


def unit_kl(found: Representation) -> Floats:
    """The mean KL divergence of each unit's posteriors from N(0, 1), in nats."""
    mean, log_variance = (
        x.astype(np.float64) for x in (found.codes, found.require_log_variances())
    )
    return 0.5 * (mean**2 + np.exp(log_variance) - log_variance - 1).mean(axis=0)


def ranges(codes: Floats, kind: Kind) -> tuple[NDArray[Any], NDArray[Any]]:
    """The ends of each slider: three standard deviations to both sides, and all codes."""
    centre = 0.0 if kind.has_prior else codes.mean(axis=0)
    reach = REACH * (1.0 if kind.has_prior else np.maximum(codes.std(axis=0), 1e-3))
    low = np.minimum(centre - reach, codes.min(axis=0))
    high = np.maximum(centre + reach, codes.max(axis=0))
    return np.floor(10 * low) / 10, np.ceil(10 * high) / 10


def information(found: Representation) -> Content:
    """Mutual information of units and factors over the factors' entropy, and MIG's gaps.

    Eq. 1 of Zietlow et al. 2021, as `gordium.metrics.mig` estimates it. A factor of one value
    has no entropy: its column is 0. With one unit there is no gap.
    """
    factors = np.stack([cut_into_bins(column, BINS) for column in found.factors.T], axis=1)
    shared = mutual_information(discretise(found.codes, BINS), factors)
    total = entropy(factors)
    share = shared / np.where(total > 0, total, 1.0)
    gaps = None
    if len(share) > 1:
        second, best = np.sort(share, axis=0)[-2:]
        gaps = (best - second).tolist()
    return {"share": share.round(4).tolist(), "gaps": gaps, "n": len(factors)}


def _ridge(codes: Floats, low: float, high: float) -> list[int]:
    """How often codes fall in each part of the slider, in hundredths of the largest."""
    counts = np.histogram(codes, bins=RIDGE, range=(low, high))[0]
    return np.rint(100 * counts / max(counts.max(), 1)).astype(int).tolist()
