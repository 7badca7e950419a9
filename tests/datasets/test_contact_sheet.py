import numpy as np
from PIL import Image

from gordium.datasets import DSprites, FromArrays, Shapes3D, contact_sheet


def test_a_sheet_has_a_row_per_factor(tmp_path):
    contact_sheet(Shapes3D(16), tmp_path / "sheet.png")
    with Image.open(tmp_path / "sheet.png") as sheet:
        # Six factors; ten columns are shown of the fifteen orientations, after the names.
        assert sheet.size == (84 + 10 * 18, 6 * 18)


def test_a_grey_set_gives_a_grey_sheet(tmp_path):
    contact_sheet(DSprites(16).hold(x=16), tmp_path / "sheet.png")
    with Image.open(tmp_path / "sheet.png") as sheet:
        red, green, blue = np.asarray(sheet.convert("RGB")).astype(int).transpose(2, 0, 1)
    assert sheet.size == (84 + 10 * 18, 4 * 18)
    assert (red == green).all()
    assert (green == blue).all()


def test_a_grid_of_floats_and_of_two_channels_is_drawn(tmp_path):
    images = np.zeros((2, 2, 16, 16), np.float32)
    images[1, 0] = 1.0  # one of two channels, so that the mean is a half
    contact_sheet(FromArrays(images, [0, 1]), tmp_path / "sheet.png")
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert np.asarray(sheet.convert("L"))[8, [92, 110]].tolist() == [0, 128]


def test_a_set_that_is_no_grid_shows_one_image_of_each_value(tmp_path):
    images = np.arange(0, 240, 10, dtype=np.uint8)[:, None, None] + np.zeros((24, 16, 16), np.uint8)
    labels = np.arange(24) % 3
    for pixels in (images, images / 255):
        contact_sheet(FromArrays(pixels, labels), tmp_path / "sheet.png")
        with Image.open(tmp_path / "sheet.png") as sheet:
            shown = np.asarray(sheet.convert("L"))
        assert shown.shape == (18, 84 + 3 * 18)
        assert shown[8, [92, 110, 128]].tolist() == [0, 10, 20]  # the first of each label
    real = FromArrays(images, np.linspace(0, 1, 24))
    contact_sheet(real, tmp_path / "sheet.png")
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.size == (84 + 10 * 18, 18)
