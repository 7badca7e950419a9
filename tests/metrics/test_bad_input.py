"""What no metric can be computed from is refused by every one, in a sentence that helps."""

import inspect

import numpy as np
import pytest

from gordium.metrics import METRICS, PROPERTIES, UNSUPERVISED, score
from gordium.metrics._scores import parts, value_of

RNG = np.random.default_rng(0)
FACTORS = RNG.integers((3, 4), size=(90, 2))
CODES = FACTORS + 0.1 * RNG.standard_normal((90, 2))
OF_FACTORS = [name for name in METRICS if name not in UNSUPERVISED]
OF_NUMBERS = ["irs", "disentanglement_score", "mcc"]  # to which every factor is a number
OF_LABELS = [name for name in OF_FACTORS if name not in OF_NUMBERS]
# The bins of the others; those of irs are of the factors, and empty ones do no harm.
OF_BINS = [n for n in METRICS if "bins" in inspect.signature(METRICS[n]).parameters and n != "irs"]


def compute(name, codes=CODES, factors=FACTORS):
    log_variances = np.full(np.shape(codes), -3.0)
    arrays = {"codes": codes, "factors": factors, "log_variances": log_variances}
    return parts(name, value_of(METRICS[name], arrays, seed=0))[name]


def with_one(array, value):
    changed = array.astype(float)
    changed[7, 1] = value
    return changed


@pytest.mark.parametrize("name", OF_FACTORS)
def test_different_lengths(name):
    text = r"a row for each sample.*got \(90, 2\) and \(80, 2\). Take both from one encode pass"
    with pytest.raises(ValueError, match=text):
        compute(name, factors=FACTORS[:80])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", METRICS)
def test_codes_that_are_not_finite(name, value):
    with pytest.raises(ValueError, match=r"code columns \[1\] hold values .* Drop those rows"):
        compute(name, codes=with_one(CODES, value))


@pytest.mark.parametrize("name", OF_FACTORS)
def test_a_factor_of_one_value(name):
    text = r"factor columns \[0\] take one value in all 90 samples; drop them or draw more"
    with pytest.raises(ValueError, match=text):
        compute(name, factors=FACTORS * [0, 1])


@pytest.mark.parametrize("name", OF_FACTORS)
def test_whole_numbers_are_the_same_in_any_type(name):
    for dtype in (np.float32, np.float64, np.uint8):
        assert compute(name, factors=FACTORS.astype(dtype)) == compute(name)
    halves = FACTORS > 0
    assert compute(name, factors=halves) == compute(name, factors=halves.astype(int))


@pytest.mark.parametrize("name", OF_FACTORS)
def test_factors_that_are_no_numbers(name):
    text = r"factors must be real numbers; got <U1. Number the values of each column, np.unique"
    with pytest.raises(TypeError, match=text):
        compute(name, factors=FACTORS.astype("U1"))


@pytest.mark.parametrize("name", OF_FACTORS)
def test_factors_that_are_not_finite(name):
    with pytest.raises(ValueError, match=r"factor columns \[1\] hold values that are not finite"):
        compute(name, factors=with_one(FACTORS, np.nan))


@pytest.mark.parametrize("name", OF_LABELS)
def test_a_metric_of_labels_is_told_the_kinds_of_factors(name):
    assert "kinds" in inspect.signature(METRICS[name]).parameters, (
        f"{name} must take `kinds` and pass it to its check of the arrays, or what the user states "
        "is ignored. If every factor is a number to it, add it to OF_NUMBERS in this file."
    )


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_an_affine_map_of_the_factors_changes_nothing(name):
    assert compute(name, factors=0.5 * FACTORS - 1) == pytest.approx(compute(name), abs=1e-12)


@pytest.mark.parametrize("name", METRICS)
def test_codes_that_are_no_table_of_real_numbers(name):
    with pytest.raises(ValueError, match=r"codes.* must be \(n_samples, n_codes\).*got \(90,\)"):
        compute(name, codes=CODES[:, 0])
    with pytest.raises(ValueError, match=r"codes.*got \(0, 2\)"):
        compute(name, codes=CODES[:0], factors=FACTORS[:0])
    with pytest.raises(TypeError, match=r"codes must be real numbers; got complex128. Convert"):
        compute(name, codes=CODES * 1j)
    with pytest.raises(TypeError, match=r"codes must be real numbers; got <U"):
        compute(name, codes=FACTORS.astype(str))


@pytest.mark.parametrize("name", OF_FACTORS)
def test_factors_that_are_no_table(name):
    with pytest.raises(ValueError, match=r"factors must be .*got \(90, 2\) and \(90,\)"):
        compute(name, factors=FACTORS[:, 0])
    with pytest.raises(ValueError, match=r"factors must be .*got \(90, 2\) and \(90, 0\)"):
        compute(name, factors=FACTORS[:, :0])


@pytest.mark.parametrize("name", OF_BINS)
def test_fewer_samples_than_bins(name):
    text = (
        r"codes hold 12 samples for bins=20, and code columns \[0\] never repeat a value.*"
        "draw more samples or pass fewer bins"
    )
    codes = np.stack([CODES[:12, 0], np.arange(12) % 3], axis=1)
    with pytest.raises(ValueError, match=text):
        compute(name, codes=codes, factors=FACTORS[:12])
    # Codes that repeat their values share bins, however few samples there are.
    assert np.isfinite(compute(name, codes=FACTORS[:12], factors=FACTORS[:12]))


@pytest.mark.parametrize("name", [name for name in METRICS if PROPERTIES[name].min_codes == 2])
def test_one_code_where_two_are_compared(name):
    with pytest.raises(ValueError, match="at least 2 codes are needed; got 1"):
        compute(name, codes=CODES[:, :1])


@pytest.mark.parametrize("name", METRICS)
def test_masks_are_not_dropped_in_silence(name):
    masked = np.ma.masked_invalid(with_one(CODES, np.nan))
    with pytest.raises(ValueError, match=r"codes are masked in 1 of 90 rows.*drop those rows"):
        compute(name, codes=masked)
    with pytest.raises(ValueError, match=r"codes are masked in 1 of 90 rows"):
        score(masked, FACTORS, metrics=(name,), log_variances=np.zeros((90, 2)))
    unmasked = compute(name, codes=np.ma.masked_invalid(CODES))
    assert unmasked == compute(name)


@pytest.mark.parametrize("name", OF_FACTORS)
def test_masks_of_factors_are_not_dropped_in_silence(name):
    masked = np.ma.masked_equal(FACTORS, 3)
    with pytest.raises(ValueError, match=r"factors are masked in \d+ of 90 rows"):
        compute(name, factors=masked)


@pytest.mark.parametrize("name", OF_FACTORS)
def test_factors_near_the_largest_integer_score_as_small_ones_or_are_refused(name):
    huge = FACTORS + (np.iinfo(np.int64).max - 10)
    if name in OF_LABELS:
        assert compute(name, factors=huge) == compute(name)
    else:
        text = r"factor columns \[0, 1\] hold whole numbers beyond 2\*\*53.* subtract the least"
        with pytest.raises(ValueError, match=text):
            compute(name, factors=huge)


@pytest.mark.parametrize("name", OF_FACTORS)
def test_two_samples_are_refused(name):
    with pytest.raises(ValueError, match="at least 4 samples are needed; got 2"):
        compute(name, codes=CODES[:2], factors=np.array([[0, 1], [1, 0]]))


def test_a_factor_without_a_value_that_rests_is_refused_by_irs():
    with pytest.raises(ValueError, match=r"most values of factor columns \[1\] .* draw more"):
        compute(
            "irs", factors=np.stack([FACTORS[:, 0], np.arange(90)], axis=1)[:18], codes=CODES[:18]
        )


def test_fewer_samples_than_codes_have_no_total_correlation():
    with pytest.raises(ValueError, match=r"more samples than codes are needed; got \(3, 3\)"):
        METRICS["gaussian_total_correlation"](np.eye(3))


@pytest.mark.parametrize("scale", [1e300, 1e31, 1e-150, 1e-300])
@pytest.mark.parametrize("name", METRICS)
def test_codes_that_cannot_be_squared_are_refused_without_a_warning(name, scale):
    text = r"code columns \[0, 1\] reach .* cannot be squared. Divide the columns by their greatest"
    with pytest.raises(ValueError, match=text):
        compute(name, codes=CODES * scale)


@pytest.mark.parametrize("scale", [1e29, 1e-50])
@pytest.mark.parametrize("name", [n for n in METRICS if PROPERTIES[n].ignores_scale])
def test_codes_that_can_be_squared_score_as_others(name, scale):
    if name != "mig_aggregate_posterior":  # its variances would have to follow
        within = max(PROPERTIES[name].ignores_within, 1e-6)
        assert compute(name, codes=CODES * scale) == pytest.approx(compute(name), abs=within)
    codes = (CODES * min(max(scale, 1e-30), 1e29)).astype(np.float32)
    assert np.isfinite(compute(name, codes=codes))
