"""The conformance suite of metrics: every property that a metric declares is tested."""

from collections.abc import Callable, Iterator

import numpy as np

from gordium.lookup import answer_wrong_calls
from gordium.metrics import METRICS, PROPERTIES, Properties
from gordium.testing import purity, tables
from gordium.testing.subject import Metric, Subject, is_same
from gordium.testing.tables import Table

TINY = (2.0**-16, 2.0**-13, 2.0**-10)  # powers of two round nothing


@answer_wrong_calls
def check_metric(metric: Metric, properties: Properties | None = None) -> None:
    """Raise an AssertionError that says which property fails and by how much, if any does.

    The metric is a function `(codes, factors, *, seed=0, ...)` of arrays, or of `codes` alone, or
    of `log_variances` too. It returns a number, or a NamedTuple whose first number is the
    headline. Every metric must be a pure function: it repeats itself, changes none of its
    arguments, leaves the global random generators alone, and is never NaN for dead codes. What
    else is tested, `properties` declare; they may be left out for our own metrics.
    """
    declared = _find_properties(metric, properties)
    subject = Subject(metric)
    purity.check_signature(subject)
    purity.check_generators(subject)
    purity.check_pure(subject)
    purity.check_dead_codes(subject)
    _check_range(subject, declared)
    _check_perfect(subject, declared)
    _check_invariances(subject, declared)
    _check_least_columns(subject, declared)
    _check_kind_of_factors(subject, declared)


def _find_properties(metric: Metric, properties: Properties | None) -> Properties:
    if properties is not None:
        return properties
    name = getattr(metric, "__name__", "")
    if METRICS.get(name) is not metric:
        raise TypeError(
            f"{name or metric} is not listed in gordium.metrics; "
            "pass what it declares: check_metric(metric, Properties(...))."
        )
    return PROPERTIES[name]


def _check_range(subject: Subject, declared: Properties) -> None:
    for what, table in _cases():
        value = subject.value(table)
        if not declared.least - 1e-9 <= value <= declared.greatest + 1e-9:
            subject.fail(
                f"leaves its range, {declared.least:g} to {declared.greatest:g}: "
                f"{what} score {value:g}."
            )


def _cases() -> Iterator[tuple[str, Table]]:
    perfect = tables.make_small()
    noisy, noise = (tables.make_entangled(size) for size in (0.3, 100.0))
    yield "perfect codes", perfect
    yield "perfect codes, turned and scaled,", perfect.select(2, 0, 1).scale(-4.0, 0.5, -64.0)
    yield "duplicated perfect codes", perfect.select(0, 1, 2, 0, 1, 2)
    yield "entangled codes", noisy
    yield "codes of noise", noise
    yield "perfect codes with a dead one", tables.make_dead(perfect.select(0, 1, 2, 0), 3)
    yield "dead codes", tables.make_dead(noisy, 0, 1, 2)


def _check_perfect(subject: Subject, declared: Properties) -> None:
    if declared.perfect is None:
        return
    value = subject.value(tables.make_perfect())
    off = abs(value - declared.perfect)
    if not off <= declared.perfect_within:
        subject.fail(
            f"scores perfect codes {value:.4f}; declared is {declared.perfect:g} "
            f"within {declared.perfect_within:g}, and it is {off:.2g} off. If that is its nature, "
            f"declare Properties(perfect={value:.3g}), or perfect=None, which promises nothing."
        )


def _check_invariances(subject: Subject, declared: Properties) -> None:
    for noise in (0.3, 3.0):
        table = tables.make_entangled(noise)
        changed = {
            "order": (declared.ignores_order, table.select(2, 0, 1)),
            "sign": (declared.ignores_sign, table.scale(1.0, -1.0, -1.0)),
            "scale": (declared.ignores_scale, table.scale(*TINY)),
        }
        before = subject.value(table)
        for what, (is_declared, other) in changed.items():
            after = subject.value(other) if is_declared else before
            if not is_same(before, after, declared.ignores_within):
                subject.fail(
                    f"depends on the {what} of the codes, though declared not to: it goes from "
                    f"{before:.6g} to {after:.6g}, by {abs(after - before):.2g} "
                    f"(allowed {declared.ignores_within:g})."
                )


def _check_least_columns(subject: Subject, declared: Properties) -> None:
    table = tables.make_entangled(0.3)
    _check_columns(subject, "codes", declared.min_codes, lambda n: table.select(*range(n)))
    if "factors" in subject.takes:
        few = [table._replace(factors=table.factors[:, :n]) for n in range(4)]
        _check_columns(subject, "factors", declared.min_factors, few.__getitem__)


def _check_columns(subject: Subject, what: str, least: int, of: Callable[[int], Table]) -> None:
    if np.isnan(subject.value(of(least))):
        subject.fail(f"is NaN with {least} {what}; declare min_{what}={least + 1}, or define it.")
    if least == 1:
        return
    try:
        value = subject.value(of(least - 1))
    except ValueError:
        return
    if not np.isnan(value):
        subject.fail(f"gives {value:g} with {least - 1} {what}, though min_{what} is {least}.")


def _check_kind_of_factors(subject: Subject, declared: Properties) -> None:
    if "factors" not in subject.takes:
        return
    table = tables.make_entangled(0.3)
    real = table._replace(factors=table.factors * 0.37 + 0.01 * table.codes)
    if declared.real_factors:
        if not declared.least - 1e-9 <= subject.value(real) <= declared.greatest + 1e-9:
            subject.fail(f"leaves its range where factors are real numbers: {subject.value(real)}.")
        return
    try:
        value = subject.value(real)
    except (TypeError, ValueError):
        return
    subject.fail(
        f"gives {value:g} where factors are not integers; refuse them with a TypeError, "
        "or declare real_factors=True."
    )
