"""A path inside of a file is never followed."""

import h5py
import numpy as np
import pytest

from gordium.datasets.readers.h5 import open_h5
from gordium.datasets.readers.official import OfficialFile

FILE = OfficialFile("x.h5", "sha256", "", "images", (4, 2, 2, 1))
IMAGES = np.arange(16, dtype=np.uint8).reshape(FILE.shape)


def test_images_in_external_storage_are_refused(tmp_path):
    (tmp_path / "secret").write_bytes(b"sixteen letters!")
    with h5py.File(tmp_path / "x.h5", "w") as file:
        outside = [(str(tmp_path / "secret"), 0, 16)]
        file.create_dataset("images", FILE.shape, np.uint8, external=outside)
    with pytest.raises(ValueError, match="refers to other files for its images"):
        open_h5(tmp_path / "x.h5", FILE)


def test_images_behind_an_external_link_are_refused(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["images"] = IMAGES
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["images"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "/images")
    with pytest.raises(ValueError, match="refers to other files for its images"):
        open_h5(tmp_path / "x.h5", FILE)


def test_virtual_images_are_refused(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["images"] = IMAGES
    layout = h5py.VirtualLayout(FILE.shape, np.uint8)
    layout[:] = h5py.VirtualSource(str(tmp_path / "other.h5"), "images", FILE.shape)
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file.create_virtual_dataset("images", layout)
    with pytest.raises(ValueError, match="refers to other files for its images"):
        open_h5(tmp_path / "x.h5", FILE)
