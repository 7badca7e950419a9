"""The distance to orthogonality of decoders, and what it is by chance."""

from math import cos, pi, sqrt

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA

from gordium.exhibits.published import read_published
from gordium.geometry import (
    distance_to_orthogonality,
    matrix_distance,
    random_decoder_distances,
    random_matrix_distances,
    random_rotation_distances,
)
from gordium.networks import Linear, build

RNG = np.random.default_rng(0)
Z = torch.from_numpy(RNG.standard_normal((7, 3)))


def linear(matrix):
    matrix = torch.as_tensor(matrix)
    return lambda z: z @ matrix.to(z.dtype).T


def test_a_linear_decoder_has_the_distance_of_its_matrix_at_every_point():
    matrix = RNG.standard_normal((9, 3))
    found = distance_to_orthogonality(linear(matrix), Z, chunk=3)
    expected = matrix_distance([matrix.T @ matrix])[0]
    assert found.per_point == pytest.approx(np.full(7, expected), abs=1e-12)
    assert found.distance == pytest.approx(expected, abs=1e-12)
    assert found.n_near_degenerate == 0


def test_principal_components_decode_without_distance():
    # Rolinek 2019, Proposition 1: PCA's decoder has orthogonal columns, and a quarter turn of
    # half a right angle between two of them is 2 sqrt(2) sin(pi / 8) away.
    pca = PCA(2).fit(RNG.standard_normal((200, 5)) * [5, 3, 1, 1, 1])
    decoder = pca.components_.T * np.sqrt(pca.explained_variance_)
    assert distance_to_orthogonality(linear(decoder), Z[:, :2]).distance < 1e-7
    turn = np.array([[1, -1], [1, 1]]) / sqrt(2)
    turned = distance_to_orthogonality(linear(decoder @ turn), Z[:, :2]).distance
    assert turned == pytest.approx(sqrt(8) * np.sin(pi / 8), abs=1e-7)


def test_passive_units_can_be_left_out():
    matrix = np.zeros((6, 4))
    matrix[:, :2] = np.eye(6, 2) * [3, 1]
    matrix[:, 2:] = 1e-9 * RNG.standard_normal((6, 2))
    z = torch.zeros(5, 4, dtype=torch.float64)
    assert distance_to_orthogonality(linear(matrix), z).n_near_degenerate == 5
    active = distance_to_orthogonality(linear(matrix), z, units=[0, 1])
    assert active.distance == pytest.approx(0, abs=1e-9)
    assert active.n_near_degenerate == 0


def test_equal_singular_values_are_counted():
    curved = lambda z: torch.stack([z[:, 0] ** 2 / 2, z[:, 1]], 1)  # noqa: E731 - singular: |a|, 1
    z = torch.tensor([[1.0, 0.0], [2.0, 0.0], [-1.0, 3.0], [0.5, 1.0]])
    assert distance_to_orthogonality(curved, z).n_near_degenerate == 2


SIZES = {"synthetic-linear": (3, 2), "synthetic-nonlinear": (6, 2), "mnist": (784, 6)}


@pytest.mark.parametrize("name", [*SIZES, "dsprites"])
def test_matrices_of_uniform_entries_give_the_published_random_decoders(name):
    table = read_published("rolinek2019-table2")[name]["dto"]["random-decoder"]
    n = 4000 if name.startswith("synth") else 200
    found = random_matrix_distances(*SIZES.get(name, (4096, 5)), n=n)
    # Printed to two digits; three standard errors of our mean, and of theirs if it is of 10.
    assert found.mean() == pytest.approx(table["mean"], abs=0.005 + 0.025)
    assert found.std() == pytest.approx(table["std"], abs=0.03)


def test_random_rotations_of_the_plane():
    # The angle t to the nearest axis is uniform in [0, pi / 4]; the mean of 2 sqrt(2) sin(t / 2):
    expected = 4 / pi * 4 * sqrt(2) * (1 - cos(pi / 8))
    found = random_rotation_distances(2, n=4000)
    assert found.mean() == pytest.approx(expected, abs=4 * 0.32 / sqrt(4000))
    assert random_rotation_distances(1, n=3).tolist() == [0, 0, 0]
    assert len(random_rotation_distances(4, n=1)) == 1


def test_untrained_networks_are_drawn_one_after_the_other():
    def make(generator):
        return build(lambda: Linear().decoder(3, (9, 1, 1)), generator)

    found = random_decoder_distances(make, Z.float(), n=4)
    generator = torch.Generator().manual_seed(0)
    matrices = [make(generator)[0].weight.detach().double().numpy() for _ in range(4)]
    assert found == pytest.approx(matrix_distance([m.T @ m for m in matrices]), abs=1e-5)


def test_numbers_of_draws_are_checked():
    with pytest.raises(ValueError, match="at least 1"):
        random_matrix_distances(0, 2)
    with pytest.raises(ValueError, match="at least 1"):
        random_rotation_distances(2, n=0)
