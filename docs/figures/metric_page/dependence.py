"""Where the scores of agreement, correlation and dependence between codes mislead."""

import numpy as np
from matplotlib.figure import Figure

from gordium.metrics import (
    code_mutual_information,
    gaussian_total_correlation,
    mcc,
    mig,
    udr,
    wasserstein_correlation,
)
from gordium.metrics._correlation import absolute_correlation
from gordium.metrics._information import discretise, mutual_information
from metric_page.case import (
    BLUE,
    GREY,
    RED,
    Array,
    Case,
    grid,
    heat,
    label,
    mixing,
    noise,
    rotation,
    standardised,
)

ROWS = 10_000


def of_udr() -> Case:
    """Agreement is not truth: runs that share the same wrong axes agree perfectly."""
    sizes = (10, 10, 10)
    v = grid(sizes, 1000)
    s = standardised(v, sizes)
    sets = {
        "each run finds the factors": [_run(s, i) for i in range(4)],
        "all find the same rotation": [_run(s @ mixing().T, i) for i in range(4)],
        "each finds its own rotation": [_run(s @ rotation(3, i).T, i) for i in range(4)],
        "each finds factor 0 alone": [_run(s[:, :1], i) for i in range(4)],
    }

    def draw(figure: Figure) -> None:
        runs = sets["all find the same rotation"]
        left, right = figure.subplots(1, 2)
        match = absolute_correlation(runs[0], runs[1], rank=False)
        heat(left, match, "run 0 and run 1 agree", ("code of run 1", "code of run 0"))
        heat(right, absolute_correlation(runs[0], v, rank=False), "run 0 and the factors do not")
        figure.suptitle(f"|correlation|; UDR {udr(runs).scores.mean():.2f}", fontsize=8.5)

    scores = {
        name: {
            "udr": float(udr(runs).scores.mean()),
            "udr, spearman": float(udr(runs, method="spearman").scores.mean()),
            "mcc": float(np.mean([mcc(z, v) for z in runs])),
        }
        for name, runs in sets.items()
    }
    return Case(scores, draw, width=5.6)


def _run(codes: Array, seed: int) -> Array:
    """The same codes in another order, with other signs and a little noise."""
    rng = np.random.default_rng(100 + seed)
    order, signs = rng.permutation(codes.shape[1]), rng.choice((-1, 1), size=codes.shape[1])
    return codes[:, order] * signs + 0.05 * rng.standard_normal(codes.shape)


def of_gaussian_total_correlation() -> Case:
    """It sees straight lines only: codes on a circle are uncorrelated."""
    turn = 2 * np.pi * np.random.default_rng(0).random(ROWS)
    circle = np.sqrt(2) * np.stack([np.sin(turn), np.cos(turn)], axis=1)
    sets = {"independent": noise((ROWS, 2)), "on a circle": circle, "correlation 0.9": _pair(0.9)}

    def draw(figure: Figure) -> None:
        for axis, (name, z) in zip(figure.subplots(1, 3), sets.items(), strict=True):
            axis.plot(*z[:800].T, ".", ms=2, color=BLUE)
            label(axis, f"{name}: TC {gaussian_total_correlation(z):.2f}", "z0", "z1")
            axis.set_aspect("equal")

    scores = {
        name: {
            "gaussian_total_correlation": gaussian_total_correlation(z),
            "wasserstein_correlation": wasserstein_correlation(z).distance,
            "code_mutual_information": code_mutual_information(z),
        }
        for name, z in sets.items()
    }
    return Case(scores, draw)


def _pair(correlation: float) -> Array:
    z = noise((ROWS, 2))
    other = correlation * z[:, 0] + np.sqrt(1 - correlation**2) * z[:, 1]
    return np.stack([z[:, 0], other], axis=1)


def of_wasserstein_correlation() -> Case:
    """In squared units of the codes: shrink them, or add a wide code, and it is gone."""
    pair = _pair(0.9)
    wide = np.concatenate([pair, 10 * noise((ROWS, 1), 7)], axis=1)
    sets = {"correlation 0.9": pair, "the same / 10": pair / 10, "and a code of sd 10": wide}

    def draw(figure: Figure) -> None:
        for axis, (name, z) in zip(figure.subplots(1, 3), sets.items(), strict=True):
            axis.plot(*z[:800, [0, -1]].T, ".", ms=2, color=GREY if z.shape[1] == 3 else BLUE)
            found = wasserstein_correlation(z)
            title = f"{name}: {found.distance:.3f}\nnormalised {found.normalised:.3f}"
            last = z.shape[1] - 1
            label(axis, title, "z0", f"z{last}")
            limit = 30 if last == 2 else 4
            axis.set_xlim(-limit, limit)
            axis.set_ylim(-limit, limit)

    scores = {
        name: {
            "distance": wasserstein_correlation(z).distance,
            "normalised": wasserstein_correlation(z).normalised,
            "gaussian_total_correlation": gaussian_total_correlation(z),
        }
        for name, z in sets.items()
    }
    return Case(scores, draw)


def of_code_mutual_information() -> Case:
    """A mean over pairs of biased estimates: few rows raise it, dead codes thin it out."""
    z = noise((ROWS, 2))
    twice = z[:, [0, 0]]
    thin = np.concatenate([twice, np.zeros((ROWS, 8))], axis=1)
    sets = {
        "independent, 10,000 rows": z,
        "independent, 300 rows": z[:300],
        "one code twice": twice,
        "one code twice, 8 dead codes": thin,
    }

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        rows = np.logspace(2, 4, 9).astype(int)
        left.semilogx(rows, [code_mutual_information(z[:n]) for n in rows], "o-", ms=3, color=RED)
        height = code_mutual_information(thin)
        left.axhline(height, color=BLUE, lw=1.2)
        left.text(100, height + 0.03, "one code twice, 8 dead codes", fontsize=7, color=BLUE)
        label(left, "two independent codes", "rows", "nats")
        left.set_ylim(0, 1.2)
        binned = discretise(thin, 20)
        shared = mutual_information(binned, binned)
        right.imshow(np.where(np.eye(10), np.nan, shared), cmap="Blues")
        right.set_xticks([])
        right.set_yticks([])
        label(right, f"10 codes, 2 alike: mean {height:.2f} nats", "code", "code")

    scores = {
        name: {
            "code_mutual_information": code_mutual_information(codes),
            "gaussian_total_correlation": gaussian_total_correlation(codes),
        }
        for name, codes in sets.items()
    }
    return Case(scores, draw)


def of_mcc() -> Case:
    """Correlated factors let one direction pass for two; a fold has no correlation at all."""
    free = grid((10, 10), ROWS)
    base = noise((ROWS, 2))
    both = np.stack([base[:, 0], 0.95 * base[:, 0] + np.sqrt(1 - 0.95**2) * base[:, 1]], axis=1)
    tied = discretise(both.clip(-2.5, 2.5), 10)
    s = standardised(free, (10, 10))
    half = np.sqrt(0.5)
    sets = {
        "independent factors, one code each": (s, free),
        "the same, turned by 45°": (s @ np.array([[half, half], [-half, half]]), free),
        "the same, z0² and z1²": (s**2, free),
        "factors correlated 0.95, both codes their sum": (
            both.sum(axis=1)[:, None] * (1, -1),
            tied,
        ),
    }

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        z, v = sets["factors correlated 0.95, both codes their sum"]
        left.plot(
            v[:800, 0] + 0.1 * base[:800, 1], z[:800, 0], ".", ms=2, color=BLUE, label="factor 0"
        )
        left.plot(
            v[:800, 1] + 0.1 * base[:800, 1], z[:800, 0], ".", ms=2, color=RED, label="factor 1"
        )
        label(left, f"codes z and -z of correlated factors: {mcc(z, v):.2f}", "factor", "code z0")
        left.legend(frameon=False, fontsize=7)
        z, v = sets["the same, z0² and z1²"]
        right.plot(v[:800, 0], z[:800, 0], "o", ms=4, color=BLUE)
        label(right, f"a folded code: {mcc(z, v):.2f}", "factor 0", "code z0")

    scores = {
        name: {"mcc": mcc(z, v), "rank=True": mcc(z, v, rank=True), "mig": mig(z, v)}
        for name, (z, v) in sets.items()
    }
    return Case(scores, draw)
