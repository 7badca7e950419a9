"""The orientation of a square under a prior: by hand, and against scipy's densities."""

import numpy as np
import pytest
from scipy import stats

from gordium.theory import prior_orientation as orientation

SQUARE = np.random.default_rng(0).uniform(-1, 1, size=(400_000, 2))


def sampled(p, z, log_volume=0.0):
    """KL from the law of z to the prior, at the best scale, by samples of the square."""
    scales = np.exp(np.linspace(-1.5, 2.5, 161))
    z = z[:20_000]
    loss = [-stats.gennorm(p).logpdf(s * z).sum(axis=1).mean() - 2 * np.log(s) for s in scales]
    return min(loss) - np.log(4) - log_volume


def test_moments_by_hand():
    # u on the axes: 2 E|u|^p = 2 / (p + 1). On the diagonals, E|u1 + u2| = 2 / 3 and
    # E(u1 + u2)^4 = 2 / 5 + 6 / 9.
    assert orientation.moment(1, 0) == pytest.approx(1)
    assert orientation.moment(1, np.pi / 4) == pytest.approx(2 * (2 / 3) / np.sqrt(2))
    assert orientation.moment(4, np.pi / 4) == pytest.approx(2 * (2 / 5 + 6 / 9) / 4)
    assert orientation.moment(2, 0.3) == pytest.approx(2 / 3)


@pytest.mark.parametrize(("p", "angle"), [(1.0, 0.0), (1.0, 0.785), (4.0, 0.3), (0.7, 1.2)])
def test_the_misfit_is_a_kl_sampled(p, angle):
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    found = orientation.misfit(p, angle)
    assert found == pytest.approx(sampled(p, SQUARE @ rotation.T), abs=0.02)
    assert found > 0


@pytest.mark.parametrize(("p", "bend"), [(1.0, 0.0), (1.0, 1.5), (4.0, -0.1)])
def test_the_warped_misfit_is_a_kl_sampled(p, bend):
    u = SQUARE
    volume = np.log1p(5 * bend * u**4).sum(axis=1)[:20_000].mean()
    expected = sampled(p, u * (1 + bend * u**4), volume)
    assert orientation.warped_misfit(p, bend) == pytest.approx(expected, abs=0.02)


def test_a_warp_of_none_is_the_aligned_square():
    for p in (1.0, 2.0, 4.0):
        assert orientation.warped_misfit(p, 0.0) == pytest.approx(orientation.misfit(p, 0))


def test_linear_codes_turn_to_the_diagonal_for_heavy_tails_only():
    angles = np.linspace(0, np.pi / 2, 91)
    for p, best in ((1.0, [45]), (1.5, [45]), (3.0, [0, 90]), (8.0, [0, 90])):
        cost = np.array([orientation.misfit(p, angle) for angle in angles])
        assert np.flatnonzero(cost < cost.min() + 1e-9).tolist() == best
    flat = [orientation.misfit(2.0, angle) for angle in angles]
    assert np.ptp(flat) < 1e-6
