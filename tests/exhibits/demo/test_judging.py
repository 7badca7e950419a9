"""Which folders count as repetitions, by which rules, and what is said of the ladder's rungs."""

import tomllib

import pandas as pd
import pytest

from gordium.exhibits.demo import find_rung
from gordium.exhibits.demo.judging import RUNGS, Table, judge_ladder, read_repetitions
from gordium.exhibits.studies import study_file
from gordium.report.rows import Row, write_rows

LEVELS = {"original": 0.8, "modified": 0.3, "noise": 0.78, "equal noise": 0.6}
NAME, WORDS = "demo-1-designed", RUNGS["demo-1-designed"].words


def test_folders_that_are_no_numbers_are_passed_over(tmp_path):
    for name in ("10", "2", "0-old", "old", "3x"):
        write_rows(tmp_path / name / "rows.csv", [Row("d", "original", "vae", 1.0, 0, "mig", 0.5)])
    (tmp_path / "4").mkdir()
    (tmp_path / "5").write_text("a file")
    assert read_repetitions(tmp_path)["repetition"].tolist() == [2, 10]
    assert read_repetitions(tmp_path / "nowhere").empty


def test_every_rung_but_the_demo_itself_has_a_rule_by_the_name_of_its_study():
    rungs = tomllib.loads(study_file("demo").read_text(encoding="utf-8"))["scale"]
    assert {find_rung(name).name for name in rungs} - set(RUNGS) == {"demo-0"}


def repeat(*methods, n=3, level=None):
    """Rows of `n` repetitions with two seeds each; differences vary a little between them."""
    return pd.DataFrame(
        {"dataset": "shapes3d", "variant": variant, "method": method, "seed": 100 * k + seed,
         "metric": "mig", "repetition": k, "value": (level or mean) + 0.01 * k * (place - 1)}
        for k in range(n)
        for seed in range(2)
        for method in methods
        for place, (variant, mean) in enumerate(LEVELS.items())
    )  # fmt: skip


def test_one_correction_runs_over_the_whole_ladder():
    table = Table(repeat("beta-vae"), pd.DataFrame())
    [alone] = judge_ladder({NAME: table}).values()
    both = judge_ladder({NAME: table, "demo-1": table})
    assert list(both) == [NAME, "demo-1"]
    for verdict, again in zip(alone, both[NAME], strict=True):
        assert verdict.shown.line == again.shown.line
        assert again.shown.p_holm > verdict.shown.p_holm
    least = min(verdict.shown.line.p for verdict in alone)
    assert min(verdict.shown.p_holm for verdict in alone) == pytest.approx(3 * least)
    assert min(verdict.shown.p_holm for verdict in both[NAME]) == pytest.approx(6 * least)


@pytest.mark.parametrize(
    ("methods", "stays"),
    [(("pcl",), "PCL as it is"), (("pcl", "ae"), "the autoencoder and PCL as they are")],
)
def test_the_methods_that_are_left_as_they_are_have_their_names(methods, stays):
    table = Table(repeat("beta-vae"), repeat(*methods, level=0.7))
    *_, change, noise = judge_ladder({NAME: table})[NAME]
    assert change.claim.text == f"{WORDS}: modified images leave {stays}"
    assert noise.claim.text == f"{WORDS}: noise leaves {stays}"


def test_three_changes_are_enough_and_three_draws_of_noise_are_not():
    table = Table(repeat("beta-vae"), repeat("pcl", level=0.7))
    *_, change, noise = judge_ladder({NAME: table})[NAME]
    assert (change.shown.line.unit, change.outcome) == ("change", "seen")
    assert (noise.shown.line.unit, noise.outcome) == ("draw", "inconclusive")


def test_methods_that_fall_have_their_names_and_one_that_is_not_finished_has_no_line():
    vaes = repeat("beta-tcvae", "slow-vae")
    unfinished = repeat("factor-vae", n=2)
    table = Table(repeat("beta-vae"), pd.concat([vaes, unfinished]))
    texts = [verdict.claim.text for verdict in judge_ladder({NAME: table})[NAME][3:]]
    lower = "beta-TCVAE and SlowVAE score lower on modified than on"
    assert texts == [
        f"{WORDS}: {lower} original images",
        f"{WORDS}: {lower} noisy images",
        f"{WORDS}: noise leaves beta-TCVAE and SlowVAE as they are",
    ]
