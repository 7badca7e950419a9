"""The simulation behind the rules: what intervals cover, and that the page shows it."""

import csv
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def simulation():
    path = ROOT / "benchmarks" / "interval_coverage.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("n", [3, 5, 10])
def test_students_interval_covers_95_percent_of_normal_samples(simulation, n):
    # 4,000 trials: three standard errors are one percent.
    assert simulation.coverage("normal", n, "t", trials=4000) == pytest.approx(0.95, abs=0.011)


def test_the_bootstrap_of_three_covers_three_quarters(simulation):
    # All three values above the mean, or all below it, have no resample on its other side: 1 in 4.
    found = simulation.coverage("normal", 3, "bootstrap, expanded", trials=4000)
    assert found == pytest.approx(0.75, abs=0.021)


def test_three_bimodal_seeds_fool_any_interval(simulation):
    # One in four samples lies in one mode.
    assert simulation.coverage("bimodal", 3, "t", trials=4000) == pytest.approx(0.75, abs=0.021)


def test_the_page_shows_what_rank_correlations_cover():
    text = (ROOT / "docs" / "verdict-rules.md").read_text(encoding="utf-8")
    with (ROOT / "results" / "rank_coverage.csv").open(encoding="utf-8", newline="") as file:
        for true, shared, *shares in list(csv.reader(file))[1:]:
            found = " | ".join(f"{100 * float(share):.1f} %" for share in shares)
            assert f"| {true} | {shared} | {found} |" in text


def test_the_page_shows_the_simulated_table():
    text = (ROOT / "docs" / "verdict-rules.md").read_text(encoding="utf-8")
    with (ROOT / "results" / "coverage.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for scores, seeds in dict.fromkeys((row["scores"], row["seeds"]) for row in rows):
        own = [row for row in rows if (row["scores"], row["seeds"]) == (scores, seeds)]
        shares = " | ".join(f"{100 * float(row['coverage']):.1f} %" for row in own)
        assert f"| {scores} | {seeds} | {shares} |" in text
