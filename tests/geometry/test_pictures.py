"""The order of units, traversals and pictures of columns, on decoders known by heart."""

import numpy as np
import pytest
import torch

from gordium.geometry import column_pictures, importance_order, plane_traversal, traversals

Z = torch.tensor([10.0, 20.0, 30.0])


def test_the_most_precise_unit_comes_first():
    # Mean variances 0.5, 0.1 and 0.5; the mean of logarithms would put unit 2 before unit 0.
    variances = np.array([[0.5, 0.1, 0.9], [0.5, 0.1, 0.1]])
    assert importance_order(np.log(variances)).tolist() == [1, 0, 2]
    with pytest.raises(ValueError, match=r"must be \(n_samples, n_units\); got \(2,\)"):
        importance_order([0.0, 1.0])


def test_one_unit_moves_and_the_others_stay():
    found = traversals(lambda z: z, Z, [1, 2], units=[2, 0])
    assert found.tolist() == [[[10, 20, 1], [10, 20, 2]], [[1, 20, 30], [2, 20, 30]]]
    assert traversals(lambda z: z[:, :, None], Z, [0, 1]).shape == (3, 2, 3, 1)


def test_two_units_move_and_the_first_goes_down_the_rows():
    found = plane_traversal(lambda z: z, Z, [1, 2], units=(2, 0))
    assert found.tolist() == [[[1, 20, 1], [2, 20, 1]], [[1, 20, 2], [2, 20, 2]]]
    with pytest.raises(ValueError, match="two different units"):
        plane_traversal(lambda z: z, Z, [1, 2], units=(1, 1))
    with pytest.raises(ValueError, match=r"one latent point \(d,\); got \(1, 3\)"):
        plane_traversal(lambda z: z, Z[None], [1, 2], units=(0, 1))


def test_columns_share_the_scale_of_their_point():
    jacobian = np.zeros((2, 3, 4, 5, 2))
    jacobian[0, 1, 2, 3, 0], jacobian[0, 2, 0, 0, 1] = -8.0, 2.0
    found = column_pictures(jacobian)
    assert found.pictures.shape == (2, 2, 4, 5, 3)
    assert found.scales.tolist() == [8.0, 0.0]
    assert found.pictures[0, 0, 2, 3, 1] == -1
    assert found.pictures[0, 1, 0, 0, 2] == 0.25
    assert np.count_nonzero(found.pictures) == 2
    with pytest.raises(ValueError, match=r"must be \(n, c, h, w, d\); got \(2, 3\)"):
        column_pictures(np.zeros((2, 3)))
