"""What every metric must fulfil, whatever it declares."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import signature

import numpy as np

from gordium.testing import tables
from gordium.testing.subject import Subject, is_same
from gordium.testing.tables import Table


def check_signature(subject: Subject) -> None:
    """Check that the metric takes `codes` and `seed`, by these names."""
    if "codes" not in subject.takes:
        subject.fail("does not take codes; its first argument must have that name.")
    if "seed" not in signature(subject.metric).parameters:
        subject.fail("does not take seed; every metric takes it as a keyword, used or not.")


def check_pure(subject: Subject) -> None:
    """Check that the metric leaves its arguments as they are."""
    table = tables.make_entangled(0.3)
    kept = Table(*(array.copy() for array in table))
    subject.value(table)
    for name, before, after in zip(Table._fields, kept, table, strict=True):
        if not np.array_equal(before, after):
            subject.fail(f"changes {name}, {np.sum(before != after)} values of it; work on a copy.")


def check_generators(subject: Subject) -> None:
    """Check that the metric repeats itself and neither reads nor moves a global random state."""
    subject.value(tables.make_entangled(0.3))  # packages that it imports may draw while they load
    first, again, other = (_from_state(subject, start) for start in (0, 0, 1))
    if not is_same(first, again):
        subject.fail(f"does not repeat itself: with the same seed it gives {first} and {again}.")
    if not is_same(first, other):
        subject.fail(
            f"depends on the global random state: it gives {first} and {other}. "
            "Draw from np.random.default_rng(seed)."
        )


def _from_state(subject: Subject, start: int) -> float:
    """The metric's value with the global generators in a known state, which it must not move."""
    with seed_generators(start) as have_moved:
        found = subject.value(tables.make_entangled(0.3))
        if have_moved():
            subject.fail(
                "moves the global random state, by drawing from it or seeding it. "
                "Draw from np.random.default_rng(seed)."
            )
    return found


@contextmanager
def seed_generators(seed: int) -> Iterator[Callable[[], bool]]:
    """Seed the generators of NumPy and Python, yield whether they have moved, and restore them."""
    kept = np.random.get_state(), random.getstate()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)
    before = _states()
    try:
        yield lambda: _states() != before
    finally:
        np.random.set_state(kept[0])  # noqa: NPY002
        random.setstate(kept[1])


def _states() -> tuple[object, ...]:
    _, words, *rest = np.random.get_state()  # noqa: NPY002
    return np.asarray(words).tobytes(), *rest, random.getstate()


def check_dead_codes(subject: Subject) -> None:
    """Check that no score is NaN because a code does not vary."""
    table = tables.make_entangled(0.3)
    for at in (0.0, 0.1):  # the variance of many tenths is a rounding error, and not 0
        one = tables.make_dead(table.select(0, 1, 2, 0), 3, at=at)
        for name, value in subject.numbers(one).items():
            if np.isnan(value):
                subject.fail(f"is NaN ({name}) where one of four codes is dead; leave it out.")
        if np.isnan(subject.value(tables.make_dead(table, 0, 1, 2, at=at))):
            subject.fail("is NaN where all codes are dead; they tell nothing.")
