"""Fields that are added later rename nothing."""

from dataclasses import dataclass

from gordium.fields import added, declare_fields


@dataclass(frozen=True)
class Inner:
    rate: float = 0.1
    decay: float = added(0.0)


@dataclass(frozen=True)
class Old:
    steps: int = 3
    inner: Inner = Inner()


@dataclass(frozen=True)
class New(Old):
    weights: tuple[float, ...] = added((1.0,))
    note: str | None = added(None)


def test_a_field_at_the_default_that_it_was_added_with_is_not_declared():
    assert declare_fields(New()) == declare_fields(Old()) == {"steps": 3, "inner": {"rate": 0.1}}


def test_another_value_is_declared_also_within_a_field():
    found = declare_fields(New(weights=(1, 2), inner=Inner(decay=0.5)))
    assert found == {"steps": 3, "inner": {"rate": 0.1, "decay": 0.5}, "weights": [1, 2]}


def test_a_field_of_the_beginning_is_always_declared():
    assert "steps" in declare_fields(Old(steps=3))
