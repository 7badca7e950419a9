"""A data set is a table of images with factors: it indexes, iterates, and finds by values."""

import numpy as np
import pytest
from torch.utils.data import DataLoader

from gordium.datasets import FromArrays, Noisy, Shapes3D, SyntheticLinear, in_memory

ROOM = Shapes3D(16).hold(wall_hue=5, object_hue=0, scale=4, shape=0)  # 10 floors x 15 turns
REPEATED = FromArrays(np.arange(8, dtype=np.uint8).reshape(4, 1, 2, 1), {"a": [0, 1, 1, 0]})


def test_a_number_gives_the_image_and_its_factors():
    image, factors = ROOM[16]
    assert image.shape == (3, 16, 16)
    assert factors.tolist() == [1, 1]  # the last factor, of 15 values, changes fastest
    assert np.array_equal(image, ROOM.images([16])[0])
    assert np.array_equal(ROOM[-1][0], ROOM.images([149])[0])
    with pytest.raises(IndexError, match="indices must lie in 0 to 149; got 150"):
        ROOM[150]
    with pytest.raises(IndexError, match="got -1"):
        ROOM[-151]


def test_a_slice_or_a_list_gives_arrays():
    images, factors = ROOM[14:17]
    assert np.array_equal(images, ROOM.images([14, 15, 16]))
    assert factors.tolist() == [[0, 14], [1, 0], [1, 1]]
    assert ROOM[[16, 14]][1].tolist() == [[1, 1], [0, 14]]


@pytest.mark.parametrize("data", [ROOM, REPEATED, SyntheticLinear(n=70)], ids=lambda d: d.name)
def test_iterating_gives_all_in_order(data):
    images, factors = zip(*data, strict=True)
    assert np.array_equal(images, data.images(np.arange(len(data))))
    assert np.array_equal(factors, data.factors_at(np.arange(len(data))))


def test_a_data_loader_takes_it():
    batches = list(DataLoader(ROOM, batch_size=64))
    assert [len(images) for images, _ in batches] == [64, 64, 22]
    images, factors = batches[1]
    assert np.array_equal(images.numpy(), ROOM.images(np.arange(64, 128)))
    assert np.array_equal(factors.numpy(), ROOM.factors_at(np.arange(64, 128)))
    order = [int(f[0]) * 15 + int(f[1]) for _, f in DataLoader(ROOM, shuffle=True, batch_size=None)]
    assert sorted(order) == list(range(150)) != order


def test_a_table_finds_the_first_image_of_values_and_holds_them():
    assert REPEATED.index_of([[0], [1]]).tolist() == [0, 1]
    both = FromArrays(np.zeros((4, 2, 2), np.uint8), {"a": [0, 1, 1, 0], "b": [0.5, 0.1, 0.2, 0.3]})
    held = both.hold(a=1)
    assert held.factors_at([0, 1]).tolist() == [[0.1], [0.2]]
    with pytest.raises(ValueError, match="b is a real number, which no two images may share"):
        both.hold(b=0)


def test_noise_is_taken_off_and_drawn_anew_under_every_wrapper():
    noisy = Noisy(ROOM, 0.1, seed=2)
    for data in (noisy, in_memory(noisy), noisy.hold(floor_hue=3), noisy.marginalise("floor_hue")):
        assert "noisy" not in str(data.clean.declaration)
        assert "'seed': 3" in str(data.with_fresh_noise().declaration)
    assert ROOM.clean.declaration == ROOM.with_fresh_noise().declaration == ROOM.declaration
