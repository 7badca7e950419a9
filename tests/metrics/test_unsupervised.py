"""The scores of codes alone, against closed forms and the values of the original implementation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gordium.metrics.code_mutual_information import code_mutual_information
from gordium.metrics.gaussian_total_correlation import gaussian_total_correlation
from gordium.metrics.wasserstein_correlation import wasserstein_correlation

BITS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])  # two independent fair bits
A, B = BITS.T
BIASED = np.stack([A, A + B], axis=1)  # correlation 1/sqrt 2
TWICE = np.stack([A, A], axis=1)
ALL = [code_mutual_information, gaussian_total_correlation, wasserstein_correlation]


@pytest.mark.parametrize("metric", ALL)
def test_independent_codes_score_zero(metric):
    assert np.max(metric(BITS)) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("metric", ALL)
def test_dead_codes_score_zero(metric):
    assert np.max(metric(np.full((4, 2), 0.1))) == pytest.approx(0.0, abs=1e-12)


def test_total_correlation_of_two_codes_follows_from_their_correlation():
    # -1/2 log(1 - r^2) with r^2 = 1/2.
    assert gaussian_total_correlation(BIASED) == pytest.approx(0.5 * math.log(2), abs=1e-12)


def test_total_correlation_of_duplicates_is_infinite():
    assert gaussian_total_correlation(TWICE) == math.inf


def test_total_correlation_of_a_linear_dependence_is_infinite():
    z = np.random.default_rng(0).standard_normal((500, 3))
    assert gaussian_total_correlation(np.hstack([z, z.sum(axis=1, keepdims=True)])) == math.inf


def test_a_dead_code_leaves_total_correlation_as_it_is():
    dead = np.hstack([BIASED, np.full((4, 1), 0.1)])
    assert gaussian_total_correlation(dead) == gaussian_total_correlation(BIASED)


def test_wasserstein_correlation_of_duplicates_has_a_closed_form():
    # S = s [[1, 1], [1, 1]] and D = s I, so D^1/2 S D^1/2 has the eigenvalues 2 s^2 and 0:
    # 4 s - 2 sqrt 2 s, and s = 1/3 for a fair bit in four samples.
    found = wasserstein_correlation(TWICE)
    assert found.distance == pytest.approx((4 - 2 * math.sqrt(2)) / 3, abs=1e-12)
    assert found.normalised == pytest.approx(2 - math.sqrt(2), abs=1e-12)


def test_wasserstein_correlation_grows_with_the_square_of_the_scale():
    small, large = wasserstein_correlation(BIASED), wasserstein_correlation(10 * BIASED)
    assert large.distance == pytest.approx(100 * small.distance, rel=1e-9)
    assert large.normalised == pytest.approx(small.normalised, rel=1e-9)


def test_duplicate_bits_share_log_two():
    assert code_mutual_information(TWICE) == pytest.approx(math.log(2), abs=1e-12)


def test_pairs_with_a_dead_code_count_as_zero():
    # One pair of three is informative.
    dead = np.hstack([TWICE, np.zeros((4, 1))])
    assert code_mutual_information(dead) == pytest.approx(math.log(2) / 3, abs=1e-12)


@pytest.mark.parametrize("metric", ALL)
@given(seed=st.integers(0, 2**32 - 1))
def test_order_and_sign_of_codes_are_ignored(metric, seed):
    rng = np.random.default_rng(seed)
    codes = rng.standard_normal((100, 3)) @ rng.standard_normal((3, 3))
    moved = (codes * rng.choice([-1.0, 1.0], 3))[:, rng.permutation(3)]
    assert metric(moved) == pytest.approx(metric(codes), rel=1e-6, abs=1e-9)


def test_the_scores_agree_with_the_original_implementation(cases):
    for case in cases:
        golden = case.golden["unsupervised"]["scores"]
        total, shared = golden["gaussian_total_correlation"], golden["mutual_info_score"]
        distances = [golden[f"gaussian_wasserstein_correlation{end}"] for end in ("", "_norm")]
        if isinstance(distances[0], dict):  # the original's root of a singular matrix is complex
            distances = [distance["complex_re"] for distance in distances]
        if total != "nan":  # the original's value with a dead code
            found = gaussian_total_correlation(case.codes)
            assert found == pytest.approx(float(total), abs=1e-6), case.name
        assert wasserstein_correlation(case.codes) == pytest.approx(distances, abs=1e-6), case.name
        assert code_mutual_information(case.codes) == pytest.approx(shared, abs=1e-6), case.name


@pytest.mark.parametrize("metric", ALL)
@pytest.mark.parametrize(
    ("codes", "error", "text"),
    [
        (A, ValueError, r"codes must be \(n_samples, n_codes\) with .* got \(4,\)"),
        (BITS[:1], ValueError, r"at least 2 samples; got \(1, 2\)"),
        (BITS * [np.nan, 1], ValueError, r"code columns \[0\] hold values that are not finite"),
        (BITS * 1j, TypeError, "codes must be real numbers; got complex128"),
    ],
)
def test_bad_codes_are_named(metric, codes, error, text):
    with pytest.raises(error, match=text):
        metric(codes)


def test_one_code_and_too_few_bins_are_named():
    with pytest.raises(ValueError, match="at least 2 codes are needed; got 1"):
        code_mutual_information(BITS[:, :1])
    with pytest.raises(ValueError, match="bins must be at least 2; got 1"):
        code_mutual_information(BITS, bins=1)
