import numpy as np
from PIL import Image

from gordium.datasets import DSprites, Shapes3D, contact_sheet


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
