"""Where the scores that hold one factor fixed mislead."""

import numpy as np
from matplotlib.figure import Figure

from gordium.metrics import beta_vae_score, factor_vae_score, irs, mig
from gordium.metrics.beta_vae_score import _points
from metric_page.case import (
    BLUE,
    COLOURS,
    GREY,
    RED,
    Case,
    grid,
    heat,
    label,
    noise,
    rotation,
    standardised,
)

DSPRITES = (3, 6, 40, 32, 32)


def of_beta_vae_score() -> Case:
    """A missing factor is known by the absence of all signs of the others."""
    sizes = (10, 10, 10)
    v = grid(sizes, 6000)
    s = standardised(v, sizes)
    sets = {
        "all 3 factors": s,
        "factor 2 missing": s[:, :2],
        "factors 1 and 2 missing": s[:, :1],
        "every code twice": np.concatenate([s, s], axis=1),
    }

    def draw(figure: Figure) -> None:
        axis = figure.subplots()
        features, held = _points(s[:, :2], v, np.random.default_rng(0), 600, 64)
        for k in range(3):
            name = f"factor {k} held" + (" (no code has it)" if k == 2 else "")
            own = features[held == k]
            axis.plot(*own.T, "o", ms=2.5, alpha=0.6, color=COLOURS[k], label=name)
        score = beta_vae_score(s[:, :2], v).score
        label(
            axis, f"codes without factor 2: score {score:.2f}", "mean |z0 - z0'|", "mean |z1 - z1'|"
        )
        axis.legend(frameon=False, fontsize=7)

    scores = {
        name: {
            "beta_vae_score": beta_vae_score(z, v).score,
            "factor_vae_score": factor_vae_score(z, v).score,
        }
        for name, z in sets.items()
    }
    return Case(scores, draw, width=4.6, height=3.0)


def of_factor_vae_score() -> Case:
    """Only the least variance votes: a rotation that favours each factor once looks perfect."""
    v = grid(DSPRITES, 6000)
    s = standardised(v, DSPRITES)
    turns = [rotation(5, seed) for seed in range(8)]
    votes = np.array([factor_vae_score(s @ turn.T, v).score for turn in turns])
    gaps = np.array([mig(s @ turn.T, v) for turn in turns])
    best = int(votes.argmax())

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        heat(left, turns[best] ** 2, f"rotation {best}: share of variance, score {votes[best]:.2f}")
        right.plot(gaps, votes, "o", ms=4, color=RED, label="8 random rotations")
        right.plot(mig(s, v), 1, "s", ms=5, color=BLUE, label="perfect codes")
        label(right, "rotated codes of dSprites", "MIG", "FactorVAE score")
        right.set_ylim(0, 1.05)
        right.set_xlim(0, 1)
        right.legend(frameon=False, fontsize=7, loc="lower right")

    def row(score: float, gap: float) -> dict[str, float]:
        return {"factor_vae_score": score, "mig": gap}

    median = int(np.argsort(votes)[len(votes) // 2])
    scores = {
        "perfect codes": row(factor_vae_score(s, v).score, mig(s, v)),
        "the highest of 8 rotations": row(float(votes[best]), gaps[best]),
        "a middling one": row(float(votes[median]), gaps[median]),
        "the lowest": row(float(votes.min()), gaps[votes.argmin()]),
        "perfect codes / 100": row(factor_vae_score(s / 100, v).score, mig(s / 100, v)),
    }
    return Case(scores, draw)


def of_irs() -> Case:
    """A quantile above the line and a maximum below it: even noise is called robust."""
    sizes = (10, 10)
    v = grid(sizes, 10_000)
    s = standardised(v, sizes)
    blur = noise(s.shape)
    sets = {
        "perfect": (s, v),
        "pure noise, 10,000 rows": (blur, v),
        "pure noise, 500 rows": (blur[:500], v[:500]),
        "both codes are factor 0": (s[:, [0, 0]], v),
    }

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2, width_ratios=(1.6, 1))
        left.plot(v[:3000, 0] + 0.2 * noise((3000,), 5), blur[:3000, 0], ".", ms=1, color=GREY)
        away = np.abs(blur[:, 0])
        for height, colour, name in (
            (away.max(), RED, "greatest |z|: the measure"),
            (np.quantile(away, 0.99), BLUE, "99 %: what is measured"),
        ):
            left.axhline(height, color=colour, lw=1.2, label=name)
            left.axhline(-height, color=colour, lw=1.2)
        label(left, "noise: what is called the spread within a value", "factor 0", "code z0")
        left.set_ylim(-5, 7.5)
        left.legend(frameon=False, fontsize=7, loc="upper left")
        rows = np.logspace(2, 4, 9).astype(int)
        for quantile, colour in ((0.99, BLUE), (1.0, RED)):
            heights = [irs(blur[:n], v[:n], quantile=quantile) for n in rows]
            name = f"quantile {quantile:g}"
            right.semilogx(rows, heights, "o-", ms=3, color=colour, label=name)
        label(right, "IRS of noise", "rows", "IRS")
        right.set_ylim(0, 1)
        right.legend(frameon=False, fontsize=7)

    scores = {
        name: {"irs": irs(z, of), "quantile=1": irs(z, of, quantile=1.0), "mig": mig(z, of)}
        for name, (z, of) in sets.items()
    }
    return Case(scores, draw)
