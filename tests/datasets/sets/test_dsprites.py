import numpy as np
import pytest

from gordium.datasets import DSprites
from gordium.datasets.rendering.sprites import SPRITES, cover
from gordium.datasets.sets.dsprites import IMAGES, rasterise
from gordium.files import cache_folder


def square(low, high):
    """Vertices (2, 1, 4) of the square from (low, low) to (high, high)."""
    return np.array([[[low, high, high, low]], [[low, low, high, high]]], float)


def test_genuine_images_are_met_bit_for_bit_but_for_five(reference):
    genuine = np.load(reference / "dsprites" / "genuine_subset.npz")
    indices = genuine["index"].astype(np.int64)
    rendered = np.concatenate([rasterise(part, 64) for part in np.array_split(indices, 20)])
    differs = (rendered.reshape(len(indices), -1) != genuine["packed_images"]).any(axis=1)
    assert differs.sum() <= 5


def test_genuine_factors_follow_from_the_index(reference):
    genuine = np.load(reference / "dsprites" / "genuine_subset.npz")
    assert np.array_equal(DSprites().factors_at(genuine["index"]), genuine["factors"])


def test_the_grid_is_the_published_one():
    assert [f.name for f in DSprites().factors] == ["shape", "scale", "orientation", "x", "y"]
    assert [f.size for f in DSprites().factors] == [3, 6, 40, 32, 32]
    assert len(DSprites()) == 737_280 == IMAGES


def test_centres_on_left_and_bottom_edges_are_inside():
    bits = np.unpackbits(cover(square(1.5, 3.5), 16), axis=2)[0]
    rows, columns = np.nonzero(bits)
    # Centres lie at 1.5, 2.5, 3.5: left column 1 in, right column 3 out, top row 1 out, 3 in.
    assert sorted(set(columns)) == [1, 2]
    assert sorted(set(rows)) == [2, 3]
    assert bits.sum() == 4


@pytest.mark.parametrize("size", [16, 100, 128])
def test_a_square_covers_its_area_across_words(size):
    bits = np.unpackbits(cover(square(2, size - 3), size), axis=2, count=size)[0]
    assert bits.sum() == (size - 5) ** 2
    assert bits[2 : size - 3, 2 : size - 3].all()


@pytest.mark.parametrize("which", range(3))
def test_a_sprite_covers_the_area_of_its_polygon(which):
    x, y = SPRITES[which]
    area = abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2  # shoelace formula
    index = DSprites().index_of([[which, 5, 7, 16, 16]])
    pixels = np.unpackbits(rasterise(index, 128)).sum() / 4  # two pixels per unit each way
    assert pixels == pytest.approx(area, rel=0.02)


def test_x_moves_right_and_y_moves_down():
    dataset = DSprites(16)
    first, right, down = dataset.images(
        dataset.index_of([[0, 5, 0, 0, 0], [0, 5, 0, 31, 0], [0, 5, 0, 0, 31]])
    )[:, 0]
    # 31 steps are half the image's width: eight pixels of sixteen.
    assert np.array_equal(np.roll(first, 8, axis=1), right)
    assert np.array_equal(np.roll(first, 8, axis=0), down)
    assert set(np.unique(first)) == {0, 255}


def test_the_first_and_the_last_orientation_are_the_same_angle():
    dataset = DSprites(16)
    values = [[2, 3, 0, 5, 9], [2, 3, 39, 5, 9]]
    first, last = dataset.images(dataset.index_of(values))
    assert np.array_equal(first, last)


def test_kept_images_are_those_drawn_on_the_fly(tmp_path, monkeypatch):
    indices = np.random.default_rng(1).integers(IMAGES, size=300)
    from_table = DSprites(16).images(indices)
    assert (cache_folder() / "dsprites-16-v1.npy").stat().st_size > IMAGES * 32
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "file" / "cache"))
    assert np.array_equal(DSprites(16).images(indices), from_table)
