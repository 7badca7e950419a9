"""Figure 3: directions of known codes, and the whole exhibit on a small scale."""

import numpy as np
import pytest

from gordium.exhibits.base import Place
from gordium.exhibits.stuehmer2020 import figure3 as stuehmer_orientation

GRID = np.stack(np.meshgrid(np.arange(32.0), np.arange(32.0)), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize(("degrees", "off"), [(0, 0), (30, 30), (45, 45), (70, 20), (180, 0)])
def test_the_direction_of_a_rotated_code_is_its_angle(degrees, off):
    angle = np.radians(degrees)
    rotation = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    code = stuehmer_orientation.measure(3 * GRID @ rotation.T + 1, GRID)
    assert code.off_axis == pytest.approx(off, abs=1e-9)
    assert code.linear == pytest.approx(1)


def test_a_bent_code_is_less_linear_and_as_aligned():
    bent = (GRID - 15.5) ** 3
    code = stuehmer_orientation.measure(bent, GRID)
    assert code.off_axis == pytest.approx(0, abs=1e-9)
    # R^2 of u^3 on u for a uniform u: (E u^4)^2 / (E u^2 E u^6) = 21 / 25, but for the grid.
    assert code.linear == pytest.approx(0.84, abs=0.01)


def test_smoke(tmp_path, judged):
    made = stuehmer_orientation.make(Place("smoke", tmp_path, workers=1))
    assert all(len(line) == len(made.head) for line in made.table)
    assert len(made.rows) == 3 + 3  # a run for each prior, and a line of theory
    outcomes = list(judged("stuehmer2020-figure3", made).values())
    assert outcomes[:3] == ["seen", "inconclusive", "inconclusive"]
    assert all(0 <= row["off_axis"] <= 45 for row in made.rows[:3])
    assert made.pictures["codes.png"].startswith(b"\x89PNG")
