"""Algorithm 1 of Stühmer et al. 2020: exact samples against the density they should have."""

from math import lgamma, log
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import stats

from gordium.exhibits.base import Effect, Made, Place, Value
from gordium.priors import LpNested
from gordium.report import histograms

Array = NDArray[np.float64]
SAMPLES = {"smoke": 5_000, "laptop": 50_000, "paper": 1_000_000}
LEVEL = 0.01  # of all tests together


class Case(NamedTuple):
    p0: float
    p: float
    sizes: tuple[int, ...]

    def density(self, sizes: tuple[int, ...] | None = None) -> LpNested:
        sizes = sizes or self.sizes
        above, within = (
            torch.tensor(e, dtype=torch.float64) for e in (self.p0, [self.p] * len(sizes))
        )
        return LpNested(above, within, sizes)


CASES = (
    Case(2.1, 2.2, (4, 4, 4, 4, 4)),  # the paper's prior for dSprites
    Case(2.1, 1.9, (4, 3, 3)),  # and for faces
    Case(1.0, 3.0, (2, 3)),
    Case(4.0, 1.2, (3, 2)),
)


class Checked(NamedTuple):
    """The p-values of one case's tests, and what is drawn of it."""

    radius: float
    marginals: float
    between: float
    within: float
    samples: Array
    radii: Array


def make(place: Place) -> Made:
    n = SAMPLES[place.scale]
    checked = {case: _check(case, n, seed) for seed, case in enumerate(CASES)}
    rows: list[dict[str, Value]] = [
        {"p0": c.p0, "p": c.p, "sizes": _sizes(c), "test": test, "p_value": getattr(found, test)}
        for c, found in checked.items()
        for test in ("radius", "marginals", "between", "within")
    ]
    return Made(
        ("p0", "p", "subspaces", "radii", "marginals", "between subspaces", "within a subspace"),
        [
            (f"{c.p0:g}", f"{c.p:g}", _sizes(c), *(_p_value(v) for v in found[:4]))
            for c, found in checked.items()
        ],
        rows,
        _effects(list(checked.values()), n),
        {"samples.png": _picture(checked)},
        (
            f"p-values of tests on {n:,} samples. Radii and marginals: Kolmogorov-Smirnov against "
            "Eq. 11 and against the density of Eq. 7 with the other units integrated out (the "
            "least of all units, times their number). Independence: chi-square on the quarters of "
            "absolute values of units in two subspaces, and in one.",
        ),
    )


def _p_value(value: float) -> str:
    return "< 1e-12" if value < 1e-12 else f"{value:.2g}"


def _sizes(case: Case) -> str:
    return " + ".join(str(size) for size in case.sizes)


def _check(case: Case, n: int, seed: int) -> Checked:
    density = case.density()
    z = density.sample(n, torch.Generator().manual_seed(seed))
    radii = density.radius(z).numpy()
    samples = z.numpy()
    radial = stats.gengamma(a=sum(case.sizes) / case.p0, c=case.p0, scale=2 ** (1 / case.p0))
    second = case.sizes[0]  # the first unit of the second subspace
    size = np.abs(samples)
    return Checked(
        float(stats.kstest(radii, radial.cdf).pvalue),
        _marginals(case, samples),
        independence(size[:, 0], size[:, second]),
        independence(size[:, 0], size[:, 1]),
        samples,
        radii,
    )


def _marginals(case: Case, samples: Array) -> float:
    found = []
    owners = [size for size in case.sizes for _ in range(size)]
    curves = {size: marginal(case, size) for size in set(owners)}
    for unit, size in enumerate(owners):
        grid, cumulative = curves[size]
        cdf = np.interp(samples[:, unit], grid, cumulative)
        found.append(float(stats.kstest(cdf, "uniform").pvalue))
    return min(1.0, min(found) * len(found))


def marginal(case: Case, size: int, n: int = 301) -> tuple[Array, Array]:
    """A unit's distribution function on a grid: Eq. 7 of its subspace, the others integrated out.

    They enter by the sum of their p-th powers only: the integral is over their L^p radius r,
    with the surface r^(m-1) 2^m Gamma(1/p)^m / (p^(m-1) Gamma(m/p)) of its sphere, m = size - 1.
    """
    end = 80 ** (1 / case.p0)
    radius = (np.arange(2 * n) + 0.5) * end / (2 * n)
    grid = np.linspace(-end, end, n)
    m, p = size - 1, case.p
    pairs = torch.zeros(n, 2 * n, size, dtype=torch.float64)
    pairs[..., 0] = torch.from_numpy(grid)[:, None]
    pairs[..., 1] = torch.from_numpy(radius)
    joint = case.density((size,)).log_density(pairs.flatten(0, 1)).exp().reshape(n, 2 * n).numpy()
    log_surface = m * (log(2) + lgamma(1 / p)) - (m - 1) * log(p) - lgamma(m / p)
    heights = np.exp(log_surface) * (joint * radius ** (m - 1)).mean(axis=1) * end
    steps = (heights[1:] + heights[:-1]) / 2 * (grid[1] - grid[0])
    return grid, np.append(0, steps.cumsum())


def independence(first: Array, second: Array) -> float:
    """The p-value of the chi-square test on a table of quarters."""
    quarters = [np.searchsorted(np.quantile(v, [0.25, 0.5, 0.75]), v) for v in (first, second)]
    table = np.zeros((4, 4))
    np.add.at(table, tuple(quarters), 1)
    return float(stats.chi2_contingency(table).pvalue)


def _effects(checked: list[Checked], n: int) -> list[Effect]:
    level = LEVEL / (3 * len(checked))
    least = [min(getattr(c, name) for c in checked) for name in ("radius", "marginals", "between")]
    strong = [c.within for c, case in zip(checked, CASES, strict=True) if abs(case.p0 - case.p) > 1]
    statements = (
        "radii follow the radial density of Eq. 11",
        "marginals are those of the density of Eq. 7",
        "units of different subspaces are independent",
    )
    return [
        *(
            Effect(
                text, value > level, f"least p-value {value:.2g} of {len(checked)}, {n:,} samples"
            )
            for text, value in zip(statements, least, strict=True)
        ),
        Effect(
            "units of one subspace depend on each other where p0 and p differ much",
            max(strong) < 1e-6,
            f"p-values below {max(*strong, 1e-12):.1g}",
        ),
    ]


def _picture(checked: dict[Case, Checked]) -> bytes:
    radii, units = {}, {}
    for case, found in list(checked.items())[1:]:
        title = f"$p_0={case.p0:g}$, $p={case.p:g}$, {_sizes(case)}"
        radial = stats.gengamma(a=sum(case.sizes) / case.p0, c=case.p0, scale=2 ** (1 / case.p0))
        r = np.linspace(0, found.radii.max(), 300)
        radii[title] = histograms.Histogram(found.radii, r, radial.pdf(r))
        grid, cumulative = marginal(case, case.sizes[0])
        shown = np.abs(grid) < np.abs(found.samples[:, 0]).max()
        height = np.gradient(cumulative, grid)
        units[title] = histograms.Histogram(found.samples[:, 0], grid[shown], height[shown])
    return histograms.histograms({"radius $f(z)$": radii, "first unit": units})
