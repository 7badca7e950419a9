"""Published claims and the comparisons that bear on them, by the rules of docs/verdict-rules.md."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from gordium.report.statistics.significance import sign_flip_test
from gordium.report.statistics.student import (
    Estimate,
    equivalence_power,
    mean_interval,
    paired_interval,
    t_test_power,
)

Kind = Literal["identity", "direction", "equivalence", "quantity"]
QUARTER = 0.25  # the margin as a share of the mean that is compared with
MANY = 10  # the least number of units of which an exact test is made too
NONE = float("nan")
RULE_DATE = "2026-11-17"  # when the first rules came into the repository


@dataclass(frozen=True, kw_only=True)
class Line:
    """One comparison: a difference in the score's own units, with its interval.

    `of` says which part of the claim it is about. `n` counts independent units, which `unit`
    names. The estimate of an identity is by how much its two sides differ, and `margin` by how
    much they may. A direction has the `sign` of the published difference. The estimate of a
    quantity is ours minus the published number. `effect` is the estimate in standard deviations of
    a unit, `power` the chance to find what is published (a difference, or none) with such units.
    `again` is the same comparison without some of its runs, which its `of` names: where there is
    one, both must say the same. `worst` is the value that contradicts a sentence about all values
    most. `rows_of` is the exhibit whose rows these are, which is their scale too, if they are of
    another one.
    """

    of: str = ""
    kind: Kind
    estimate: float
    low: float = NONE
    high: float = NONE
    margin: float = NONE
    n: int
    unit: str
    p: float = NONE
    exact_p: float = NONE
    sign: int = 0
    effect: float = NONE
    power: float = NONE
    note: str = ""
    again: "Line | None" = None
    worst: float = NONE
    rows_of: str = ""


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper that a number can contradict; `lines` are its parts, of one kind.

    A claim without lines has no runs yet and is passed over. `rule_date` is when its rule was
    written down; `rows_known` says that this was after a look at these rows, where the days of both
    are the same. The lines `beside` it are shown and not judged: the same comparison where the
    paper does not print it, or where it was made once. A claim that has no others is not judged.
    """

    text: str
    lines: tuple[Line, ...]
    note: str = ""
    rule_date: str = RULE_DATE
    beside: tuple[Line, ...] = ()
    rows_known: bool = False

    def __post_init__(self) -> None:
        kinds = {line.kind for line in (*self.lines, *self.beside)}
        if len(kinds) > 1:
            raise ValueError(
                f"the lines of {self.text!r} must be of one kind; got {sorted(kinds)}."
            )

    @property
    def kind(self) -> Kind:
        """The kind that all lines are of."""
        return (*self.lines, *self.beside)[0].kind


def identity(of: str, off: float, within: float, *, n: int, unit: str = "case") -> Line:
    """In `n` cases the two sides of a formula differ by at most `off`; `within` is allowed."""
    return Line(of=of, kind="identity", estimate=off, margin=within, n=n, unit=unit)


def direction(
    of: str,
    found: Estimate,
    sign: int,
    *,
    unit: str = "seed",
    base: float = NONE,
    published: float = NONE,
) -> Line:
    """A difference that is published to be above (sign 1) or below 0 (sign -1).

    `base` is the mean that the difference is from, a quarter of which is the margin; `published`
    the published difference.
    """
    power = t_test_power(published / _spread(found), found.n)
    line = _line("direction", of, found, base, unit=unit)
    return replace(line, p=found.p, sign=sign, effect=found.effect, power=power)


def paired_direction(
    of: str,
    first: ArrayLike,
    second: ArrayLike,
    sign: int,
    *,
    unit: str = "seed",
    published: float = NONE,
) -> Line:
    """Second minus first of units that both have, with the sign-flip test from ten units on."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    base = float(a.mean()) if len(a) else NONE
    line = direction(of, paired_interval(a, b), sign, unit=unit, base=base, published=published)
    return replace(line, exact_p=sign_flip_test(b - a)) if len(a) >= MANY else line


def mean_direction(
    of: str, values: ArrayLike, sign: int, *, unit: str = "seed", published: float = NONE
) -> Line:
    """A mean that is published to be above or below 0; 0 has no size, so there is no margin."""
    found = np.asarray(values, dtype=np.float64)
    line = direction(of, mean_interval(found), sign, unit=unit, published=published)
    return replace(line, exact_p=sign_flip_test(found)) if len(found) >= MANY else line


def measure_once(of: str, estimate: float, sign: int, *, unit: str, note: str = "") -> Line:
    """A difference that was measured once and so has no interval."""
    return Line(of=of, kind="direction", estimate=estimate, n=1, unit=unit, sign=sign, note=note)


def equivalence(of: str, found: Estimate, *, base: float, unit: str = "seed") -> Line:
    """A difference from a mean of `base` that is published to be none."""
    line = _line("equivalence", of, found, base, unit=unit)
    power = equivalence_power(line.margin / _spread(found), found.n)
    return replace(line, effect=found.effect, power=power)


def quantity(of: str, values: ArrayLike, published: float, *, unit: str = "seed") -> Line:
    """The mean of ours minus the published number, a quarter of which is the margin."""
    return quantity_of(of, mean_interval(values), published, unit=unit)


def quantity_of(
    of: str, found: Estimate, published: float, *, unit: str = "seed", note: str = ""
) -> Line:
    """The line of a number that is compared with a published one."""
    return _line("quantity", of, found.move(-published), published, unit=unit, note=note)


def _line(kind: Kind, of: str, found: Estimate, base: float, *, unit: str, note: str = "") -> Line:
    """The line of an estimate, with a quarter of `base` as its margin.

    Units that are all alike show no spread, and give no interval.
    """
    low, high = found[1:3] if found.has_spread else (NONE, NONE)
    margin = QUARTER * abs(base)
    return Line(
        of=of, kind=kind, estimate=found.mean, low=low, high=high, margin=margin, n=found.n,
        unit=unit, note=note,
    )  # fmt: skip


def _spread(found: Estimate) -> float:
    """The standard deviation of a unit, by which the effect is measured."""
    return found.mean / found.effect if found.effect else NONE
