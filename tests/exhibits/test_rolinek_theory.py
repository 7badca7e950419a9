"""The exhibits of Rolinek et al. 2019 that need no training: every effect is seen at once."""

from pathlib import Path

import pytest

from gordium.exhibits import (
    rolinek_rotation_invariance,
    rolinek_theorem2,
    rolinek_worked_example,
)
from gordium.exhibits.base import Place

MODULES = (rolinek_worked_example, rolinek_theorem2, rolinek_rotation_invariance)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_published_effect_is_seen(module, tmp_path: Path) -> None:
    made = module.make(Place("smoke", tmp_path, 1))
    assert made.effects
    assert all(effect.seen for effect in made.effects)
    assert all(len(line) == len(made.head) for line in made.table)
    assert all(picture.startswith(b"\x89PNG") for picture in made.pictures.values())


def test_both_minima_of_the_worked_example_are_in_its_table(tmp_path: Path) -> None:
    table = rolinek_worked_example.make(Place("smoke", tmp_path, 1)).table
    at_zero = {line[0]: line[2:5] for line in table if line[1] == "0"}
    assert at_zero == {"m1": ("24.494897",) * 3, "m2": ("52.392748",) * 3}
