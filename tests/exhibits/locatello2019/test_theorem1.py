"""The exhibit at its smallest: every effect of the theorem is there."""

from gordium.exhibits.base import Place
from gordium.exhibits.locatello2019.theorem1 import DISTRIBUTIONS, make, perfect_codes


def test_smoke(tmp_path, judged):
    made = make(Place("smoke", tmp_path))
    assert set(judged("locatello2019-theorem1", made).values()) == {"seen"}
    assert [row["what"] for row in made.rows[: len(DISTRIBUTIONS)]] == list(DISTRIBUTIONS)
    assert made.pictures["theorem1.png"].startswith(b"\x89PNG")


def test_perfect_codes_hold_each_factor_in_their_whole_part():
    codes, factors = perfect_codes(100)
    assert factors.shape == (100, 6)
    assert (codes.astype(int) == factors).all()
