"""Figure 1: the ascent is from the truth, upwards, and towards orthogonal components."""

import numpy as np

from gordium.datasets import StudentTMixture
from gordium.exhibits.base import Place
from gordium.exhibits.stuehmer2020 import figure1 as stuehmer_ica
from gordium.theory.student_t_ica import Fit


def test_components_become_orthogonal(tmp_path, judged):
    made = stuehmer_ica.make(Place("smoke", tmp_path))
    assert all(len(line) == len(made.head) for line in made.table)
    assert set(judged("stuehmer2020-figure1", made).values()) == {"inconclusive"}  # one sample
    assert made.rows[0]["overlap"] < 1 / 12  # of three unit vectors 60 degrees apart
    assert [row["beta"] for row in made.rows] == [1.0, 5.0, 1.0, 5.0]
    assert [row["df"] for row in made.rows] == [3.5, 3.5, 1.5, 1.5]
    assert all(row["free_energy_end"] > row["free_energy_start"] for row in made.rows)
    assert made.pictures["components.png"].startswith(b"\x89PNG")


def test_kept_components_and_their_angles_are_those_of_the_weights():
    weights = np.array([[2.0, 0.01, 0.0], [0.0, 0.01, 1.0]])
    none, trail = np.zeros(1), np.stack([np.ones((2, 3)), weights])
    found = stuehmer_ica.Case(StudentTMixture(n=1), 5.0, Fit(weights, none, none, none, trail))
    assert found.pruned_at == 1
    assert found.kept == [0, 2]
    assert found.angles == [90.0]
