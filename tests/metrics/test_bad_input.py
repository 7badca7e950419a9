"""What no metric can be computed from is refused by every one, in a sentence that helps."""

import inspect

import numpy as np
import pytest

from gordium.metrics import METRICS, PROPERTIES, UNSUPERVISED
from gordium.metrics._scores import parts, value_of

RNG = np.random.default_rng(0)
FACTORS = RNG.integers((3, 4), size=(90, 2))
CODES = FACTORS + 0.1 * RNG.standard_normal((90, 2))
OF_FACTORS = [name for name in METRICS if name not in UNSUPERVISED]
OF_REAL_FACTORS = [name for name in OF_FACTORS if PROPERTIES[name].real_factors]
OF_LABELS = [name for name in OF_FACTORS if not PROPERTIES[name].real_factors]
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


@pytest.mark.parametrize("name", OF_LABELS)
def test_factors_that_are_not_integers(name):
    with pytest.raises(TypeError, match=r"factors must be integers; got float64. Discretise them"):
        compute(name, factors=FACTORS + 0.5)
    text = r"factors must be integers; got float32. Pass factors.astype\(int\)"
    with pytest.raises(TypeError, match=text):
        compute(name, factors=FACTORS.astype(np.float32))
    with pytest.raises(TypeError, match=r"got bool. Pass factors.astype\(int\)"):
        compute(name, factors=FACTORS > 0)


@pytest.mark.parametrize("name", OF_REAL_FACTORS)
def test_factors_that_may_be_any_real_numbers(name):
    # An affine map of the factors is no other factor to any of these metrics.
    assert compute(name, factors=0.5 * FACTORS - 1) == pytest.approx(compute(name), abs=1e-12)
    with pytest.raises(ValueError, match=r"factor columns \[1\] hold values that are not finite"):
        compute(name, factors=with_one(FACTORS, np.nan))
    with pytest.raises(TypeError, match="factors must be real numbers; got <U1"):
        compute(name, factors=FACTORS.astype("U1"))


def test_the_metrics_of_real_factors_are_these():
    assert OF_REAL_FACTORS == ["irs", "disentanglement_score", "mcc"]


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
