"""MIG from the aggregate posterior, against closed forms."""

import numpy as np
import pytest

from gordium.metrics.mig_aggregate_posterior import mig_aggregate_posterior

BITS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])  # two independent fair bits
SHARP = np.full((4, 2), -30.0)  # a deviation of 3e-7: the code is its mean
PRIOR = np.zeros((4, 2))


def test_sharp_bits_score_one():
    found = mig_aggregate_posterior(BITS, BITS, log_variances=SHARP)
    assert found == pytest.approx(1.0, abs=1e-12)


def test_a_sharp_bit_and_an_and_gate_score_one_half():
    a, b = BITS.T
    codes = np.stack([a, a & b], axis=1)
    # With h = I(a&b; a) bits: factor a leaves a gap of 1 - h; factor b a gap of h - 0.
    found = mig_aggregate_posterior(codes, BITS, log_variances=SHARP)
    assert found == pytest.approx(0.5, abs=1e-12)


def test_sharp_duplicates_score_zero():
    codes, log_variances = np.hstack([BITS, BITS]), np.hstack([SHARP, SHARP])
    found = mig_aggregate_posterior(codes, BITS, log_variances=log_variances)
    assert found == pytest.approx(0.0, abs=1e-12)


def test_posteriors_equal_to_the_prior_score_zero():
    # No code tells anything, and a dead code gives no NaN.
    found = mig_aggregate_posterior(0 * BITS, BITS, log_variances=PRIOR)
    assert found == pytest.approx(0.0, abs=1e-12)


def test_a_noisy_bit_tells_what_a_channel_with_gaussian_noise_does():
    bits = np.tile(BITS, (1000, 1))
    found = mig_aggregate_posterior(
        2 * bits - 1, bits, log_variances=np.zeros((4000, 2)), samples=4000
    )
    # I = E[log 2 - log(1 + exp(-2 z))], z ~ N(1, 1): signs +-1 in noise of deviation 1.
    z, dz = np.linspace(-9, 11, 20_001, retstep=True)
    density = np.exp(-((z - 1) ** 2) / 2) / np.sqrt(2 * np.pi)
    told = np.sum(density * (np.log(2) - np.log1p(np.exp(-2 * z)))) * dz
    assert found == pytest.approx(told / np.log(2), abs=0.03)


def test_order_sign_and_scale_of_codes_are_ignored():
    rng = np.random.default_rng(0)
    factors = rng.integers(4, size=(600, 2))
    codes = factors + 0.1 * rng.standard_normal((600, 2))
    log_variances = rng.normal(-2, 0.1, (600, 2))
    moved = (codes * [-8.0, 2.0])[:, ::-1]
    moved_log_variances = (log_variances + 2 * np.log([8.0, 2.0]))[:, ::-1]
    first = mig_aggregate_posterior(codes, factors, log_variances=log_variances)
    again = mig_aggregate_posterior(moved, factors, log_variances=moved_log_variances)
    # Other noise meets each code: equal up to the error of 600 draws.
    assert again == pytest.approx(first, abs=0.05)
    assert 0 < first < 1


def test_samples_bound_the_work_and_the_seed_decides_them():
    rng = np.random.default_rng(0)
    factors = rng.integers(4, size=(900, 2))
    codes, log_variances = factors.astype(np.float32), np.full((900, 2), -1.0, np.float32)
    few, again, other, all_rows = (
        mig_aggregate_posterior(
            codes, factors, log_variances=log_variances, samples=samples, seed=seed
        )
        for samples, seed in ((300, 1), (300, 1), (300, 2), (900, 1))
    )
    assert few == again != other
    assert few == pytest.approx(all_rows, abs=0.1)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"log_variances": SHARP[:, :1]}, r"log_variances must be as codes, \(4, 2\); got \(4, 1"),
        ({"log_variances": SHARP * np.nan}, "log_variances must lie between -500 and 500"),
        ({"log_variances": SHARP, "samples": 0}, "samples must be at least 1; got 0"),
    ],
)
def test_bad_arguments_are_named(options, text):
    with pytest.raises(ValueError, match=text):
        mig_aggregate_posterior(BITS, BITS, **options)
