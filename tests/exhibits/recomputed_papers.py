"""The lines of each exhibit, from its rows; see recomputed.py."""

import math
from functools import cache
from itertools import permutations

import numpy as np
from scipy import stats

from .recomputed import (
    NAN,
    RESULTS,
    STUDY_METRICS,
    Found,
    above,
    direction,
    equivalent,
    group,
    jack_number,
    jackknifed,
    number,
    of_jackknife,
    of_sample,
    pairs_of,
    published,
    ranked,
    ranked_by_setting,
    rows,
    same,
    spearman,
    unrelated,
)

VARIANTS = ("original", "modified", "noise")
NOT_CHANGED = ("dsprites",)
TABLES = {
    "zietlow2021-table1": "mig",
    "zietlow2021-table3": "dci",
    "zietlow2021-table4": "factor_vae_score",
    "zietlow2021-table5": "sap",
}


def zietlow_table(exhibit, label, metric):
    """Each change of the published table, which is not judged here, and the published means."""
    theirs, table = published(exhibit), group(rows(exhibit), "dataset", "method", "variant")
    sets = list(dict.fromkeys(key[0] for key in table))
    cases = [(d, m) for m in theirs for d in sets if f"{d}/noise" in theirs[m]]

    def moves(case, a, b):
        first, second = (theirs[case[1]][f"{case[0]}/{v}"] for v in (a, b))
        ma, sa, mb, sb = first["mean"], first["std"], second["mean"], second["std"]
        if sa == sb == 0:
            return int(np.sign(mb - ma))
        test = stats.ttest_ind_from_stats(mb, sb, 10, ma, sa, 10, equal_var=False)
        return int(np.sign(mb - ma)) if test.pvalue < 0.05 else 0

    def once(case, a, b):
        """One change or one draw of noise: the means over its seeds."""
        first, second = ({r["seed"]: r["value"] for r in table[(*case, v)]} for v in (a, b))
        seeds = [s for s in first if s in second]
        return tuple([float(np.mean([side[s] for s in seeds]))] for side in (first, second))

    def repeated(case, a, b):
        return tuple(_demo_means(metric, case[1], v) for v in (a, b))

    def told(text, cases, a, b, unit, way=None):
        """Of all cases, first over the demo's repetitions and then of one change: not judged."""
        has = [case for case in cases if case[0] == "shapes3d" and repeated(case, a, b)[0]]
        several = [(f"{', '.join(case)}, repetitions", case, repeated) for case in has]
        for of, case, pair in (*several, *((", ".join(case), case, once) for case in cases)):
            if way is None:
                line = equivalent(text, of, *pair(case, a, b), unit)
            else:
                before, after = (theirs[case[1]][f"{case[0]}/{v}"]["mean"] for v in (a, b))
                sign = way or moves(case, a, b)
                line = direction(text, of, *pair(case, a, b), sign, unit, after - before)
            yield line._replace(judged=False)

    changed = [case for case in cases if case[0] not in NOT_CHANGED]
    still = [case for case in cases if moves(case, "original", "noise") == 0]
    found = [
        *told(f"{label} falls from original to modified images",
              [case for case in changed if moves(case, "original", "modified") < 0],
              "original", "modified", "change", -1),
        *told(f"{label} is lower on modified than on noisy images",
              [case for case in changed if moves(case, "noise", "modified") < 0],
              "noise", "modified", "change", -1),
        *told(f"modified images leave {label} of other methods as it is",
              [case for case in changed if moves(case, "original", "modified") == 0],
              "original", "modified", "change"),
        *told(f"noise leaves {label} as it is",
              [c for d in ("shapes3d", "dsprites") for c in still if c[0] == d],
              "original", "noise", "draw"),
        *told(f"noise moves {label} as published", [c for c in cases if c not in still],
              "original", "noise", "draw", 0),
    ]  # fmt: skip
    text, beside = f"{label} has the published means", []
    for method, cells in theirs.items():
        for cell, mean in cells.items():
            data, variant = cell.split("/")
            if variant == "modified" and data in NOT_CHANGED:
                continue
            own = [r["value"] for r in table.get((data, method, variant), [])]
            again = _demo_means(metric, method, variant) if data == "shapes3d" else []
            unit = {"modified": "change", "noise": "draw"}.get(variant, "seed")
            if again:
                of, each = f"{cell}, {method}, repetitions", unit.replace("seed", "repetition")
                found.append(number(text, of, again, mean["mean"], each))
            if own:
                own = own if unit == "seed" else [float(np.mean(own))]
                line = number(text, f"{cell}, {method}", own, mean["mean"], unit)
                judged = unit == "seed" and not again
                (found if judged else beside).append(line._replace(judged=judged))
    return found + beside


@cache
def _demo_means(metric, method, variant):
    """One score of one method in each repetition, its seeds averaged; empty if there are none."""
    found, wanted = [], (metric, method, variant)
    for k in range(10):
        files = ("rows.csv", "methods.csv", "scores.csv")
        table = [row for file in files for row in rows(f"demo/{k}", file)]
        own = [r["value"] for r in table if (r["metric"], r["method"], r["variant"]) == wanted]
        found += [float(np.mean(own))] if own else []
    return found


def of_table(metric, method):
    """Mean and interval over repetitions of each arm, of a difference and of a ratio."""
    arms = {arm: _demo_means(metric, method, arm) for arm in VARIANTS}
    pairs = list(zip(arms["modified"], arms["original"], strict=True))
    gap = np.subtract(arms["modified"], arms["noise"])
    ratio = of_jackknife(lambda some: sum(m for m, _ in some) / sum(o for _, o in some), pairs)
    found = {arm: of_sample(values) for arm, values in arms.items()}
    found |= {"modified - noise": of_sample(gap), "modified / original": ratio}
    return {name: numbers[:3] for name, numbers in found.items()}


def within_repetitions(metric, method):
    """Seeds of a repetition, and half of the interval of modified - noise over as many of them."""
    left = []
    for k in range(10):
        own = {}
        for file in ("rows.csv", "methods.csv", "scores.csv"):
            for r in rows(f"demo/{k}", file):
                if (r["metric"], r["method"]) == (metric, method):
                    own.setdefault(r["variant"], {})[r["seed"]] = r["value"]
        gaps = np.array([own["modified"][s] - own["noise"][s] for s in own["modified"]])
        left.append(gaps - gaps.mean())
    n, free = len(left[0]), sum(len(gaps) - 1 for gaps in left)
    error = math.sqrt(sum(float(gaps @ gaps) for gaps in left) / free)
    return n, float(stats.t.ppf(0.975, free)) * error / math.sqrt(n)


def zietlow_figure1():
    table = rows("zietlow2021-figure1")
    found = []
    for name, near, far, text in (
        ("linear", "to_global", "to_local", "a linear VAE's code is nearer"),
        ("nonlinear", "to_local", "to_global", "a nonlinear VAE's code is nearer"),
    ):
        own = [r for r in table if r["codes"].startswith(name)]
        found.append(direction(text, "", [r[far] for r in own], [r[near] for r in own], -1))
    return found


def _demo_tables(file="rows.csv", folder="demo"):
    """MIG of each repetition's mean run, by method and variant."""
    paths = sorted((RESULTS / folder).glob(f"[0-9]*/{file}"), key=_repetition)
    found = []
    for path in paths:
        own = [r for r in rows(f"{folder}/{_repetition(path)}", file) if r["metric"] == "mig"]
        table = group(own, "method", "variant")
        found.append({key: np.mean([r["value"] for r in some]) for key, some in table.items()})
    return found


def _demo_scores(metric, variant):
    files = sorted((RESULTS / "demo").glob("[0-9]*/scores.csv"), key=_repetition)
    tables = [group(rows(f"demo/{_repetition(path)}", "scores.csv"), "metric", "variant")
              for path in files]  # fmt: skip
    return [np.mean([r["value"] for r in table[metric, variant]]) for table in tables]


def demo():
    """The paper's sentences: the change is the unit, seeds are averaged within it."""
    vaes, rest = ("factor-vae", "beta-tcvae", "slow-vae"), ("ae", "pcl", "weak-gan")
    tables = {"beta-vae": _demo_tables()}
    tables |= dict.fromkeys((*vaes, *rest), _demo_tables("methods.csv"))

    def means(method, variant):
        return [table[method, variant] for table in tables[method]]

    def printed(method, variant, exhibit="zietlow2021-table1"):
        return published(exhibit)[method][f"shapes3d/{variant}"]["mean"]

    found = []
    for first, word in (("original", "original"), ("noise", "noisy")):
        text = f"VAEs score lower on modified than on {word}"
        found += [direction(text, f"MIG, {m}", means(m, first), means(m, "modified"), -1, "change",
                            printed(m, "modified") - printed(m, first))
                  for m in ("beta-vae", *vaes)]  # fmt: skip
        for k, metric, of in ((3, "dci", "DCI"), (4, "factor_vae_score", "FactorVAE score"),
                              (5, "sap", "SAP")):  # fmt: skip
            source = f"zietlow2021-table{k}"
            gap = printed("beta-vae", "modified", source) - printed("beta-vae", first, source)
            before, after = _demo_scores(metric, first), _demo_scores(metric, "modified")
            found.append(direction(text, f"{of}, beta-vae", before, after, -1, "change", gap))
    for second, unit, methods, text in (
        ("modified", "change", rest, "modified images leave methods that are no VAE"),
        ("noise", "draw", ("beta-vae", *vaes, *rest), "noise leaves all methods"),
    ):
        found += [equivalent(text, f"MIG, {m}", means(m, "original"), means(m, second), unit)
                  for m in methods]  # fmt: skip
    return found


def demo_controls():
    """Sentences of ours on the same repetitions, and four times as many steps."""
    tables = _demo_tables()
    original, modified, noise = (
        np.array([table["beta-vae", arm] for table in tables]) for arm in VARIANTS
    )
    a, b, c = (published("zietlow2021-table1")["beta-vae"][f"shapes3d/{arm}"]["mean"]
               for arm in VARIANTS)  # fmt: skip
    found = [
        above("MIG on modified images is at most half", "", modified - original / 2, -1, "change",
              b - a / 2),
        above("MIG on noisy images keeps 70 %", "", noise - 0.7 * original, 1, "draw",
              c - 0.7 * a),
    ]  # fmt: skip
    for arm, text in {
        "equal noise": "noise of equal",
        "waves": "the worst of four unlearned waves",
        "swapped": "the worst of four changes with swapped",
        "worst noise": "the worst of four draws of noise",
    }.items():
        beside = [table for table in tables if ("beta-vae", arm) in table]
        pair = [[table["beta-vae", one] for table in beside] for one in (arm, "modified")]
        text = f"MIG is lower on modified images than on {text}"
        found.append(direction(text, "", *pair, -1, "change"))
    longer = _demo_tables("longer.csv")
    pair = [[table["beta-vae", arm] for table in longer] for arm in ("noise", "modified")]
    text = "MIG is lower on modified than on noisy images after four times as many steps"
    return [*found, direction(text, "", *pair, -1, "change")]


def rung(name, words):
    """A rung's repetitions: the change is the unit again."""
    means, dataset = [], None
    for path in sorted((RESULTS / name).glob("[0-9]*/rows.csv"), key=lambda p: int(p.parent.name)):
        own = [r for r in rows(f"{name}/{path.parent.name}") if r["metric"] == "mig"]
        arms = ("original", "modified", "noise", "equal noise")
        means.append([np.mean([r["value"] for r in own if r["variant"] == arm]) for arm in arms])
        dataset = own[0]["dataset"]
    if not means:
        return []
    original, modified, noise, equal = np.transpose(means)
    printed = published("zietlow2021-table1")["beta-vae"]
    a, b, c = (printed[f"{dataset}/{arm}"]["mean"] for arm in ("original", "modified", "noise"))
    said = f"{words}: MIG is lower on modified"
    return [
        direction(f"{said} than on noisy", "", noise, modified, -1, "change", b - c),
        direction(f"{said} than on original", "", original, modified, -1, "change", b - a),
        direction(f"{said} images than on noise of equal", "", equal, modified, -1, "change"),
        *(
            [equivalent(f"{words}: noise leaves MIG", "MIG, beta-vae", original, noise, "draw")]
            if name == "demo-0-longer"
            else []
        ),
        *_rung_methods(name, words),
    ]


def _rung_methods(name, words):
    """Other methods on a rung's images, where all of its repetitions have them."""
    tables = _demo_tables("methods.csv", name)
    vaes, rest = ("factor-vae", "beta-tcvae", "slow-vae"), ("ae", "pcl", "weak-gan")
    there = [m for m in (*vaes, *rest) if all((m, "original") in table for table in tables)]
    named = {
        "factor-vae": "FactorVAE",
        "beta-tcvae": "beta-TCVAE",
        "slow-vae": "SlowVAE",
        "ae": "the autoencoder",
        "pcl": "PCL",
        "weak-gan": "the weakly supervised GAN",
    }

    def say(methods):
        words = [named[m] for m in methods if m in there]
        return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)

    def verb(methods, one, several):
        return one if len([m for m in methods if m in there]) == 1 else several

    found = []
    for arm, word in (("original", "original"), ("noise", "noisy")):
        for method in (m for m in vaes if tables and m in there):
            pair = [[table[method, one] for table in tables] for one in (arm, "modified")]
            cells = published("zietlow2021-table1")[method]
            gap = cells["shapes3d/modified"]["mean"] - cells[f"shapes3d/{arm}"]["mean"]
            lower = f"{say(vaes)} {verb(vaes, 'scores', 'score')} lower"
            said = f"{words}: {lower} on modified than on {word} images"
            found.append(direction(said, f"MIG, {method}", *pair, -1, "change", gap))
    for arm, unit, methods, text in (
        ("modified", "change", rest, "modified images leave"),
        ("noise", "draw", (*vaes, *rest), "noise leaves"),
    ):
        text += f" {say(methods)} as {verb(methods, 'it is', 'they are')}"
        for method in (m for m in methods if tables and m in there):
            pair = [[table[method, one] for table in tables] for one in ("original", arm)]
            found.append(equivalent(f"{words}: {text}", f"MIG, {method}", *pair, unit))
    return found


def headline_retuned():
    """Modified images at the strength that is best for two seeds, scored by three others."""
    found = []
    for path in sorted((RESULTS / "demo").glob("[0-9]*/retuned.csv"), key=_repetition):
        own = group([r for r in rows(f"demo/{_repetition(path)}", "retuned.csv")
                     if r["metric"] == "mig"], "variant", "strength")  # fmt: skip
        choice = {s: np.mean([r["value"] for r in some])
                  for (variant, s), some in own.items() if variant == "choice"}  # fmt: skip
        best = max(choice, key=choice.get)
        plain = group([r for r in rows(f"demo/{_repetition(path)}") if r["metric"] == "mig"],
                      "variant")  # fmt: skip
        found.append(
            [
                np.mean([r["value"] for r in some])
                for some in (own["modified", best], plain["original",], plain["noise",])
            ]
        )
    best, original, noise = np.transpose(found)
    text = "MIG on modified images stays lower at their best strength of five within a factor of"
    return [direction(text, "against original", original, best, -1, "change"),
            direction(text, "against noise", noise, best, -1, "change")]  # fmt: skip


def _repetition(path):
    return int(path.parent.name)


def zietlow_figure4():
    return [
        Found("the learned change makes images easier", r["data"], "direction",
              r["loss"] - r["loss_at_start"], n=1, sign=-1, unit="change")
        for r in rows("zietlow2021-figure4")
        if r["data"] not in NOT_CHANGED
    ]  # fmt: skip


def zietlow_figure5():
    """Modified at its best strength; each original seed at the best strength of the others."""
    table = [r for r in rows("zietlow2021-figure5") if not r["over_pruned"]]
    found = []
    for (method, metric), own in group(table, "method", "metric").items():
        arms = {}
        for r in own:
            arms.setdefault(r["variant"], {}).setdefault(r["strength"], {})[r["seed"]] = r["value"]
        best = max(np.mean(list(scores.values())) for scores in arms["modified"].values())
        original, picked = arms["original"], []
        for seed in sorted({r["seed"] for r in own}):
            others = {
                strength: np.mean([v for s, v in scores.items() if s != seed])
                for strength, scores in original.items()
                if set(scores) - {seed}
            }
            first = max(sorted(others), key=others.get)
            picked.append(original[first].get(seed, NAN))
        gap = best - np.nanmean(picked)
        found.append(Found("retuning the strength", f"{method}, {metric}", "direction", gap, n=1,
                           sign=-1, unit="change", judged=False))  # fmt: skip
    return found


def zietlow_traversals():
    table = rows("zietlow2021-figure10-11")
    good = [r for r in table if r["kind"] == "disentangled"]
    bad = [r for r in table if r["kind"] == "entangled"]
    return [
        direction("in disentangled minima one unit", "hue, disentangled",
                  [r["hue_angle"] for r in good], [r["hue_unit"] for r in good], 1),
        direction("in entangled minima angle", "hue, entangled",
                  [r["hue_angle"] for r in bad], [r["hue_unit"] for r in bad], -1),
        direction("in entangled minima angle", "orientation, entangled",
                  [r["orientation_radius"] for r in bad], [r["orientation_unit"] for r in bad], -1),
    ]  # fmt: skip


def zietlow_theorem1():
    table = rows("zietlow2021-theorem1")
    vaes = [r for r in table if r["model"] == "trained VAE"]
    plain = {r["seed"]: r["angle"] for r in table if r["model"] == "trained AE"}
    text = "trained linear VAEs end within thresholds of ours"
    seeds = list(dict.fromkeys(r["seed"] for r in vaes))
    found = [
        above(
            text,
            f"{of}, less our {within:g}",
            [max(r[k] for r in vaes if r["seed"] == s) - within for s in seeds],
            -1,
        )._replace(judged=False)
        for of, k, within in (
            ("degrees from the axes of PCA", "angle", 10),
            ("V off a signed permutation", "off_permutation", 0.1),
            ("noise, relative to beta / (2 variance)", "noise_error", 0.1),
        )
    ]
    means = {s: np.mean([r["angle"] for r in vaes if r["seed"] == s]) for s in plain}
    text = "without noise nothing aligns"
    return [*found, direction(text, "", [means[s] for s in plain], list(plain.values()), 1)]


def rolinek_example():
    table = {(r["matrix"], r["budget"]): r for r in rows("rolinek2019-worked-example")}
    theirs = published("rolinek2019-worked-example")
    found = [
        same("the minima of (25)", m, abs(table[m, 0]["search"] - v), 5e-7, 1)
        for m, v in theirs.items()
    ]
    ratio = table["m1", 0]["variance_ratio"]
    later = [(m, c) for m, c in table if c > 0]
    off = max(abs(table[m, c]["search"] / table[m, 0]["search"] - math.exp(-c)) for m, c in later)
    return [
        *found,
        same("the stronger unit gets", "", abs(ratio - 0.06), 1e-9, 1),
        same("the minimum falls as exp(-C)", "", off, 1e-9, len(later)),
    ]


def rolinek_theorem2():
    table = rows("rolinek2019-theorem2")
    n = len(table)
    return [
        same("every local minimum", "", max(abs(r["gap_at_end"]) for r in table), 1e-8, n, "start"),
        same("in every minimum", "", max(r["cosine_at_end"] for r in table), 1e-3, n, "start"),
    ]


def rolinek_table1():
    shares = {(r["data"], _name(r["latent"]), r["seed"]): r["share"]
              for r in rows("rolinek2019-table1")}  # fmt: skip
    printed = published("rolinek2019-table1")
    most, fewer = [], []
    for data in dict.fromkeys(d for d, _, _ in shares):
        seeds = sorted({seed for d, _, seed in shares if d == data})
        few, ten = ([shares[data, w, seed] for seed in seeds] for w in ("dep", "10"))
        theirs = printed[data]
        text = "more than half of training"
        most += [
            above(text, f"{data}, dep", [s - 50 for s in few], 1, theirs=theirs["dep"] - 50),
            above(text, f"{data}, 10", [s - 50 for s in ten], 1, theirs=theirs["10"] - 50),
        ]
        less = [b - a for a, b in zip(few, ten, strict=True)]
        gap = theirs["10"] - theirs["dep"]
        fewer.append(above("with ten latent units", data, less, -1, theirs=gap))
    return [*most, *fewer]


def _name(width):
    return width if isinstance(width, str) else f"{width:g}"


def rolinek_table2():
    table = group(rows("rolinek2019-table2"), "data", "model")
    theirs = published("rolinek2019-table2")
    gaps, numbers = {"dto": [], "disentanglement": []}, []
    for data in dict.fromkeys(d for d, _ in table):
        there = [m for m in ("beta-vae", "vae", "ae", "beta-vae-full") if (data, m) in table]
        own = there[0]
        for score, sign in (("dto", -1), ("disentanglement", 1)):
            if score not in theirs[data]:
                continue
            values = {m: {r["seed"]: r[score] for r in table[data, m]} for m in there}
            for control in ("ae", "beta-vae-full"):
                seeds = [s for s in values[control] if s in values[own]]
                gaps[score].append((
                    f"{data}, {own} against {control}",
                    [values[control][s] for s in seeds],
                    [values[own][s] for s in seeds],
                    sign,
                    "seed",
                    theirs[data][score][own]["mean"] - theirs[data][score][control]["mean"],
                ))  # fmt: skip
            numbers += [
                number("distances and scores", f"{data}, {score} of {m}",
                       list(values[m].values()), theirs[data][score][m]["mean"])
                for m in there
                if theirs[data][score].get(m)
            ]  # fmt: skip
    texts = {"dto": "the VAE's distance to", "disentanglement": "the VAE's disentanglement"}
    return [*(direction(texts[s], *line) for s in gaps for line in gaps[s]), *numbers]


def rolinek_figure3():
    table, text = rows("rolinek2019-figure3"), "over restarts, the score falls"
    by_length = group(table, "steps").values()
    products, chances = 0.0, np.ones(1)
    for own in by_length:
        a, b = (stats.rankdata([r[k] for r in own]) for k in ("dto", "disentanglement"))
        products += float((a - a.mean()) @ (b - b.mean()))
        chances = np.convolve(chances, _every_order(a - a.mean(), b - b.mean()))
    # Ten different ranks less their mean have the squares 82.5: three lengths.
    rho, error = products / (82.5 * 3), 1.06 / math.sqrt(len(table) - 3 - (len(by_length) - 1))
    q = stats.norm.ppf(0.975)
    ends = [math.tanh(math.atanh(rho) + k * q * error) for k in (-1, 1)]
    p = float(2 * stats.norm.sf(abs(math.atanh(rho)) / error))
    sums = np.arange(len(chances)) - len(chances) // 2
    exact = float(chances[abs(sums) >= abs(2 * products) - 0.1].sum())
    x, y = ([r[k] for r in table] for k in ("dto", "disentanglement"))
    return [
        Found(text, "ranks within each length of training", "direction", rho, *ends, n=len(table),
              p=p, sign=-1, exact=exact),
        ranked(text, "all lengths pooled", x, y, -1, "seed")._replace(judged=False),
    ]  # fmt: skip


def _every_order(a, b):
    """How often each doubled sum of a and b occurs, all 10! orders of b written out."""
    small, n = np.array(list(permutations(range(8)))), len(a)
    counts = np.zeros(2 * 165 + 1)
    for first in permutations(range(n), 2):
        rest = b[[j for j in range(n) if j not in first]]
        sums = rest[small] @ a[2:] + b[list(first)] @ a[:2]
        counts += np.bincount(np.rint(2 * sums).astype(int) + 165, minlength=331)
    return counts / counts.sum()


def rolinek_figure_s4():
    between, pruned = [], []
    for (data,), own in group(rows("rolinek2019-figureS4"), "data").items():
        betas = sorted({r["beta"] for r in own})

        def at(beta, key, own=own):
            return [r[key] for r in sorted(own, key=lambda r: r["seed"]) if r["beta"] == beta]

        best = max(betas, key=lambda b: np.mean(at(b, "disentanglement")))
        for end in (betas[0], betas[-1]):
            between.append(
                direction("the best beta lies", f"{data}, {best:g} against {end:g}",
                          at(end, "disentanglement"), at(best, "disentanglement"), 1)
            )  # fmt: skip
        first, last = (at(b, "active_units") for b in (betas[0], betas[-1]))
        pruned.append(direction("too large a beta prunes", data, first, last, -1))
    return [*between, *pruned]


def rolinek_table_s4():
    table, theirs = rows("rolinek2019-tableS4"), published("rolinek2019-tableS4")
    found, numbers = [], []
    for score, sign, text in (
        ("disentanglement", 1, "the disentanglement score rises"),
        ("dto", -1, "the distance to orthogonality falls"),
    ):
        at = {
            r: [row[score] for row in sorted(table, key=lambda v: v["seed"]) if row["ratio"] == r]
            for r in (1.0, 1.2, 1.5)
        }
        found += [direction(text, f"{a:g} to {b:g}", at[a], at[b], sign, "seed",
                            theirs[str(b)][score]["mean"] - theirs[str(a)][score]["mean"])
                  for a, b in ((1.0, 1.2), (1.2, 1.5))]  # fmt: skip
        numbers += [
            number("scores and distances", f"{score} at {r:g}", v, theirs[str(r)][score]["mean"])
            for r, v in at.items()
        ]
    return [*found, *numbers]


def rolinek_figure_s5():
    degrees = [r["degrees"] for r in rows("rolinek2019-figureS5")]
    return [equivalent("codes of equal scales", "", [22.5] * len(degrees), degrees)]


def rolinek_rotation():
    table = rows("rolinek2019-rotation-invariance")
    by = group(table, "objective", "decoder")
    names = list(dict.fromkeys(r["objective"] for r in table))
    spread = {
        o: max(np.ptp([r["value"] for r in own]) for (k, _), own in by.items() if k == o)
        for o in names
    }
    n = len({r["degrees"] for r in table})
    best = [max(own, key=lambda r: r["value"])["degrees"]
            for (k, _), own in by.items() if k == names[2]]  # fmt: skip
    return [
        same("Proposition 2", "", spread[names[0]], 1e-6, n, "angle"),
        same("Proposition 3", "", spread[names[1]], 1e-6, n, "angle"),
        same("the ELBO with a diagonal", "", max(min(b, 90 - b) for b in best), 1e-9, n, "angle"),
    ]


def locatello_theorem1():
    table = [r for r in rows("locatello2019-theorem1") if math.isfinite(_float(r["density_off"]))]
    n = len(table)
    least = min(r["smallest_derivative"] for r in table)
    return [
        same("f(z) has the density", "", max(r["density_off"] for r in table), 1e-6, n),
        same("every coordinate of f", "", -least, -1e-12, n),
    ]


def _float(value):
    return value if isinstance(value, float) else NAN


def _printed_first(set_name, lines):
    """The lines on the one printed data set are judged; those on others follow and are not."""
    own = [line for line in lines if line.of.split(",")[0] == set_name]
    others = [line._replace(judged=False) for line in lines if line not in own]
    return [*own, *others]


def locatello_figure1():
    table = [r for r in rows("locatello2019-figure1") if r["method"] != "annealed-vae"]
    found = []
    for metric, sign, text in (
        ("total_correlation", -1, "the total correlation of sampled"),
        ("gaussian_total_correlation", 1, "the total correlation of mean"),
    ):
        lines = []
        for (data,), own in group([r for r in table if r["metric"] == metric], "dataset").items():
            values = {(r["seed"], r["method"], r["strength"]): r["value"] for r in own}
            methods = sorted({r["method"] for r in own})
            ends = {m: sorted({r["strength"] for r in own if r["method"] == m}) for m in methods}
            seeds = sorted({r["seed"] for r in own})
            first = [np.mean([values[s, m, ends[m][0]] for m in methods]) for s in seeds]
            last = [np.mean([values[s, m, ends[m][-1]] for m in methods]) for s in seeds]
            lines.append(direction(text, data, first, last, sign))
        found += _printed_first("color-dsprites", lines)
    return found


def _runs(exhibit):
    """By data set: by run its setting and metrics, under the names of the published tables."""
    names = {v: k for k, v in STUDY_METRICS.items()}
    found = {}
    for r in rows(exhibit):
        run = found.setdefault(r["dataset"], {}).setdefault(r["run"], {})
        run["setting"] = (r["method"], r["strength"])
        run["over_pruned"] = r["over_pruned"]
        run[names.get(r["metric"], r["metric"])] = r["value"]
    return {data: list(runs.values()) for data, runs in found.items()}


def _twice(make, tables):
    """A line of some sets' runs; without those that over-prune too if a set has over a quarter."""
    kept = [[run for run in own if not run["over_pruned"]] for own in tables]
    many = any(4 * len(some) < 3 * len(own) for some, own in zip(kept, tables, strict=True))
    return make(tables)._replace(again=make(kept)) if many else make(tables)


def _column(runs, name):
    return [run.get(name, NAN) for run in runs]


def _agreement(runs, metric):
    others = [m for m in STUDY_METRICS if m != metric]
    return np.mean(
        [stats.spearmanr(_column(runs, metric), _column(runs, m)).statistic for m in others]
    )


def locatello_figure2():
    pairs, apart = [], []
    others = [m for m in STUDY_METRICS if m != "Modularity"]
    for data, runs in _runs("locatello2019-figure2").items():
        pairs += [
            _twice(lambda own, of=f"{data}, {a} and {b}", a=a, b=b: ranked_by_setting(
                "all metrics but Modularity", of, own[0], a, b, 1), [runs])
            for a, b in pairs_of(others)
        ]  # fmt: skip
        lowest = min(others, key=lambda m, runs=runs: _agreement(runs, m))

        def compare(tables, data=data, lowest=lowest):
            def gap(settings):
                some = [run for run in tables[0] if run["setting"] in settings]
                return _agreement(some, "Modularity") - _agreement(some, lowest)

            settings = sorted({run["setting"] for run in tables[0]})
            of = f"{data}, against {lowest}"
            return jackknifed("Modularity agrees least", of, gap, settings, -1, "setting")

        apart.append(_twice(compare, [runs]))
    return [*_printed_first("noisy-dsprites", pairs), *_printed_first("noisy-dsprites", apart)]


SETS = {"dsprites": "dSprites", "shapes3d": "Shapes3D", "color-dsprites": "Color-dSprites",
        "noisy-dsprites": "Noisy-dSprites", "cars3d-like": "Cars3D"}  # fmt: skip


def locatello_variance():
    theirs = published("locatello2019-variance-explained")
    more, numbers = [], []
    for (data,), own in group(rows("locatello2019-variance-explained"), "dataset").items():
        for name, metric in STUDY_METRICS.items():
            cells = [r for r in own if r["metric"] == metric]

            def share(seeds, crossed, corrected, cells=cells):
                used = [r for r in cells if r["seed"] in seeds]
                y = np.array([r["value"] for r in used])
                keys = [(r["method"], r["strength"] if crossed else 0) for r in used]
                kinds = sorted(set(keys))
                dummies = np.array([[k == kind for kind in kinds] for k in keys], dtype=float)
                fit = dummies @ np.linalg.lstsq(dummies, y, rcond=None)[0]
                r2 = 1 - ((y - fit) ** 2).sum() / ((y - y.mean()) ** 2).sum()
                chance = (len(kinds) - 1) / (len(y) - 1)
                return (r2 - chance) / (1 - chance) if corrected else r2

            seeds = sorted({r["seed"] for r in cells})
            of = f"{data}, {name}"
            alone, whole = (theirs[part][SETS[data]][name] / 100
                            for part in ("objective", "objective x strength"))  # fmt: skip
            more.append(jackknifed(
                "the strength explains", of,
                lambda s, f=share: f(s, True, True) - f(s, False, True), seeds, 1,
                theirs=whole - alone))  # fmt: skip
            for part, crossed in (("objective", False), ("objective x strength", True)):
                numbers.append(jack_number(
                    "shares of explained variance", f"{of}, {part}",
                    lambda s, f=share, c=crossed: f(s, c, False), seeds,
                    theirs[part][SETS[data]][name] / 100))  # fmt: skip
    return [*more, *numbers]


def _transfer(table, seeds):
    """Go through all trials: choose at one seed, compare at another with every setting."""
    values = {}
    for r in table:
        if r["seed"] in seeds and r["metric"] in STUDY_METRICS.values():
            cell = values.setdefault((r["metric"], r["dataset"]), {})
            cell.setdefault(r["seed"], {})[r["method"], r["strength"]] = r["value"]
    shares = {case: [] for case in ((1, 1), (1, 0), (0, 1), (0, 0))}
    for source, there in values.items():
        for target, here in values.items():
            trials = []
            for s, chosen_from in there.items():
                order = sorted(chosen_from)
                best = max(order, key=lambda k: (chosen_from[k], -order.index(k)))
                for t, scores in here.items():
                    if s != t and best in scores:
                        trials.append(np.mean([v <= scores[best] for v in scores.values()]))
            if trials:
                shares[source[0] == target[0], source[1] == target[1]].append(np.mean(trials))
    return {key: float(np.mean(v)) for key, v in shares.items()}


def locatello_selection():
    table = rows("locatello2019-model-selection")
    theirs = published("locatello2019-model-selection")
    seeds = sorted({r["seed"] for r in table})
    n = len({(r["method"], r["strength"]) for r in table})
    kept = {}

    def chance(some, case):
        if tuple(some) not in kept:
            kept[tuple(some)] = _transfer(table, some)
        return kept[tuple(some)][case]

    same_, data, both = (1, 1), (1, 0), (0, 0)
    text, luck = "good settings help", (n + 1) / (2 * n)
    names = ("same metric, same data set", "same metric, other data set",
             "other metric, other data set")  # fmt: skip
    printed = [theirs[name] / 100 for name in names]
    found = [
        jackknifed(text, "same metric, same data set against luck",
                   lambda s: chance(s, same_) - luck, seeds, 1, theirs=printed[0] - luck),
        jackknifed(text, "same metric, other data set against the same one",
                   lambda s: chance(s, data) - chance(s, same_), seeds, -1,
                   theirs=printed[1] - printed[0]),
        jackknifed(text, "other metric, other data set against same metric, other data set",
                   lambda s: chance(s, both) - chance(s, data), seeds, -1,
                   theirs=printed[2] - printed[1]),
    ]  # fmt: skip
    for name, case in zip(names, (same_, data, both), strict=True):
        found.append(jack_number("chances of transferred", name, lambda s, c=case: chance(s, c),
                                 seeds, theirs[name] / 100))  # fmt: skip
    for name, metric in STUDY_METRICS.items():
        means = {
            data: {
                key: np.mean([r["value"] for r in own])
                for key, own in group(table, "method", "strength").items()
            }
            for (data,), table in group(
                [r for r in table if r["metric"] == metric], "dataset"
            ).items()
        }
        one, other = means["dsprites"], means["color-dsprites"]
        keys = sorted(set(one) & set(other))
        found.append(ranked("settings that do well", name, [one[k] for k in keys],
                            [other[k] for k in keys], 1, "setting"))  # fmt: skip
    runs = _runs("locatello2019-model-selection")
    for score in ("reconstruction", "kl", "elbo", "total_correlation"):
        found.append(_unrelated("scores without labels", score, runs, list(STUDY_METRICS)))
    return found


def _unrelated(claim, name, runs, others):
    """The mean rho of one column with others, over data sets, by settings left out."""

    def make(tables):
        def mean(settings):
            kept = [[run for run in own if run["setting"] in settings] for own in tables]
            return np.mean([spearman(own, name, other) for own in kept for other in others])

        settings = sorted({run["setting"] for own in tables for run in own})
        return unrelated(claim, name, mean, settings)

    return _twice(make, list(runs.values()))


def locatello_downstream():
    runs = _runs("locatello2019-downstream")
    accuracy = [
        _twice(lambda own, of=f"{d}, {m}{by}", task=task, m=m: ranked_by_setting(
            "metrics but Modularity go", of, own[0], task, m, 1), [r])
        for d, r in runs.items()
        for task, by in (("downstream", ""), ("downstream_logistic", ", logistic"))
        if task in r[0]
        for m in STUDY_METRICS
        if m != "Modularity"
    ]  # fmt: skip
    efficiency = [
        _unrelated("metrics do not go", m, {d: r}, ["downstream.efficiency"])._replace(
            of=f"{d}, {m}"
        )
        for d, r in runs.items()
        for m in STUDY_METRICS
    ]
    return [*_printed_first("dsprites", accuracy), *_printed_first("dsprites", efficiency)]
