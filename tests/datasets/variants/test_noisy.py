import numpy as np
import pytest

from gordium.datasets import Noisy, Shapes3D
from gordium.datasets.variants.noisy import GOLDEN, _mix, fill_uniform

BASE = Shapes3D(16)


def test_noise_stays_within_epsilon_and_reaches_it():
    noisy, plain = Noisy(BASE, 0.1).images(range(200)), BASE.images(range(200))
    change = np.abs(noisy.astype(float) - plain) / 255
    assert 0.09 < change.max() <= 0.1 + 0.5 / 255


def test_an_image_has_its_own_noise_whatever_the_batch():
    noisy = Noisy(BASE, 0.2)
    together = noisy.images(range(100))
    alone = np.concatenate([noisy.images([i]) for i in range(100)])
    assert np.array_equal(together, alone)


def test_a_sub_grid_keeps_the_noise_of_the_whole():
    noisy = Noisy(BASE, 0.2)
    held = noisy.hold(wall_hue=4)
    values = held.factors_at(range(30))
    whole = np.insert(values, 1, 4, axis=1)
    assert np.array_equal(held.images(range(30)), noisy.images(noisy.index_of(whole)))


def test_seeds_differ_and_zero_epsilon_changes_nothing():
    assert not np.array_equal(Noisy(BASE, 0.1).images([5]), Noisy(BASE, 0.1, seed=1).images([5]))
    assert np.array_equal(Noisy(BASE, 0.0).images(range(9)), BASE.images(range(9)))


def test_numbers_are_uniform_and_independent_across_pixels_and_images():
    words = np.empty((1000, 250), np.uint64)
    fill_uniform(words, 0, np.arange(1000))
    u = words.view(np.uint16) / 65536 - 0.5
    # A mean over a million uniform numbers has deviation 1 / sqrt(12e6), a correlation 1e-3.
    assert abs(u.mean()) < 4 / np.sqrt(12e6)
    assert u.var() == pytest.approx(1 / 12, rel=0.01)
    for a, b in [(u[:, 1:], u[:, :-1]), (u[:, 4:], u[:, :-4]), (u[1:], u[:-1]), (u[10:], u[:-10])]:
        assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 5e-3
    counts = np.bincount((u.ravel() * 16 + 8).astype(int), minlength=16)
    assert np.abs(counts - 62_500).max() < 5 * np.sqrt(62_500)


def test_the_generator_is_splitmix64():
    # The first numbers of SplitMix64 from state 0, as published with its reference code.
    words = np.zeros((1, 3), np.uint64) + np.arange(3, dtype=np.uint64) * GOLDEN
    _mix(words, np.empty_like(words))
    assert words.tolist() == [[0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]]


def test_an_image_whose_size_is_no_multiple_of_four_can_be_noisy():
    images = Noisy(Shapes3D(17), 0.1).images([0, 1])
    assert images.shape == (2, 3, 17, 17)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="must lie in 0 to 1; got 2"):
        Noisy(BASE, 2)
    with pytest.raises(ValueError, match="seed must lie in 0 to"):
        Noisy(BASE, 0.1, seed=-1)


def test_two_valued_noise_moves_every_value_by_epsilon_up_or_down_alike_often():
    noisy = Noisy(BASE, 0.1, two_valued=True)
    change = noisy.render(np.arange(50)) / 255.0 - BASE.images(range(50)) / 255.0
    inside = (BASE.images(range(50)) > 26) & (BASE.images(range(50)) < 229)
    assert np.abs(np.abs(change[inside]) - 0.1).max() < 1 / 255
    assert abs(np.sign(change[inside]).mean()) < 0.02
    assert noisy.with_fresh_noise().two_valued
    assert "two_valued" not in Noisy(BASE, 0.1).declaration
    assert noisy.declaration["two_valued"] is True
