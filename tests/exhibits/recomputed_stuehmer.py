"""The lines of Stühmer et al. 2020 and Burgess et al. 2018, from rows; see recomputed.py."""

import math

import numpy as np

from .recomputed import NAN, Found, above, direction, group, number, published, rows, same


def there(value):
    return isinstance(value, float) and math.isfinite(value)


def figure1():
    table = [r for r in rows("stuehmer2020-figure1") if r["df"] == 3.5]
    plain, strong = ([r for r in table if r["beta"] == b] for b in (1, 5))
    pairs = [(a["kept"], b["kept"]) for a in plain for b in strong if a["seed"] == b["seed"]]
    return [direction("beta = 5 prunes a component", "", *zip(*pairs, strict=True), -1, "sample")]


def figure2():
    table = rows("stuehmer2020-figure2")
    off = max(abs(r["volume"] / r["volume_by_eq_8"] - 1) for r in table)
    return [same("Eq. 8 is the surface", "", off, 1e-3, len(table))]


def figure3():
    table = rows("stuehmer2020-figure3")
    theory = {r["p"]: r for r in table if there(r["misfit_axis"])}
    gap = {p: r["misfit_diagonal"] - r["misfit_axis"] for p, r in theory.items()}
    text = "a linear code fits"
    found = [
        same(text, "leptokurtic, diagonals less axes", gap[1.0], 0.0, 1),
        same(text, "platykurtic, axes less diagonals", -gap[4.0], 0.0, 1),
    ]
    for p, sign, text in ((1.0, 1, "trained codes under the leptokurtic"),
                          (4.0, -1, "trained codes under the platykurtic")):  # fmt: skip
        own = [r["off_axis"] - 22.5 for r in table if r["p"] == p and there(r["off_axis"])]
        found.append(above(text, "", own, sign))
    return found


def _cells(table, metric):
    found = {}
    for r in table:
        if r["metric"] == metric:
            found.setdefault((r["method"], r["strength"]), {})[r["seed"]] = r["value"]
    return found


def _between(claim, of, cells, first, second, sign=1):
    seeds = [s for s in cells[first] if s in cells[second]]
    a, b = ([cells[k][s] for s in seeds] for k in (first, second))
    return direction(claim, of, a, b, sign)


def _mig(table):
    """The cells of MIG: Chen's estimate where rows hold it, else that of binned means."""
    return _cells(table, "mig_aggregate_posterior") or _cells(table, "mig")


def _vae(cells):
    """The name of the beta-VAE: with a sampled KL, or with an analytic one in earlier rows."""
    names = {method for method, _ in cells}
    return "beta-vae, sampled KL" if "beta-vae, sampled KL" in names else "beta-vae"


def _betas(cells, *methods):
    """The betas that all these methods have."""
    return sorted(set.intersection(*({b for m, b in cells if m == name} for name in methods)))


def _if_there(claim, of, cells, first, second):
    is_there = first in cells and second in cells and first != second
    return [_between(claim, of, cells, first, second)] if is_there else []


def figure5(table=None):
    alike, above_one, learned, tradeoff, price = [], [], [], [], []
    table = rows("stuehmer2020-figure5") if table is None else table
    for (data,), own in group(table, "dataset").items():
        mig, loss = _mig(own), _cells(own, "reconstruction")
        plain = ("beta-tcvae", 1.0)
        alike += _if_there("at beta = 1 the ISA-VAE", f"{data}, against beta-TCVAE at beta = 1",
                           mig, plain, ("isa-vae", 1.0))  # fmt: skip
        for b in _betas(mig, _vae(mig), "isa-vae"):
            if b > 1 and _vae(mig) != "beta-vae":  # both KLs sampled
                above_one += _if_there("the ISA-VAE has a higher", f"{data}, beta {b:g}", mig,
                                       (_vae(mig), b), ("isa-vae", b))  # fmt: skip
        for b in (1.0, 0.5):
            learned += _if_there("with learned exponents",
                                 f"{data}, beta {b:g} against beta-TCVAE at beta = 1", mig, plain,
                                 ("isa-vae, learned", b))  # fmt: skip
        for b in _betas(mig, "beta-tcvae", "isa-tcvae"):
            if b > 1:
                tradeoff += _if_there("the ISA-TCVAE has", f"{data}, beta {b:g}", mig,
                                      ("beta-tcvae", b), ("isa-tcvae", b))  # fmt: skip
        for m in (_vae(mig), "beta-tcvae"):
            for name, cells in (("MIG", mig), ("loss", loss)):
                ends = [(m, b) for b in _betas(cells, m)]
                of = f"{data}, {name} of {m}"
                price += (
                    _if_there("a higher beta buys", of, cells, ends[0], ends[-1]) if ends else []
                )
    return [*alike, *above_one, *learned, *tradeoff, *price]


def figure6(table=None):
    cells = _mig(rows("stuehmer2020-figure6") if table is None else table)
    vae = _vae(cells)
    betas = _betas(cells, vae, "isa-vae")
    ends = [{s: cells["isa-vae", b][s] - v for s, v in cells[vae, b].items()
             if s in cells["isa-vae", b]} for b in (betas[0], betas[-1])]  # fmt: skip
    seeds = sorted(set(ends[0]) & set(ends[1]))
    return [
        _between("the ISA-VAE has", "beta = 1", cells, (vae, 1.0), ("isa-vae", 1.0)),
        direction("its advantage falls", "", *([gap[s] for s in seeds] for gap in ends), -1),
    ]


def figure7():
    table = rows("stuehmer2020-figure7")
    by_seed = group(table, "seed").values()
    means = {p: [np.mean([r[p] for r in own]) for own in by_seed] for p in ("p1", "p2", "p3")}
    theirs = published("stuehmer2020-figure7")["mode"]
    return [
        above("all values of the greatest exponent", "",
              [min(r["p3"] for r in own) - 2.17 for own in by_seed], 1)._replace(
                  worst=min(r["p3"] for r in table) - 2.17),
        *(number("learned exponents", p, means[p], t) for p, t in zip(means, theirs, strict=True)),
    ]  # fmt: skip


def units():
    found = []
    table = rows("stuehmer2020-figures8-16")
    for (data, method, beta), own in group(table, "dataset", "method", "beta").items():
        active = [r for r in own if r["active"]]
        shares = [max(r[k] for k in ("share_scale", "share_x", "share_y")) for r in active]
        found.append(Found("over half of the variance", f"{data}, {method}, beta {beta:g}",
                           "direction", min(shares) - 0.5, n=1, sign=1,
                           judged=False))  # fmt: skip
    return found


def algorithm1():
    table = rows("stuehmer2020-algorithm1")
    texts = {"radius": "radii follow", "marginals": "marginals follow", "between": "units of"}
    return [
        same(text, "", max(own), 0.02, len(own))
        for test, text in texts.items()
        for own in [[r["statistic"] for r in table if r["test"] == test]]
    ]


def b3():
    table = rows("stuehmer2020-b3")
    values = {q: [r["value"] for r in table if r["quantity"] == q]
              for q in ("log_likelihood", "free_energy", "degrees_off_pca")}  # fmt: skip
    gap = np.subtract(values["log_likelihood"], values["free_energy"])
    n = len(gap)
    right = [0, (n - 1) // 2, n - 1]
    turned = [g for i, g in enumerate(gap) if i not in right]
    degrees = 180 * int(np.argmax(gap)) / (n - 1)
    text = "the free energy equals it"
    return [
        same("the log-likelihood does not", "", np.ptp(values["log_likelihood"]), 1e-9, n, "angle"),
        same(text, "gap where orthogonal", max(gap[right]), 1e-9, 3, "angle"),
        same(text, "minus the gap elsewhere", -min(turned), -1e-9, n - 3, "angle"),
        same("the free energy falls most", "", min(abs(degrees - 45), abs(degrees - 135)), 0.0, n,
             "angle"),
        same("variational inference finds", "", max(values["degrees_off_pca"]), 0.1,
             len(values["degrees_off_pca"]), "start"),
    ]  # fmt: skip


def b4():
    table = rows("stuehmer2020-b4")
    swept = [r for r in table if there(r["share"])]
    starts = [r for r in table if there(r["start"])]
    gap = [r["log_likelihood"] - r["free_energy"] for r in swept]
    n, k = len(swept), len(starts)
    flat = np.ptp([r["log_likelihood"] for r in swept])
    text, pruned = "the free energy is greatest", "learned from random starts"
    return [
        same("all shares of a spare", "", flat, 1e-9, n),
        same(text, "gap there", gap[0], 1e-9, 1),
        same(text, "minus its least rise", -min(np.diff(gap)), 0.0, n - 1),
        same(pruned, "length of the third, relative", max(r["third_length"] for r in starts), 0.01,
             k, "start"),
        same(pruned, "degrees off the axes", max(r["degrees_off_pca"] for r in starts), 0.1, k,
             "start"),
        same("the pruned solution", "", max(r["below_best"] for r in starts), 1e-6, k, "start"),
    ]  # fmt: skip


def b5():
    table = rows("stuehmer2020-b5")
    swept = group([r for r in table if there(r["angle"])], "beta")
    starts = [r for r in table if there(r["start"])]
    off, sizes = [], []
    for (beta,), own in sorted(swept.items()):
        energy = np.array([r["free_energy"] for r in own])
        degrees = np.degrees([r["angle"] for r in own])
        best = degrees[energy >= energy.max() - 1e-9]
        off.append(max(min(abs(b), abs(b - 90), abs(b - 180)) for b in best))
        sizes.append(np.ptp(energy) / beta)
    first = {}
    for r in starts:
        first.setdefault(r["beta"], r)
    spread = max(np.ptp([r[k] for r in first.values()]) for k in ("length1", "length2"))
    return [
        same("the best rotation is", "", round(max(off), 9), 0.0, len(off), "beta"),
        same("beta reduces the amplitude", "", max(np.diff(sizes)), 0.0, len(sizes) - 1, "beta"),
        same("beta does not change the directions", "", max(r["degrees_off_pca"] for r in starts),
             0.1, len(starts), "start"),
        same("beta does not change the model", "", spread, 1e-3, len(first), "beta"),
    ]  # fmt: skip


def burgess():
    table = rows("burgess2018-figure3")

    def onset(*names):
        first = 0
        for i, r in enumerate(table):
            if any(r[f"kl_{name}"] < 0.5 for name in names):
                first = i + 1
        return table[first]["capacity"] if first < len(table) else math.inf

    gap = onset("scale") - onset("x", "y")
    return [Found("position gets capacity", "", "direction", gap, NAN, NAN, n=1, sign=1)]
