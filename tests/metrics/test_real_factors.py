"""Factors that are real numbers: against closed forms on Gaussian pairs, and other estimators."""

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_selection import mutual_info_regression

from gordium.metrics import METRICS, SUPERVISED, estimator, list_metrics, real_factors, score
from gordium.metrics._boosting import boost_real, cut_points, to_ranks
from gordium.metrics._information import neighbour_information
from gordium.metrics._regression import concordance

RNG = np.random.default_rng(0)
N = 4000
REAL = RNG.standard_normal((N, 2))
NOISE = RNG.standard_normal((N, 4))


def correlated(factor, noise, rho):
    return rho * factor + np.sqrt(1 - rho**2) * noise


# Of each factor one code correlates by 0.9 and another by 0.6.
CODES = np.stack(
    [correlated(REAL[:, k % 2], NOISE[:, k], rho) for k, rho in enumerate((0.9, 0.9, 0.6, 0.6))],
    axis=1,
)


def nats(rho):
    return -0.5 * np.log(1 - rho**2)


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.6, 0.9, 0.99])
def test_information_of_a_gaussian_pair_is_the_closed_form(rho):
    code = correlated(REAL[:, :1], NOISE[:, :1], rho)
    found = neighbour_information(code, REAL[:, :1])
    assert found[0, 0] == pytest.approx(nats(rho), abs=0.04)


def test_information_is_that_of_scikit_learn():
    code = np.sin(2 * REAL[:1000, :1]) + 0.1 * NOISE[:1000, :1]
    expected = mutual_info_regression(code, REAL[:1000, 0], n_neighbors=3, random_state=0)
    assert neighbour_information(code, REAL[:1000, :1])[0] == pytest.approx(expected, abs=1e-6)


def test_information_of_values_that_repeat():
    bits = np.tile([[0.0], [1.0]], (500, 1))
    assert neighbour_information(bits, bits)[0, 0] == pytest.approx(np.log(2), abs=2e-3)
    assert neighbour_information(bits * 0, REAL[:1000, :1])[0, 0] == 0
    # Half of the numbers of a pair with a bit that says nothing of them.
    assert neighbour_information(bits, REAL[:1000, :1])[0, 0] == pytest.approx(0, abs=0.04)
    sign = np.sign(REAL[:, :1])
    assert neighbour_information(sign, REAL[:, :1])[0, 0] == pytest.approx(np.log(2), abs=0.01)


def test_mig_is_the_gap_of_squared_correlations():
    assert METRICS["mig"](CODES, REAL) == pytest.approx(0.81 - 0.36, abs=0.04)


def test_sap_is_the_gap_of_squared_correlations():
    assert METRICS["sap"](CODES, REAL) == pytest.approx(0.81 - 0.36, abs=0.04)
    told = METRICS["sap"](CODES, REAL, continuous=True)
    assert METRICS["sap"](CODES, REAL) == pytest.approx(told, abs=1e-12)


def test_modularity_of_a_code_with_two_factors():
    # A code of both factors: correlations 0.8 and 0.4 give informations whose squares it compares.
    code = 0.8 * REAL[:, :1] + 0.4 * REAL[:, 1:] + np.sqrt(1 - 0.8) * NOISE[:, :1]
    expected = 1 - (nats(0.4) / nats(0.8)) ** 2
    assert METRICS["modularity"](code, REAL) == pytest.approx(expected, abs=0.06)


def test_explicitness_is_the_share_of_pairs_in_order():
    # Kendall's tau of a Gaussian pair is 2 asin(rho) / pi, and the share (1 + tau) / 2.
    found = METRICS["explicitness"](CODES[:, :2], REAL)
    assert found.score == pytest.approx(0.5 + np.arcsin(0.9) / np.pi, abs=0.01)
    assert found.train == pytest.approx(0.5 + np.arcsin(0.9) / np.pi, abs=0.01)


def test_infomec_and_downstream_find_the_variance_that_is_told():
    found = METRICS["infomec"](CODES[:, :2], REAL)
    assert found.explicitness == pytest.approx(0.81, abs=0.03)
    assert np.diag(found.shared) == pytest.approx([0.81, 0.81], abs=0.03)
    assert found.modularity == pytest.approx(1, abs=0.05)
    told = METRICS["downstream"](CODES[:, :2], REAL, sizes=(100, 2000))
    assert told.accuracy == pytest.approx(0.81, abs=0.04)
    line = METRICS["downstream"](CODES[:, :2], REAL, sizes=(2000,), model="logistic_regression")
    assert line.accuracy == pytest.approx(0.81, abs=0.02)


def test_dci_of_the_factors_themselves_is_one_and_trees_are_those_of_scikit_learn():
    perfect = METRICS["dci"](REAL[:900], REAL[:900])
    assert perfect.disentanglement == pytest.approx(1, abs=0.01)
    assert perfect.informativeness > 0.95
    fast, reference = (
        METRICS["dci"](CODES[:900], REAL[:900], mode=m) for m in ("fast", "reference")
    )
    assert fast.importance == pytest.approx(reference.importance, abs=0.02)
    assert fast[:4] == pytest.approx(reference[:4], abs=0.02)


def test_regressing_trees_predict_the_constants_of_a_staircase():
    code = np.arange(400.0)[:, None]
    stairs = np.repeat([3.0, -1.0, 2.0, 7.0], 100)
    cuts = cut_points(code)
    booster = boost_real(to_ranks(code, cuts), stairs, seed=0)
    # A round leaves nine tenths of what is missing.
    assert booster.fitted == pytest.approx(stairs, abs=10 * 0.9**100 + 1e-3)
    assert booster.predict(to_ranks(code[::7], cuts)) == pytest.approx(
        booster.fitted[::7], abs=1e-6
    )


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30))
def test_concordance_is_the_count_over_all_pairs(rows):
    predicted, true = np.array(rows, dtype=float).T
    if (true == true[0]).all():
        return
    apart = [(a, b) for a in range(len(rows)) for b in range(a) if true[a] != true[b]]
    signs = [np.sign((predicted[a] - predicted[b]) * (true[a] - true[b])) for a, b in apart]
    assert concordance(predicted, true) == pytest.approx((1 + np.mean(signs)) / 2)


@pytest.mark.parametrize("name", ["mig", "sap", "explicitness"])
def test_labels_and_real_numbers_side_by_side_count_each_as_alone(name):
    labels = RNG.integers(4, size=(900, 1))
    codes = np.hstack([CODES[:900, :2], labels + 0.3 * NOISE[:900, :1]])
    mixed = np.hstack([REAL[:900, :1], labels])

    def of(factors, **options):
        return score(codes, factors, metrics=name, **options)[name]

    assert of(mixed) == pytest.approx((of(REAL[:900, :1]) + of(labels)) / 2)
    assert of(mixed[:, ::-1]) == pytest.approx(of(mixed))
    # Whole numbers that are said to be real are no labels.
    assert of(labels, kinds={0: "continuous"}) != of(labels)


@pytest.mark.parametrize("name", SUPERVISED)
def test_real_factors_score_higher_in_codes_that_hold_them_than_in_noise(name):
    perfect, noise = (
        score(codes, REAL[:600], metrics=name)[name] for codes in (REAL[:600], NOISE[:600, :2])
    )
    assert perfect > noise + 0.2, (
        f"{name} must score real factors too: `check_pair` of gordium.metrics._checks gives them "
        "as `reals`, or with reals='binned' cuts them into bins."
    )
    assert np.isfinite([perfect, noise]).all()


@pytest.mark.parametrize("name", ["beta_vae_score", "mig_equal_frequency", "mig"])
def test_bins_hold_equally_many_rows(name):
    ranks = np.argsort(np.argsort(REAL[:1000], axis=0), axis=0) * 20 // 1000
    by_hand = score(CODES[:1000], ranks, metrics=name)[name]
    kinds = ("binned", "binned")
    assert score(CODES[:1000], REAL[:1000], metrics=name, kinds=kinds)[name] == by_hand


def test_every_metric_says_how_real_factors_were_treated():
    assert real_factors(np.array([[0, 0.5], [1, 2]])) == [1]
    assert real_factors(np.array([[0, 1], [1, 2]])) == []
    for name in list_metrics():
        told = estimator(name, 100, [1]).get("real_factors")
        assert (told is not None) == ("factors" in inspect.signature(METRICS[name]).parameters)
        assert told is None or isinstance(told["by"], str), (
            f"say how {name} treats real factors: Properties(real_factors=...) in _LISTED."
        )
        assert told is None or told["columns"] == [1]
        assert "real_factors" not in estimator(name, 100)


def test_kinds_by_the_names_of_a_data_frame():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"size": np.arange(900) * 7 % 30, "hue": np.arange(900) % 4})
    codes = np.hstack([table.to_numpy() + 0.1 * NOISE[:900, :2]])
    by_name = score(codes, table, metrics="sap", kinds={"size": "continuous"})
    assert by_name == score(codes, table.to_numpy(), metrics="sap", kinds=("continuous", None))
    with pytest.raises(ValueError, match=r"a column 'colour' .* numbered 0 to 1; .* size, hue"):
        score(codes, table, kinds={"colour": "nominal"})


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        (("continuous",), r"one kind for each of the 2 factors.*got \('continuous',\)"),
        ("continuous", r"one kind for each of the 2 factors, or some as \{column: kind\}"),
        ({2: "continuous"}, "a column 2 that factors do not have: columns are numbered 0 to 1"),
        ({0: "continous"}, "unknown kind of a factor 'continous'. Did you mean continuous"),
    ],
)
def test_wrong_kinds_are_answered(kinds, text):
    with pytest.raises(ValueError, match=text):
        score(CODES[:90], REAL[:90], kinds=kinds)


def test_values_that_are_not_whole_are_labels_if_said_so():
    labels = RNG.integers(4, size=(900, 1))
    codes = np.hstack([labels, labels]) + 0.4 * NOISE[:900, :2]
    tenths = score(codes, labels / 10, metrics=("mig", "sap"), kinds={0: "ordered"})
    assert tenths == score(codes, labels, metrics=("mig", "sap"))
