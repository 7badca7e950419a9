"""Color-, noisy- and scream-dSprites: what chance they hold, and where the sprite is."""

import re

import numpy as np
import pytest
from PIL import Image

from gordium.datasets import (
    ColorDSprites,
    DSprites,
    NoisyDSprites,
    ScreamDSprites,
    from_declaration,
)
from gordium.datasets.sets import scream_dsprites

KINDS = (ColorDSprites, NoisyDSprites, ScreamDSprites)
SOME = np.random.default_rng(0).integers(737_280, size=400)


def masks():
    return DSprites(16).images(SOME) > 0


def colours_of(images, mask):
    """One colour for each image: all its sprite pixels agree."""
    inside = np.where(mask, images, 0).max(axis=(2, 3))
    assert np.array_equal(
        np.where(mask, images, inside[:, :, None, None]), 0 * images + inside[:, :, None, None]
    )
    return inside


def test_a_coloured_sprite_has_one_colour_between_half_and_full_on_black():
    images = ColorDSprites(16).images(SOME)
    assert not images[np.broadcast_to(~masks(), images.shape)].any()
    colours = colours_of(images, masks())
    assert colours.min() >= 127
    # Uniform in [127.5, 255]: mean 191.25, deviation 127.5 / sqrt(12) = 36.8; 1,200 draws.
    assert abs(colours.mean() - 191.25) < 4 * 36.8 / np.sqrt(1200)
    assert abs(colours.std() - 36.8) < 2
    # The three channels are drawn independently.
    assert np.abs(np.corrcoef(colours.T) - np.eye(3)).max() < 0.2


def test_noise_is_uniform_all_around_a_white_sprite():
    images = NoisyDSprites(16).images(SOME)
    mask = np.broadcast_to(masks(), images.shape)
    assert (images[mask] == 255).all()
    noise = images[~mask]
    share = np.bincount(noise, minlength=256) / len(noise)
    assert np.abs(share - 1 / 256).max() < 6 * np.sqrt(1 / 256 / len(noise))


def test_a_sprite_is_the_negative_of_a_tinted_piece_of_the_picture(tmp_path):
    # The picture's columns count up and its rows by four: a pixel tells where it comes from.
    row, column = np.mgrid[:40, :40]
    picture = np.stack([4 * row, 4 * column, 0 * row], axis=2).astype(np.uint8)
    Image.fromarray(picture).save(tmp_path / "a.png")
    dataset = ScreamDSprites(16, picture=tmp_path / "a.png")
    images = dataset.images(SOME).astype(int)
    background = np.where(masks(), 255 - images, images)
    blue = background[:, 2]  # half the tint, as the picture has no blue
    assert (blue == blue[:, :1, :1]).all()
    assert 60 < blue[:, 0, 0].mean() < 68
    red, green = background[:, 0], background[:, 1]
    assert (np.diff(red, axis=1) == 2).all()  # half of a row's 4
    assert (np.diff(red, axis=2) == 0).all()
    assert (np.diff(green, axis=2) == 2).all()


def test_pieces_come_from_everywhere_but_the_last_place(monkeypatch):
    row, column = np.mgrid[:36, :40]
    canvas = np.stack([row, column, 0 * row]).astype(np.uint8)
    monkeypatch.setattr(scream_dsprites, "paint", lambda height: canvas)
    scream_dsprites._canvas.cache_clear()
    try:
        dataset = ScreamDSprites(16)
        monkeypatch.setattr(dataset.__class__, "chance", chance_without_tint)
        corners = dataset.decorate(np.zeros((2000, 1, 16, 16), np.uint8), np.arange(2000))[
            :, :2, 0, 0
        ]
        # The corner is halved by the average with a black tint: 0 to 19 and 0 to 23, rounded up.
        assert set(corners[:, 0]) == set(range(11))
        assert set(corners[:, 1]) == set(range(13))
    finally:
        scream_dsprites._canvas.cache_clear()


def chance_without_tint(self, indices, count):
    bytes_ = np.random.default_rng(0).integers(256, size=(len(indices), count), dtype=np.uint8)
    bytes_[:, 8:] = 0
    return bytes_


@pytest.mark.parametrize("kind", KINDS)
def test_chance_is_a_function_of_seed_and_index(kind):
    images = kind(16).images(SOME)
    assert np.array_equal(kind(16).images(SOME[::-1])[::-1], images)
    other = kind(16, seed=1)
    assert (other.images(SOME) != images).any(axis=(1, 2, 3)).mean() > 0.99
    assert other != kind(16)
    assert other.declaration["options"]["seed"] == 1
    assert from_declaration(other.declaration) == other


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [-1, 2**32, 0.5])
def test_a_wrong_seed_is_refused(kind, seed):
    with pytest.raises(ValueError, match=r"seed must be a whole number in 0 to 2\*\*32 - 1"):
        kind(16, seed=seed)


def test_variants_do_not_share_their_chance():
    drawn = [kind(16).chance(SOME, 4).astype(float).ravel() for kind in KINDS]
    assert np.abs(np.corrcoef(drawn) - np.eye(3)).max() < 0.1


def test_the_painting_has_the_colours_of_the_painting():
    canvas = scream_dsprites.paint(274).astype(float)
    assert canvas.shape == (3, 274, 215)
    # Mean and deviation of a photograph of The Scream, shrunk to 215 x 274.
    assert np.abs(canvas.mean(axis=(1, 2)) - [114, 85, 56]).max() < 5
    assert np.abs(canvas.std(axis=(1, 2)) - [68, 36, 27]).max() < 10


def test_which_background_is_in_use_is_declared_and_kept(tmp_path, monkeypatch):
    painted = ScreamDSprites(16)
    assert painted.background == "painted"
    noise = np.random.default_rng(0).integers(256, size=(90, 70, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / "scream.jpg")
    monkeypatch.setenv("GORDIUM_DATA", str(tmp_path))
    found = ScreamDSprites(16)
    assert re.fullmatch("picture with sha256 [0-9a-f]{64}", found.background)
    assert found != painted
    assert from_declaration(painted.declaration) == painted
    assert from_declaration(found.declaration) == found
    Image.fromarray(noise[::-1]).save(tmp_path / "scream.jpg")
    with pytest.raises(ValueError, match="background must be 'picture with sha256"):
        from_declaration(found.declaration)
    monkeypatch.delenv("GORDIUM_DATA")
    with pytest.raises(FileNotFoundError, match=r"picture=, or put it as scream\.jpg into a"):
        from_declaration(found.declaration)


def test_pictures_that_cannot_serve_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.png"
    with pytest.raises(FileNotFoundError, match=r"there is no file .*a\.png"):
        ScreamDSprites(16, picture=path)
    path.write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"a\.png cannot be read as a picture"):
        ScreamDSprites(16, picture=path)
    Image.new("RGB", (16, 90)).save(path)
    with pytest.raises(ValueError, match="must be larger than 16 x 16"):
        ScreamDSprites(16, picture=path)
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(ValueError, match=r"a\.png (cannot be read|is cut short)"):
        ScreamDSprites(16, picture=path)
    Image.new("RGB", (100, 90)).save(path)
    monkeypatch.setattr("gordium.datasets.readers.pictures.MOST_PIXELS", 8999)
    with pytest.raises(ValueError, match="is 100 x 90 pixels; at most 8,999 are read"):
        ScreamDSprites(16, picture=path)
    with pytest.raises(ValueError, match="leave it out for 'painted'"):
        ScreamDSprites(16, picture=path, background="painted")
