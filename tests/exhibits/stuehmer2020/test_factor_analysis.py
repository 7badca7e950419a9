"""B.3 to B.5: the exhibits say what the closed forms say."""

from pathlib import Path

import numpy as np
import pytest

from gordium.exhibits.base import Place
from gordium.exhibits.stuehmer2020 import b3 as stuehmer_b3
from gordium.exhibits.stuehmer2020 import b4 as stuehmer_b4
from gordium.exhibits.stuehmer2020 import b5 as stuehmer_b5
from gordium.exhibits.stuehmer2020.example import VARIANCE, example

PNG = b"\x89PNG"


@pytest.fixture
def smoke(tmp_path: Path) -> Place:
    return Place("smoke", tmp_path)


def test_b3_shows_published_numbers_beside_ours(smoke, judged):
    made = stuehmer_b3.make(smoke)
    assert all(len(line) == len(made.head) for line in made.table)
    assert [line[2] for line in made.table] == ["-17.82", "-17.82", "-17.82", "-57.16"]
    aligned, tight, rotated, loose = (float(line[3]) for line in made.table)
    assert aligned == tight == rotated > loose
    assert set(judged("stuehmer2020-b3", made).values()) == {"seen"}
    assert all(png.startswith(PNG) for png in made.pictures.values())


def test_b4_gap_is_that_of_two_parallel_columns(smoke, judged):
    made = stuehmer_b4.make(smoke)
    assert all(len(line) == len(made.head) for line in made.table)
    assert set(judged("stuehmer2020-b4", made).values()) == {"seen"}
    # Columns a, b on one axis with noise v: half of log((1 + a^2/v)(1 + b^2/v) / (1 + 1/v)).
    for row in made.rows[:101:20]:
        a = row["share"] ** 2 / 0.1
        b = (1 - row["share"] ** 2) / 0.1
        gap = 0.5 * np.log((1 + a) * (1 + b) / 11)
        assert row["log_likelihood"] - row["free_energy"] == pytest.approx(gap, abs=1e-12)
    np.testing.assert_allclose(
        stuehmer_b4.share_column(0.3) @ stuehmer_b4.share_column(0.3).T, np.eye(2)
    )


def test_b5_directions_stay_and_lengths_do_not(smoke, judged):
    made = stuehmer_b5.make(smoke)
    assert all(len(line) == len(made.head) for line in made.table)
    # The best squared length is the axis' variance less beta times the noise: it must change.
    outcomes = judged("stuehmer2020-b5", made)
    assert [text for text, found in outcomes.items() if found == "not seen"] == [
        "beta does not change the model that is learned, lengths of columns",
        "beta does not change the model that is learned, lengths of columns: ",
    ]
    assert [line[3] for line in made.table] == ["0, 90, 180"] * 5
    # The amplitude of E log p / beta - KL is posterior_gap at 45 degrees: half of
    # log(1 + s)^2 / ((1 + a)(1 + b)), a and b being |columns|^2 / (beta noise), s their mean.
    a, b = np.square(example().weights).sum(axis=0) / VARIANCE
    for line in made.table:
        beta = float(line[0])
        s = (a + b) / 2 / beta
        gap = np.log1p(s) - 0.5 * (np.log1p(a / beta) + np.log1p(b / beta))
        assert float(line[1]) == pytest.approx(gap, abs=1e-4)
        assert float(line[2]) == pytest.approx(beta * gap, abs=1e-4)
