"""Where the count of active units misleads."""

import numpy as np
from matplotlib.figure import Figure

from gordium.evaluation.representation import Representation, over_pruned
from gordium.geometry.activity import active_units
from metric_page.case import COLOURS, GREY, Array, Case, grid, heat, label, standardised, told

ROWS = 6000


def of_active_units() -> Case:
    """A mean over images: a unit that speaks seldom is called dead, a mumbling one active."""
    rng = np.random.default_rng(0)
    rare = np.arange(ROWS) % 6 == 0
    nothing = np.zeros(ROWS)
    units = {
        "one image in 6, clearly": (
            rare * rng.choice((-1.0, 1.0), ROWS),
            np.where(rare, 0.01, 1.0),
        ),
        "every image, faintly": (0.5 * rng.standard_normal(ROWS), nothing + 0.75),
        "every image, clearly": (0.99 * rng.standard_normal(ROWS), nothing + 0.02),
        "nothing": (nothing, nothing + 1.0),
    }
    means, variances = (np.stack([unit[i] for unit in units.values()], axis=1) for i in (0, 1))
    active = active_units(np.log(variances))

    def draw(figure: Figure) -> None:
        axis = figure.subplots()
        share = np.linspace(0, 100, ROWS)
        for (name, (_, variance)), colour in zip(units.items(), COLOURS, strict=False):
            title = f"{name}: mean {variance.mean():.2f}"
            axis.plot(share, np.sort(variance), color=colour, lw=1.5, label=title)
        axis.axhline(0.8, color=GREY, lw=1, ls="--")
        label(axis, "active: mean below 0.8", "% of images, sorted", "posterior variance")
        axis.set_ylim(0, 1.7)
        axis.legend(frameon=False, fontsize=7, loc="upper left")

    scores = {
        name: {"mean variance": variances[:, j].mean(), "active": active[j], "KL, nats": kl}
        for j, (name, kl) in enumerate(zip(units, _kl(means, variances), strict=True))
    }
    return Case(scores, draw, width=4.6, height=3.0)


def _kl(means: Array, variances: Array) -> Array:
    return np.mean(means**2 + variances - 1 - np.log(variances), axis=0) / 2


def of_over_pruned() -> Case:
    """It counts units, not what they hold."""
    sizes = (10, 10)
    v = grid(sizes, ROWS)
    s = standardised(v, sizes)
    sure = np.full((ROWS, 2), np.log(0.01))
    unsure = sure * (1, 0)
    sets = {
        "one unit a factor": (s, sure),
        "both units hold factor 0": (s[:, [0, 0]], sure),
        "one unit holds factor 0, one nothing": (s * (1, 0), unsure),
    }

    def draw(figure: Figure) -> None:
        for axis, (name, (z, log_variances)) in zip(
            figure.subplots(1, 3), sets.items(), strict=True
        ):
            answer = "yes" if over_pruned(Representation(z, log_variances, v)) else "no"
            heat(axis, told(z, v), f"{name}\nover-pruned: {answer}", ("factor", "unit"))

    scores = {
        name: {
            "active units": int(active_units(log_variances).sum()),
            "over_pruned": over_pruned(Representation(z, log_variances, v)),
            "factors told": int((told(z, v) > 0.5).any(axis=0).sum()),
        }
        for name, (z, log_variances) in sets.items()
    }
    return Case(scores, draw)
