"""Every verdict from the committed rows again, by a script that shares no code with the package.

It reads results/ID/rows.csv with the csv module, compares samples with SciPy's own tests, and
applies the rules of docs/verdict-rules.md as they are written there. `lines(exhibit)` gives one
`Found` for each line of results/ID/verdicts.csv, in its order.
"""

import csv
import json
import math
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import integrate, stats

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"
NAN = float("nan")
STUDY_METRICS = {
    "BetaVAE": "beta_vae_score",
    "DCI": "dci",
    "FactorVAE": "factor_vae_score",
    "MIG": "mig",
    "Modularity": "modularity",
    "SAP": "sap",
}


class Found(NamedTuple):
    """What a line of verdicts.csv must say."""

    claim: str
    of: str
    kind: str
    estimate: float
    low: float = NAN
    high: float = NAN
    margin: float = NAN
    n: int = 0
    p: float = NAN
    sign: int = 0
    exact: float = NAN
    unit: str = "seed"
    theirs: float = NAN  # the published difference, for the power
    judged: bool = True  # what is not is shown beside its claim
    worst: float = NAN  # of all values, the one that contradicts most what is said of all
    again: "Found | None" = None  # without the runs that over-prune, where these are many


def rows(exhibit, table="rows.csv"):
    with (RESULTS / exhibit / table).open(encoding="utf-8", newline="") as file:
        return [{k: _number(v) for k, v in row.items()} for row in csv.DictReader(file)]


def _number(text):
    if text in ("True", "False"):
        return text == "True"
    try:
        return float(text)
    except ValueError:
        return NAN if text == "" else text


def published(exhibit):
    [path] = (ROOT / "src" / "gordium").rglob("published.json")
    return json.loads(path.read_text(encoding="utf-8"))[exhibit]


# --- statistics, by SciPy


def of_sample(values):
    """Mean, interval, p-value of 0, and n of one sample."""
    x = np.array(values, dtype=float)
    n = len(x)
    if n < 2:
        return (float(x[0]) if n else NAN), NAN, NAN, NAN, n
    if np.ptp(x) <= 1e-12 * max(abs(x)):  # all alike: no interval, and nothing to test
        return float(x.mean()), NAN, NAN, NAN, n
    test = stats.ttest_1samp(x, 0.0)
    ends = test.confidence_interval(0.95)
    return float(x.mean()), float(ends.low), float(ends.high), float(test.pvalue), n


def of_jackknife(statistic, units):
    """The same of pseudo-values."""
    units = list(units)
    whole, n = statistic(units), len(units)
    if n < 2:
        return whole, NAN, NAN, NAN, n
    pseudo = [n * whole - (n - 1) * statistic([u for u in units if u != gone]) for gone in units]
    error = stats.sem(pseudo)
    if np.ptp(pseudo) <= 1e-12 * max(map(abs, pseudo)):
        return whole, NAN, NAN, NAN, n
    half = stats.t.ppf(0.975, n - 1) * error
    p = 2 * stats.t.sf(abs(whole) / error, n - 1)
    return whole, whole - half, whole + half, float(p), n


def of_ranks(x, y):
    """Spearman's rho and Fisher's interval with 1.06 / sqrt(n - 3)."""
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if math.isfinite(a) and math.isfinite(b)]
    n = len(pairs)
    rho = float(stats.spearmanr(*zip(*pairs, strict=True)).statistic)
    z, error = math.atanh(rho), 1.06 / math.sqrt(n - 3)
    q = stats.norm.ppf(0.975)
    return rho, math.tanh(z - q * error), math.tanh(z + q * error), n, error


def flips(differences):
    """The exact two-sided p-value of the mean under all signs."""
    d = np.array(differences)
    if len(d) < 10:
        return NAN
    sums = np.zeros(1)
    for value in d:
        sums = np.concatenate([sums - value, sums + value])
    return float(np.mean(np.abs(sums) >= abs(d.sum()) - 1e-12))


def power(f):
    """The chance of "seen" if what is published is true; the spread is that of the interval."""
    if f.n < 2 or not math.isfinite(f.low):
        return NAN
    quantile, error = stats.t.ppf(0.975, f.n - 1), 0.0
    error = (f.high - f.low) / 2 / quantile
    if error == 0:
        return NAN
    if f.kind == "direction":
        return float(stats.nct.sf(quantile, f.n - 1, abs(f.theirs) / error))
    if f.kind != "equivalence":
        return NAN

    def seen(ratio):  # where the spread found is `ratio` times the true one
        room = f.margin / error - quantile * ratio
        density = stats.chi.pdf(ratio * math.sqrt(f.n - 1), f.n - 1) * math.sqrt(f.n - 1)
        return density * (stats.norm.cdf(room) - stats.norm.cdf(-room))

    return float(integrate.quad(seen, 0, f.margin / error / quantile, limit=200)[0])


# --- lines


def direction(claim, of, first, second, sign, unit="seed", theirs=NAN):
    """Second minus first, pair by pair."""
    first, second = np.array(first, dtype=float), np.array(second, dtype=float)
    mean, low, high, p, n = of_sample(second - first)
    margin = abs(float(first.mean())) / 4 if n else NAN
    exact = flips(second - first)
    return Found(claim, of, "direction", mean, low, high, margin, n, p, sign, exact, unit, theirs)


def above(claim, of, values, sign, unit="seed", theirs=NAN):
    mean, low, high, p, n = of_sample(values)
    exact = flips(values)
    return Found(claim, of, "direction", mean, low, high, NAN, n, p, sign, exact, unit, theirs)


def jackknifed(claim, of, statistic, units, sign, unit="seed", theirs=NAN):
    mean, low, high, p, n = of_jackknife(statistic, units)
    return Found(claim, of, "direction", mean, low, high, NAN, n, p, sign, NAN, unit, theirs)


def unrelated(claim, of, statistic, units):
    """A mean of correlations over settings that must lie within a quarter of 1."""
    mean, low, high, _, n = of_jackknife(statistic, units)
    return Found(claim, of, "equivalence", mean, low, high, 0.25, n, unit="setting")


def ranked_by_setting(claim, of, runs, x, y, sign):
    """Rho over runs, with the jackknife of its artanh over settings."""

    def number(settings):
        some = [run for run in runs if run["setting"] in settings]
        return math.atanh(spearman(some, x, y))

    settings = sorted({run["setting"] for run in runs})
    mean, low, high, p, n = of_jackknife(number, settings)
    ends = [math.tanh(value) for value in (mean, low, high)]
    return Found(claim, of, "direction", *ends, NAN, n, p, sign, NAN, "setting")


def spearman(runs, x, y):
    pairs = [(run[x], run[y]) for run in runs]
    return float(stats.spearmanr(*zip(*pairs, strict=True)).statistic)


def ranked(claim, of, x, y, sign, unit):
    rho, low, high, n, error = of_ranks(x, y)
    p = float(2 * stats.norm.sf(abs(math.atanh(rho)) / error))
    return Found(claim, of, "direction", rho, low, high, NAN, n, p, sign, NAN, unit)


def equivalent(claim, of, first, second, unit="seed"):
    first, second = np.array(first, dtype=float), np.array(second, dtype=float)
    mean, low, high, _, n = of_sample(second - first)
    margin = abs(float(first.mean())) / 4
    return Found(claim, of, "equivalence", mean, low, high, margin, n, unit=unit)


def number(claim, of, values, theirs, unit="seed"):
    mean, low, high, _, n = of_sample(values)
    ends = (mean - theirs, low - theirs, high - theirs)
    return Found(claim, of, "quantity", *ends, abs(theirs) / 4, n, unit=unit)


def jack_number(claim, of, statistic, units, theirs):
    mean, low, high, _, n = of_jackknife(statistic, units)
    return Found(claim, of, "quantity", mean - theirs, low - theirs, high - theirs, theirs / 4, n)


def same(claim, of, off, within, n, unit="case"):
    return Found(claim, of, "identity", off, margin=within, n=n, unit=unit)


# --- rules


def settle(found):
    """The p-values after Holm's correction, and outcomes, of all lines of an exhibit."""
    tested = sorted(
        (
            i
            for i, f in enumerate(found)
            if f.judged and f.kind == "direction" and math.isfinite(f.p)
        ),
        key=lambda i: greater_p(found[i]),
    )
    holm, largest = {}, 0.0
    for k, i in enumerate(tested):
        largest = max(largest, min(1.0, (len(tested) - k) * greater_p(found[i])))
        holm[i] = largest
    return [(holm.get(i, NAN), outcome(f, holm.get(i, NAN))) for i, f in enumerate(found)]


def greater_p(f):
    """Of a line that must hold twice, the p-value that is corrected."""
    return f.p if f.again is None or math.isnan(f.again.p) else max(f.p, f.again.p)


def outcome(f, holm):
    if not f.judged:
        return "not judged"
    said = {outcome_of_one(one, holm) for one in (f, f.again) if one is not None}
    return said.pop() if len(said) == 1 else "inconclusive"


def outcome_of_one(f, holm):
    if f.kind == "identity":
        return "seen" if f.estimate <= f.margin else "not seen"
    if not math.isfinite(f.low):
        return "inconclusive"
    if f.n < (3 if f.unit == "change" else 10):
        return "inconclusive"
    if f.kind == "equivalence":
        if -f.margin <= f.low and f.high <= f.margin:
            return "seen"
        return "not seen" if f.low > f.margin or f.high < -f.margin else "inconclusive"
    if f.kind == "quantity":
        if not f.low <= 0 <= f.high:
            return "not seen"
        return "seen" if f.high - f.low <= 2 * f.margin else "inconclusive"
    if f.worst * f.sign <= 0:
        return "not seen"
    off_zero = f.low > 0 if f.sign > 0 else f.high < 0
    exact = math.isnan(f.exact) or f.exact < 0.05
    if off_zero and holm < 0.05 and exact:
        return "seen"
    wrong = f.high < 0 if f.sign > 0 else f.low > 0
    nothing = math.isfinite(f.margin) and -f.margin <= f.low and f.high <= f.margin
    return "not seen" if wrong or nothing else "inconclusive"


def of_claim(outcomes):
    """What several lines of one claim say together; those beside it say nothing."""
    if "not seen" in outcomes:
        return "not seen"
    return "inconclusive" if "inconclusive" in outcomes else "seen"


def deciding(found, outcomes):
    """Where the line stands that speaks least for a claim, among those with its outcome.

    Lines without an interval come last. A direction speaks by its difference in halves of its
    interval, all others by their farthest end in margins.
    """
    own = [i for i, said in enumerate(outcomes) if said == of_claim(outcomes)]
    bounded = [i for i in own if math.isfinite(found[i].low)] or own

    def weight(i):
        return min(strength(one) for one in (found[i], found[i].again) if one is not None)

    def strength(f):
        ends = [f.low, f.high] if math.isfinite(f.low) else [f.estimate]
        if f.kind == "direction":
            half = (ends[-1] - ends[0]) / 2 if len(ends) > 1 else 1
            return f.sign * f.estimate / (half or 1e-300)
        return -max(abs(end) for end in ends) / (f.margin or 1)

    return min(bounded, key=weight)


def group(table, *names):
    """Rows by the values of some columns, in the order of their first appearance."""
    found = defaultdict(list)
    for row in table:
        found[tuple(row[name] for name in names)].append(row)
    return found


def pairs_of(metrics):
    return list(combinations(metrics, 2))
