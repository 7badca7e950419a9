import numpy as np
import pytest

from gordium import load_dataset
from gordium.strength import Convention, convert_strength, suggest_strengths
from gordium.theory import linear_vae_optimum

OURS = Convention(image_shape=(3, 64, 64))


def test_a_mean_over_pixels_multiplies_the_strength_by_their_number():
    mean = Convention(image_shape=(3, 64, 64), mean_over_pixels=True)
    # mean error + b KL = (summed error + 12288 b KL) / 12288
    assert convert_strength(0.001, mean, OURS) == pytest.approx(12.288)


def test_a_gaussian_of_variance_one_halves_the_error():
    half = Convention(image_shape=(3, 64, 64), reconstruction_weight=0.5)
    # error / 2 + b KL = (error + 2 b KL) / 2
    assert convert_strength(4.0, half, OURS) == pytest.approx(8.0)


def test_beta_norm_of_higgins_is_beta_times_units_over_pixels():
    norm = Convention(
        image_shape=(3, 64, 64), mean_over_pixels=True, mean_over_units=True, latent_dim=10
    )
    assert convert_strength(4.0, OURS, norm) == pytest.approx(4 * 10 / 12288)


def test_a_conversion_and_its_inverse_cancel():
    other = Convention(image_shape=(1, 28, 28), mean_over_pixels=True, latent_dim=6)
    assert convert_strength(convert_strength(3.0, OURS, other), other, OURS) == pytest.approx(3.0)


def test_a_linear_vae_loses_its_unit_at_the_strength_that_is_named():
    data = load_dataset("linear-gaussian")
    x = data.images(np.arange(len(data))).reshape(len(data), -1).astype(float)
    found = suggest_strengths(data, 2, likelihood="gaussian", n=len(data))
    for beta, alive in ((found.deaths[1] * 0.99, 2), (found.deaths[1] * 1.01, 1)):
        optimum = linear_vae_optimum(x, 2, float(beta))
        assert ((optimum.decoder**2).sum(axis=0) > 1e-9).sum() == alive


@pytest.mark.parametrize(
    ("name", "published"), [("dsprites", (2, 4, 8)), ("shapes3d", (8, 16, 32))]
)
def test_published_strengths_lie_in_the_suggested_range(name, published):
    data = load_dataset(name)
    low, high, _ = suggest_strengths(data, len(data.factors))
    assert all(low <= beta <= high for beta in published)


def test_larger_images_ask_for_larger_strengths_by_their_pixels():
    small, large = (
        suggest_strengths(load_dataset("shapes3d", size=size), 6).high for size in (32, 64)
    )
    assert large / small == pytest.approx(4, rel=0.1)


def test_errors_say_what_is_possible():
    data = load_dataset("shapes3d", size=16)
    with pytest.raises(ValueError, match="units must lie in 1 to n - 1"):
        suggest_strengths(data, 0)
    with pytest.raises(ValueError, match="unknown likelihood 'poisson'"):
        suggest_strengths(data, 2, likelihood="poisson")
    with pytest.raises(ValueError, match="image_shape must be sizes"):
        Convention(image_shape=())
