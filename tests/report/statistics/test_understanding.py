"""Agreement, variance and transfer, on data whose answers are known."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from gordium.report.statistics.agreement import rank_correlations, unsupervised_agreement
from gordium.report.statistics.transfer import CASES, transfer
from gordium.report.statistics.variance import variance_explained


def several(tidy, **metrics):
    runs = [f"r{i}" for i in range(len(next(iter(metrics.values()))))]
    return pd.concat([tidy(values, metric=name, run=runs) for name, values in metrics.items()])


def test_metrics_that_order_alike_correlate_fully(tidy):
    frame = several(tidy, mig=[1, 2, 3, 4], dci=[1, 4, 9, 16], sap=[4, 3, 2, 1], irs=[1, 1, 2, 2])
    found = rank_correlations(frame)
    assert found.rho.loc["mig", ["mig", "dci", "sap"]].tolist() == pytest.approx([1, 1, -1])
    # Ranks 1, 2, 3, 4 and 1.5, 1.5, 3.5, 3.5: covariance 4 of variances 5 and 4.
    assert found.rho.at["mig", "irs"] == pytest.approx(4 / np.sqrt(5 * 4))
    assert (found.n.to_numpy() == 4).all()


def test_correlations_use_the_runs_that_have_both_numbers(tidy):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(2, 20))
    frame = several(tidy, mig=values[0], dci=[*values[1][:19], np.nan])
    found = rank_correlations(frame)
    expected = stats.spearmanr(*values[:, :19]).statistic
    assert found.rho.at["mig", "dci"] == pytest.approx(expected)
    assert found.n.at["mig", "dci"] == 19


def test_a_constant_score_agrees_with_nothing(tidy):
    found = rank_correlations(several(tidy, mig=[1, 2, 3], dci=[5, 5, 5]))
    assert np.isnan(found.rho.at["mig", "dci"])


def test_unsupervised_scores_against_metrics(tidy):
    frame = several(tidy, mig=[1, 2, 3], reconstruction=[30, 20, 10], elbo=[1, 3, 2])
    found = unsupervised_agreement(frame).set_index("score")
    assert found["metric"].tolist() == ["mig", "mig"]
    assert found["rho"].to_dict() == pytest.approx({"reconstruction": -1, "elbo": 0.5})
    assert found["n"].tolist() == [3, 3]


def test_variance_explained_by_hand(tidy):
    frame = pd.concat(
        [
            tidy([0, 2], method="a", strength=1.0),
            tidy([4, 6], method="a", strength=2.0),
            tidy([9, 9], method="b"),
        ]
    )
    # The mean is 5, the sum of squares 68. Methods: 20 within a, 0 in b. With the strength: 4.
    one, both = (variance_explained(frame, f).iloc[0] for f in (["method"], ["method", "strength"]))
    assert one[["r2", "n", "n_cells"]].tolist() == pytest.approx([1 - 20 / 68, 6, 2])
    assert both[["r2", "n", "n_cells"]].tolist() == pytest.approx([1 - 4 / 68, 6, 3])
    # Adjusted R^2 of a textbook: 1 - (1 - R^2)(n - 1)/(n - k).
    assert both["adjusted"] == pytest.approx(1 - (4 / 68) * 5 / 3)


def test_variance_explained_finds_the_simulated_share(tidy):
    """Method effects of variance 1, strength effects of 1, seeds 2: 1/4 and 1/2 of it all."""
    rng = np.random.default_rng(0)
    signs = [(m, s) for m in (-1, 1) for s in (-1, 1)]
    parts = [
        tidy(m + s + rng.normal(0, 2**0.5, 4000), method=f"m{m}", strength=float(s))
        for m, s in signs
    ]
    frame = pd.concat(parts)
    one, both = (variance_explained(frame, f).iloc[0] for f in (["method"], ["method", "strength"]))
    assert one["r2"] == pytest.approx(1 / 4, abs=0.02)
    assert both["r2"] == pytest.approx(1 / 2, abs=0.02)


def test_noise_alone_explains_what_chance_does(tidy):
    rng = np.random.default_rng(1)
    cell = np.arange(60 * 6).repeat(5)
    methods, datasets = [f"m{i % 6}" for i in cell], [f"d{i // 6}" for i in cell]
    frame = tidy(rng.normal(size=len(cell)), method=methods, dataset=datasets)
    found = variance_explained(frame)
    assert (found["by_chance"] == 5 / 29).all()
    assert found["r2"].mean() == pytest.approx(5 / 29, abs=3.3 * found["r2"].std() / 60**0.5)
    assert found["adjusted"].mean() == pytest.approx(0, abs=3.3 * found["adjusted"].std() / 60**0.5)


def settings(tidy, values, **columns):
    """A table (settings, seeds) as rows."""
    table = np.asarray(values, dtype=float)
    strength, seed = np.indices(table.shape).reshape(2, -1)
    return tidy(table.ravel(), strength=strength.astype(float), seed=seed, **columns)


def test_transfer_by_hand(tidy):
    # Three settings, two seeds. Seed 0 takes setting 2, which at seed 1 beats 0 and ties itself:
    # 2 of 3. Seed 1 takes setting 1, which at seed 0 beats setting 0 and ties itself: 2 of 3.
    first = settings(tidy, [[1, 1], [2, 3], [3, 2]], dataset="a")
    # On b, setting 2 at seed 1 is the worst (1/3) and setting 1 at seed 0 the best (3/3).
    second = settings(tidy, [[1, 9], [8, 7], [3, 1]], dataset="b")
    # b takes setting 1 at seed 0: on b at seed 1 it matches 2 of 3, on a 3 of 3; at seed 1 it
    # takes setting 0: on b at seed 0 1 of 3, on a 1 of 3.
    found = transfer(pd.concat([first, second]))
    same, other = found.chance[CASES[0]], found.chance[CASES[1]]
    assert same == pytest.approx(np.mean([2 / 3, 2 / 3, 2 / 3, 1 / 3]))
    assert other == pytest.approx(np.mean([1 / 3, 3 / 3, 3 / 3, 1 / 3]))
    assert np.isnan(found.chance[CASES[2]])
    assert found.comparisons == dict(zip(CASES, (4, 4, 0, 0), strict=True))


def test_transfer_of_settings_that_always_matter_and_never_matter(tidy):
    rng = np.random.default_rng(0)
    effect = np.arange(10.0)[:, None]
    tables = {
        ("mig", "a"): effect + rng.uniform(0, 0.5, (10, 6)),
        ("mig", "b"): rng.normal(size=(10, 6)),
        ("dci", "a"): -effect + rng.uniform(0, 0.5, (10, 6)),
    }
    frame = pd.concat(
        [settings(tidy, table, metric=m, dataset=d) for (m, d), table in tables.items()]
    )
    alone = transfer(frame[(frame["dataset"] == "a")])
    assert alone.chance[CASES[0]] == 1.0  # the best setting is the best at every seed
    assert alone.chance[CASES[2]] == pytest.approx(1 / 10)  # and the worst by the other metric
    noise = [transfer(settings(tidy, rng.normal(size=(10, 6)))).chance[CASES[0]] for _ in range(40)]
    # A setting as good as any matches (m + 1) / 2m of m = 10: itself and half of the others.
    assert np.mean(noise) == pytest.approx(0.55, abs=3.3 * np.std(noise) / 40**0.5)


def test_transfer_leaves_out_what_is_missing(tidy):
    table = [[1, np.nan], [2, 3], [3, 2]]
    found = transfer(settings(tidy, table))
    # Seed 0 takes setting 2: at seed 1 one of two. Seed 1 takes setting 1: at seed 0 two of three.
    assert found.chance[CASES[0]] == pytest.approx(np.mean([1 / 2, 2 / 3]))
