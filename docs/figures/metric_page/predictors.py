"""Where the scores of fitted predictors and of information per code mislead."""

import warnings

import numpy as np
from matplotlib.figure import Figure

from gordium.metrics import (
    RowsWarning,
    dci,
    downstream,
    downstream_logistic,
    explicitness,
    infomec,
    mig,
    modularity,
)
from gordium.metrics._information import discretise, mutual_information
from metric_page.case import (
    BLUE,
    GREY,
    RED,
    Case,
    grid,
    heat,
    label,
    mixing,
    noise,
    standardised,
)


def of_dci() -> Case:
    """A factor that no code holds still has a column of importances, of overfitting."""
    sizes = (5, 5, 5)
    v = grid(sizes, 3000)
    s = standardised(v, sizes)
    dead = np.zeros((3000, 3))
    sets = {
        "one code a factor": s,
        "factor 2 missing": s[:, :2],
        "and two codes of noise": np.concatenate([s[:, :2], noise((3000, 2))], axis=1),
        "every code twice": np.concatenate([s, s], axis=1),
        "every code twice, 3 dead codes": np.concatenate([s, s, dead], axis=1),
    }
    found = {name: dci(z, v) for name, z in sets.items()}

    def draw(figure: Figure) -> None:
        shown = list(sets)[:3]
        for axis, name in zip(figure.subplots(1, 3), shown, strict=True):
            heat(axis, found[name].importance, f"{name}: D {found[name].disentanglement:.2f}")
        figure.suptitle("importance of a code for a factor", fontsize=8.5)

    columns = ("disentanglement", "completeness", "informativeness")
    scores = {
        name: {column: getattr(of, column) for column in columns} for name, of in found.items()
    }
    return Case(scores, draw)


def of_modularity() -> Case:
    """It asks of every code, never of a factor; and noise tells most of the largest factor."""
    sizes = (3, 6, 40)
    v = grid(sizes, 10_000)
    s = standardised(v, sizes)
    sets = {
        "one code a factor": s,
        "all codes are factor 0": s[:, [0, 0, 0]],
        "pure noise": noise(s.shape),
        "one code a factor, 3 dead codes": np.concatenate([s, np.zeros_like(s)], axis=1),
    }

    def draw(figure: Figure) -> None:
        for axis, name in zip(figure.subplots(1, 3), list(sets)[:3], strict=True):
            share = mutual_information(discretise(sets[name], 20), v)
            share /= share.max(axis=1, keepdims=True)
            heat(axis, share, f"{name}: {modularity(sets[name], v):.2f}")
        figure.suptitle("mutual information, greatest in its row = 1", fontsize=8.5)

    scores = {
        name: {
            "modularity": modularity(z, v),
            "reference=True": modularity(z, v, reference=True),
            "mig": mig(z, v),
        }
        for name, z in sets.items()
    }
    return Case(scores, draw)


def of_explicitness() -> Case:
    """A linear probe: blind to an exclusive or, and content with any rotation."""
    v = grid((2, 2), 3000)
    a, b = v.T
    blur = 0.12 * noise((3000, 2))
    plain = 2.0 * v - 1
    gate = np.stack([2.0 * (a ^ b) - 1, plain[:, 1]], axis=1)
    half = np.sqrt(0.5)
    sets = {
        "(a, b)": plain + blur,
        "(a xor b, b)": gate + blur,
        "(a, b) turned by 45°": plain @ np.array([[half, half], [-half, half]]) + blur,
    }

    def draw(figure: Figure) -> None:
        for axis, (name, z) in zip(figure.subplots(1, 3), sets.items(), strict=True):
            for value, colour in enumerate((BLUE, RED)):
                rows = z[:600][a[:600] == value]
                axis.plot(*rows.T, ".", ms=2, color=colour, label=f"a = {value}")
            label(axis, f"{name}: {explicitness(z, v).score:.2f}", "z0", "z1")
            axis.set_aspect("equal")
        axis.legend(frameon=False, fontsize=7)

    scores = {
        name: {
            "explicitness": explicitness(z, v).score,
            "downstream, trees": downstream(z, v, sizes=(2000,)).accuracy,
            "mig": mig(z, v),
        }
        for name, z in sets.items()
    }
    return Case(scores, draw)


def of_infomec() -> Case:
    """Which codes count is decided by their range: a narrow code, or one outlier, drops codes."""
    sizes = (5, 5, 5)
    v = grid(sizes, 3000)
    s = standardised(v, sizes)
    outlier = s.copy()
    outlier[0, 0] = 100.0
    sets = {
        "one code a factor": s,
        "z2 / 25": s * (1, 1, 1 / 25),
        "one outlier in z0": outlier,
        "all codes are factor 0": s[:, [0, 0, 0]],
    }
    found = {name: infomec(z, v) for name, z in sets.items()}

    def draw(figure: Figure) -> None:
        for axis, name in zip(figure.subplots(1, 3), list(sets)[:3], strict=True):
            spans = np.ptp(sets[name], axis=0)
            colours = [BLUE if active else RED for active in found[name].is_active]
            axis.bar(range(3), spans / spans.max(), color=colours)
            axis.axhline(1 / 20, color=GREY, lw=1, ls="--")
            axis.set_yscale("log")
            axis.set_ylim(0.01, 1.5)
            axis.set_xticks(range(3), ("z0", "z1", "z2"))
            label(axis, f"{name}: InfoC {found[name].compactness:.2f}", "red: left out")
        figure.axes[0].set_ylabel("range / widest", fontsize=8)

    scores = {
        name: {
            "modularity": of.modularity,
            "explicitness": of.explicitness,
            "compactness": of.compactness,
            "active codes": int(of.is_active.sum()),
        }
        for name, of in found.items()
    }
    return Case(scores, draw)


def of_downstream() -> Case:
    """With enough samples every lossless code is as good: accuracy says nothing of axes."""
    sizes = (4, 4, 4)
    v = grid(sizes, 4500)
    s = standardised(v, sizes)
    sets = {
        "one code a factor": s,
        "rotated": s @ mixing().T,
        "every code twice": np.concatenate([s, s], axis=1),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RowsWarning)  # the grid has 64 points: rows repeat
        few = {name: downstream(z, v, sizes=(100, 3000)) for name, z in sets.items()}

    def draw(figure: Figure) -> None:
        axis = figure.subplots()
        for (name, z), style in zip(sets.items(), ("o-", "s-", "^--"), strict=True):
            found = downstream(z, v, sizes=(10, 30, 100, 300, 1000, 3000))
            heights = found.accuracies.mean(axis=1)
            axis.semilogx(found.sizes, heights, style, ms=4, label=f"{name}: MIG {mig(z, v):.2f}")
        label(axis, "boosted trees", "samples seen", "mean accuracy")
        axis.set_ylim(0, 1.05)
        axis.legend(frameon=False, fontsize=7)

    scores = {
        name: {
            "accuracy after 3,000": of.accuracy,
            "after 100": of.accuracies[0].mean(),
            "efficiency": of.efficiency,
            "mig": mig(sets[name], v),
        }
        for name, of in few.items()
    }
    return Case(scores, draw, width=4.6, height=3.0)


def of_downstream_logistic() -> Case:
    """A line reads any rotation as well as the axes, after few samples too."""
    sizes = (4, 8, 16)
    v = grid(sizes, 900)
    s = standardised(v, sizes)
    halves = [np.eye(n // 2)[v[:, k] // 2] for k, n in enumerate(sizes)]
    sets = {
        "one code a factor": s,
        "rotated": s @ mixing().T,
        "pairs of values, a code each": np.concatenate(halves, axis=1),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RowsWarning)  # the grid has 512 points: rows repeat
        found = {name: downstream_logistic(z, v, sizes=(100, 600)) for name, z in sets.items()}
        trees = {name: downstream(z, v, sizes=(600,)).accuracy for name, z in sets.items()}

    def draw(figure: Figure) -> None:
        axis = figure.subplots()
        for place, (name, of) in enumerate(found.items()):
            x = np.arange(3) + 0.27 * (place - 1)
            axis.bar(x, of.accuracies[-1], width=0.25, label=name)
        axis.set_xticks(range(3), [f"{n} values" for n in sizes])
        label(axis, "logistic regression, 600 rows", "", "accuracy")
        axis.set_ylim(0, 1.05)
        axis.legend(frameon=False, fontsize=7)

    scores = {
        name: {
            "accuracy after 600": of.accuracy,
            "efficiency": of.efficiency,
            "trees": trees[name],
            "mig": mig(sets[name], v),
        }
        for name, of in found.items()
    }
    return Case(scores, draw, width=4.6, height=3.0)
