"""Algorithm 1 of Stühmer et al. 2020: its samples tested against the density of Eq. 7."""

from collections.abc import Callable
from math import lgamma, log
from typing import Any, NamedTuple

import numpy as np
import torch
from scipy import stats

from gordium.arrays import Floats
from gordium.exhibits.base import Exhibit, Made, Place, Row
from gordium.exhibits.stuehmer2020 import claims
from gordium.priors import LpNested
from gordium.report.figures import charts

SAMPLES = {"smoke": 5_000, "laptop": 50_000, "paper": 1_000_000}


class Case(NamedTuple):
    """A distribution to sample from: two exponents and the sizes of the subspaces."""

    p0: float
    p: float
    sizes: tuple[int, ...]

    def density(self, sizes: tuple[int, ...] | None = None) -> LpNested:
        """The density, with other `sizes` of the subspaces if they are given."""
        sizes = sizes or self.sizes
        above, within = (
            torch.tensor(e, dtype=torch.float64) for e in (self.p0, [self.p] * len(sizes))
        )
        return LpNested(above, within, sizes)

    @property
    def radial(self) -> Any:
        """The law of the radius, Eq. 11."""
        return stats.gengamma(a=sum(self.sizes) / self.p0, c=self.p0, scale=2 ** (1 / self.p0))


CASES = (
    Case(2.1, 2.2, (4, 4, 4, 4, 4)),  # the paper's prior for dSprites
    Case(2.1, 1.9, (4, 3, 3)),  # its prior for faces
    Case(1.0, 3.0, (2, 3)),
    Case(4.0, 1.2, (3, 2)),
)


class Test(NamedTuple):
    """A test statistic and its p-value."""

    statistic: float
    p_value: float


class Checked(NamedTuple):
    """The tests of one case, and the samples and radii that the picture shows."""

    tests: dict[str, Test]
    samples: Floats
    radii: Floats


def make(place: Place) -> Made:
    """Sample each case and test radii, marginals and independence."""
    n = SAMPLES[place.scale]
    checked = {case: _check(case, n, seed) for seed, case in enumerate(CASES)}
    rows: list[Row] = [
        {"p0": c.p0, "p": c.p, "sizes": _sizes(c), "test": name, **test._asdict()}
        for c, found in checked.items()
        for name, test in found.tests.items()
    ]
    return Made(
        ("p0", "p", "subspaces", "radii", "marginals", "between subspaces", "within a subspace"),
        [
            (
                f"{c.p0:g}",
                f"{c.p:g}",
                _sizes(c),
                *(_say_test(test) for test in found.tests.values()),
            )
            for c, found in checked.items()
        ],
        rows,
        {"samples.png": _picture(checked)},
        (
            f"Of {n:,} samples, p-values in brackets. Radii and marginals: the largest difference "
            "of distribution functions (Kolmogorov-Smirnov), from Eq. 11 and from the density of "
            "Eq. 7 with the other units integrated out (the largest of all units, the least "
            "p-value times their number). Independence: Cramér's V and the chi-square test on the "
            "quarters of absolute values of units in two subspaces, and in one.",
        ),
    )


def _say_test(test: Test) -> str:
    p = "< 1e-12" if test.p_value < 1e-12 else f"{test.p_value:.2g}"
    return f"{test.statistic:.4f} ({p})"


def _sizes(case: Case) -> str:
    return " + ".join(str(size) for size in case.sizes)


def _check(case: Case, n: int, seed: int) -> Checked:
    density = case.density()
    z = density.sample(n, torch.Generator().manual_seed(seed))
    radii = density.radius(z).numpy()
    samples = z.numpy()
    second = case.sizes[0]  # the first unit of the second subspace
    size = np.abs(samples)
    tests = {
        "radius": distance(radii, case.radial.cdf),
        "marginals": _marginals(case, samples),
        "between": independence(size[:, 0], size[:, second]),
        "within": independence(size[:, 0], size[:, 1]),
    }
    return Checked(tests, samples, radii)


def distance(samples: Floats, law: Callable[[Floats], Floats] | str) -> Test:
    """The Kolmogorov-Smirnov test of samples against a distribution function."""
    found = stats.kstest(samples, law)
    return Test(float(found.statistic), float(found.pvalue))


def _marginals(case: Case, samples: Floats) -> Test:
    found = []
    owners = [size for size in case.sizes for _ in range(size)]
    curves = {size: marginal_distribution(case, size) for size in set(owners)}
    for unit, size in enumerate(owners):
        grid, cumulative = curves[size]
        cdf = np.interp(samples[:, unit], grid, cumulative)
        found.append(distance(cdf, "uniform"))
    least = min(test.p_value for test in found)
    return Test(max(test.statistic for test in found), min(1.0, least * len(found)))


def marginal_distribution(case: Case, size: int) -> tuple[Floats, Floats]:
    """A unit's distribution function on a grid: Eq. 7 with the subspace's others integrated out.

    The m = size - 1 others enter by the sum of their p-th powers only, so the integral is over
    their L^p radius r, with r^(m-1) 2^m Gamma(1/p)^m / (p^(m-1) Gamma(m/p)) as its surface.
    """
    n, end = 301, 80 ** (1 / case.p0)
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


def independence(first: Floats, second: Floats) -> Test:
    """Cramér's V (0 to 1) and the chi-square test on a 4 x 4 table of quartiles."""
    quarters = [np.searchsorted(np.quantile(v, [0.25, 0.5, 0.75]), v) for v in (first, second)]
    table = np.zeros((4, 4))
    np.add.at(table, tuple(quarters), 1)
    found = stats.chi2_contingency(table)
    strength = np.sqrt(found.statistic / (table.sum() * (len(table) - 1)))
    return Test(float(strength), float(found.pvalue))


def _picture(checked: dict[Case, Checked]) -> bytes:
    radii, units = {}, {}
    for case, found in list(checked.items())[1:]:
        title = f"$p_0={case.p0:g}$, $p={case.p:g}$, {_sizes(case)}"
        r = np.linspace(0, found.radii.max(), 300)
        radii[title] = charts.Histogram(found.radii, r, case.radial.pdf(r))
        grid, cumulative = marginal_distribution(case, case.sizes[0])
        shown = np.abs(grid) < np.abs(found.samples[:, 0]).max()
        height = np.gradient(cumulative, grid)
        units[title] = charts.Histogram(found.samples[:, 0], grid[shown], height[shown])
    return charts.histograms({"radius $f(z)$": radii, "first unit": units})


algorithm1 = Exhibit(
    "Algorithm 1", "Exact samples of L^p-nested distributions", make, claims.algorithm1
)
