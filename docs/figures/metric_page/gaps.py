"""Where the scores that take the gap between the two best codes mislead."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.stats import rankdata

from gordium.metrics import (
    dci,
    disentanglement_score,
    mig,
    mig_aggregate_posterior,
    mig_equal_frequency,
    sap,
)
from gordium.metrics._scalar_svm import fit_scalar_svms
from metric_page.case import (
    BLUE,
    GREY,
    RED,
    Array,
    Case,
    grid,
    heat,
    label,
    noise,
    standardised,
    told,
)

SIZES = (10, 10)


def of_mig() -> Case:
    """Equal-width bins: one outlier, or a heavy tail, puts all else into a few bins."""
    v = grid(SIZES, 10_000)
    plain = standardised(v, SIZES)
    outlier = plain.copy()
    outlier[0, 0] = 1000.0
    sets = {
        "even steps": plain,
        "one outlier in z0": outlier,
        "sinh(4 z)": np.sinh(4 * plain),
    }

    def draw(figure: Figure) -> None:
        for axis, (name, z) in zip(figure.subplots(1, 3), sets.items(), strict=True):
            axis.hlines(np.histogram_bin_edges(z[:, 0], 20), -0.5, 9.5, color="#cccccc", lw=0.6)
            axis.plot(v[:, 0], z[:, 0], "o", ms=3, color=BLUE)
            label(axis, f"{name}: MIG {mig(z, v):.2f}", "factor 0", "code z0 and its 20 bins")

    scores = {
        name: {"mig": mig(z, v), "mig_equal_frequency": mig_equal_frequency(z, v)}
        for name, z in sets.items()
    }
    return Case(scores, draw)


def of_mig_equal_frequency() -> Case:
    """Gaps: what two codes hold equally well counts as held by none."""
    v = grid(SIZES, 3000)
    s, turn = standardised(v, SIZES), 2 * np.pi * v[:, 0] / 10
    # Rounded, since sin 36° and sin 144° differ in the last bit, and ranks would tell them apart.
    circle = np.stack([np.sin(turn).round(9), np.cos(turn).round(9), s[:, 1]], axis=1)
    sets = {
        "one code a factor": s,
        "every code twice": np.concatenate([s, s], axis=1),
        "factor 0 as (sin, cos)": circle,
        "z0 and a trace of it, 1e-9 z0": np.concatenate([s, 1e-9 * s[:, :1]], axis=1),
    }

    def draw(figure: Figure) -> None:
        for axis, (name, z) in zip(figure.subplots(1, 3), sets.items(), strict=False):
            gap = mig_equal_frequency(z, v)
            heat(axis, told(rankdata(z, axis=0), v), f"{name}: gap {gap:.2f}")
        figure.suptitle("share of a factor's entropy that a code tells", fontsize=8.5)

    scores = {}
    for name, z in sets.items():
        trees = dci(z, v)
        scores[name] = {
            "mig_equal_frequency": mig_equal_frequency(z, v),
            "mig": mig(z, v),
            "sap": sap(z, v),
            "dci.disentanglement": trees.disentanglement,
            "dci.informativeness": trees.informativeness,
        }
    return Case(scores, draw)


def of_mig_aggregate_posterior() -> Case:
    """Posteriors so narrow that they single out the image: every code tells every factor."""
    v = grid(SIZES, 2000)
    z = standardised(v, SIZES) + 0.1 * noise((2000, 2))

    def gap(sigma: float) -> float:
        log_variances = np.full(z.shape, 2 * np.log(sigma))
        return mig_aggregate_posterior(z, v, log_variances=log_variances, samples=500)

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        sigmas = np.logspace(0, -6, 13)
        left.semilogx(sigmas, [gap(sigma) for sigma in sigmas], "o-", ms=3, color=RED)
        left.axhline(mig(z, v), color=GREY, lw=1, ls="--")
        left.text(1e-6, mig(z, v) + 0.02, "mig of the means", fontsize=7, color=GREY)
        label(left, "the same means", "posterior standard deviation", "MIG of the posterior")
        left.set_ylim(0, 1)
        x = np.linspace(-0.05, 0.05, 4000)
        for sigma, colour in ((0.1, BLUE), (1e-4, RED)):
            density = np.exp(-((x[:, None] - z[:, 0]) ** 2) / 2 / sigma**2).mean(axis=1)
            right.plot(x, density / density.max(), color=colour, lw=0.8, label=f"sd {sigma:g}")
        label(right, "q(z0), peak set to 1", "z0")
        right.set_ylim(0, 1.35)
        right.legend(frameon=False, fontsize=7, loc="upper right", ncols=2)

    widths = (0.3, 0.1, 0.01, 1e-3, 1e-4, 1e-6)
    scores = {
        f"posterior sd {sigma:g}": {"mig_aggregate_posterior": gap(sigma), "mig": mig(z, v)}
        for sigma in widths
    }
    return Case(scores, draw)


def of_sap() -> Case:
    """One line a class on one number: the ends win, and scale, spacing and rows matter."""
    v = grid((8, 8), 15_000)
    s = standardised(v, (8, 8))
    ends = np.sign(s) * (np.abs(s) > 1.4)
    sets = {
        "z": (s, v),
        "z / 10": (s / 10, v),
        "10 z": (10 * s, v),
        "z³": (s**3, v),
        "z, 3,000 rows": (s[:3000], v[:3000]),
        "only lowest, highest or neither": (ends, v),
    }

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        _lines(left, s[:3000], v[:3000])
        scales = np.logspace(-2, 2, 33)
        right.semilogx(scales, [sap(s * scale, v) for scale in scales], "o-", ms=3, color=RED)
        label(right, "perfect codes, 15,000 rows", "codes multiplied by", "SAP")
        right.set_ylim(0, 0.5)

    scores = {
        name: {"sap": sap(z, of), "continuous=True": sap(z, of, continuous=True), "mig": mig(z, of)}
        for name, (z, of) in sets.items()
    }
    return Case(scores, draw)


def _lines(axis: Axes, codes: Array, factors: Array) -> None:
    """The values of a perfect code, and what the machines of 2,000 rows make of them."""
    slope, intercept = fit_scalar_svms(codes[:2000, 0], factors[:2000, :1])
    axis.plot(factors[:, 0], codes[:, 0], "o", ms=6, color=GREY, mfc="none", label="true")
    found = np.argmax(codes[:, :1] * slope + intercept, axis=1)
    axis.plot(found, codes[:, 0], "x", ms=5, color=RED, label="predicted")
    right = np.mean(found[2000:] == factors[2000:, 0])
    label(axis, f"a perfect code, 3,000 rows: {right:.0%} right", "factor 0", "code z0")
    axis.legend(frameon=False, fontsize=7)


def of_disentanglement_score() -> Case:
    """A nominal factor counts up to its number of values less one, others about one."""
    sizes = (4, 15)
    v = grid(sizes, 5000)
    s, blur = standardised(v, sizes), noise((5000, 2))
    sets = {
        "both held": s,
        "shape held, x lost": np.stack([s[:, 0], blur[:, 1]], axis=1),
        "x held, shape lost": np.stack([blur[:, 0], s[:, 1]], axis=1),
    }

    def of(z: Array, bounded: bool) -> float:
        return disentanglement_score(z, v, nominal=(0,), bounded=bounded)

    def draw(figure: Figure) -> None:
        axis = figure.subplots()
        _bars(axis, [of(z, False) for z in sets.values()], -0.2, RED, "as written")
        _bars(axis, [of(z, True) for z in sets.values()], 0.2, BLUE, "bounded")
        axis.axhline(1, color=GREY, lw=1, ls="--")
        axis.set_xticks(range(3), sets)
        label(axis, "factors: shape (4 values, nominal) and x (15 values)", "", "score")
        axis.legend(frameon=False, fontsize=7)

    scores = {
        name: {"disentanglement_score": of(z, False), "bounded=True": of(z, True), "mig": mig(z, v)}
        for name, z in sets.items()
    }
    return Case(scores, draw, width=5.2)


def _bars(axis: Axes, heights: list[float], shift: float, colour: str, name: str) -> None:
    places = np.arange(len(heights)) + shift
    bars = axis.bar(places, heights, width=0.38, color=colour, label=name)
    axis.bar_label(bars, fmt="%.2f", fontsize=7)
    axis.set_ylim(0, 2.4)
