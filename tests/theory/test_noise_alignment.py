"""Theorem 1 of Zietlow et al. 2021 against searches and scikit-learn."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import minimize
from sklearn.decomposition import PCA

from gordium.theory import noise_alignment, noise_loss, noise_loss_bound, scales_of


@pytest.fixture(scope="module")
def cloud():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3)) * (3.0, 2.0, 1.0) @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return x - x.mean(axis=0)


def rotation_of(skew):
    matrix = np.zeros((3, 3))
    matrix[np.triu_indices(3, 1)] = skew
    return expm(matrix - matrix.T)


def test_axes_are_those_of_pca_up_to_sign(cloud):
    found = noise_alignment(cloud, -6.0)
    pca = PCA().fit(cloud)
    np.testing.assert_allclose(np.abs(found.rotation @ pca.components_.T), np.eye(3), atol=1e-10)
    np.testing.assert_allclose(found.scales**2 / (len(cloud) - 1), pca.explained_variance_)


def test_noise_is_inverse_to_the_variance_of_an_axis_and_keeps_its_volume(cloud):
    found = noise_alignment(cloud, -6.0)
    assert np.ptp(found.variances * found.scales**2) < 1e-10
    assert np.log(found.variances).sum() == pytest.approx(-6.0)
    assert noise_loss(cloud, found.rotation, found.variances) == pytest.approx(found.loss)


def test_the_loss_is_that_of_sampled_noise(cloud):
    rng = np.random.default_rng(0)
    rotation, variances = rotation_of([0.3, -0.2, 0.9]), np.array([0.1, 0.2, 0.4])
    decoder = np.diag(scales_of(cloud, rotation)) @ rotation
    codes = cloud @ np.linalg.inv(decoder)
    np.testing.assert_allclose((codes**2).sum(axis=0), 1.0)
    noise = rng.normal(size=(400_000, 3)) * np.sqrt(variances)
    sampled = ((noise @ decoder) ** 2).sum(axis=1)
    error = sampled.std() / np.sqrt(len(noise))
    assert noise_loss(cloud, rotation, variances) == pytest.approx(sampled.mean(), abs=4 * error)


@pytest.mark.parametrize("seed", range(3))
def test_a_search_over_rotations_and_noise_ends_at_pca(cloud, seed):
    def split(p):
        logs = np.array([p[3], p[4], -6.0 - p[3] - p[4]])
        return rotation_of(p[:3]), np.exp(logs)

    start = np.random.default_rng(seed).normal(size=5)
    found = minimize(lambda p: noise_loss(cloud, *split(p)), start, options={"gtol": 1e-9})
    rotation, variances = split(found.x)
    bound = noise_loss_bound(cloud, -6.0)
    assert found.fun == pytest.approx(bound, rel=1e-7)
    overlap = np.abs(rotation @ noise_alignment(cloud, -6.0).rotation.T)
    # A signed permutation: one entry of each row and column is 1, the others are 0.
    np.testing.assert_allclose(np.sort(overlap, axis=0), [[0] * 3, [0] * 3, [1] * 3], atol=1e-3)
    np.testing.assert_allclose(np.sort(overlap, axis=1)[:, 2], 1.0, atol=1e-6)
    assert np.sort(variances) == pytest.approx(noise_alignment(cloud, -6.0).variances, rel=1e-3)


def test_no_rotation_goes_below_the_bound(cloud):
    rng = np.random.default_rng(5)
    for _ in range(100):
        logs = rng.normal(size=3)
        logs += (-6.0 - logs.sum()) / 3
        rotation = rotation_of(rng.normal(size=3))
        assert noise_loss(cloud, rotation, np.exp(logs)) > noise_loss_bound(cloud, -6.0)


def test_a_flat_cloud_is_aligned_in_its_plane(cloud):
    flat = cloud @ np.diag([1.0, 1.0, 0.0])
    found = noise_alignment(flat, -4.0)
    assert found.rotation.shape == (2, 3)
    pca = PCA(n_components=2).fit(flat)
    np.testing.assert_allclose(np.abs(found.rotation @ pca.components_.T), np.eye(2), atol=1e-10)


def test_wrong_rotations_are_refused(cloud):
    with pytest.raises(ValueError, match="orthonormal"):
        noise_loss(cloud, 2 * np.eye(3), np.ones(3))
    with pytest.raises(ValueError, match="span"):
        noise_loss(cloud, np.eye(3)[:2], np.ones(2))
    with pytest.raises(ValueError, match="got \\(200, 3\\) and \\(2, 2\\)"):
        scales_of(cloud, np.eye(2))
    with pytest.raises(ValueError, match="not all zero"):
        noise_alignment(np.zeros((4, 2)), 0.0)
