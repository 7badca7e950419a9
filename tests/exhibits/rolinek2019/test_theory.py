"""The exhibits of Rolinek et al. 2019 that need no training: every effect is seen at once."""

from pathlib import Path

import pytest

from gordium.exhibits.base import Place
from gordium.exhibits.rolinek2019 import rotation_invariance as rolinek_rotation_invariance
from gordium.exhibits.rolinek2019 import theorem2 as rolinek_theorem2
from gordium.exhibits.rolinek2019 import worked_example as rolinek_worked_example

MODULES = {
    "rolinek2019-worked-example": rolinek_worked_example,
    "rolinek2019-theorem2": rolinek_theorem2,
    "rolinek2019-rotation-invariance": rolinek_rotation_invariance,
}


@pytest.mark.parametrize("name", MODULES)
def test_every_published_formula_is_seen_but_one(name, tmp_path: Path, judged) -> None:
    made = MODULES[name].make(Place("smoke", tmp_path, 1))
    not_seen = {text for text, found in judged(name, made).items() if found != "seen"}
    # Under (23) the variances' product is exp(-C), so a minimum over two of them has its root.
    wrong = {"the minimum falls as exp(-C)", "the minimum falls as exp(-C): "}
    assert not_seen == (wrong if name == "rolinek2019-worked-example" else set())
    assert all(len(line) == len(made.head) for line in made.table)
    assert all(picture.startswith(b"\x89PNG") for picture in made.pictures.values())


def test_both_minima_of_the_worked_example_are_in_its_table(tmp_path: Path) -> None:
    table = rolinek_worked_example.make(Place("smoke", tmp_path, 1)).table
    at_zero = {line[0]: line[2:5] for line in table if line[1] == "0"}
    assert at_zero == {"m1": ("24.494897",) * 3, "m2": ("52.392748",) * 3}
