"""Readers of official files, on small files of the same layout."""

import hashlib
import io
import os
import zipfile

import h5py
import numpy as np
import pytest

from gordium.datasets import DSprites, Shapes3D, from_declaration
from gordium.datasets.readers import h5
from gordium.datasets.readers import official as _official
from gordium.files import cache_folder

N = 7


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def rooms(tmp_path, monkeypatch):
    """A file like 3dshapes.h5 with `N` images, which Shapes3D takes for the official one."""
    images = np.random.default_rng(0).integers(256, size=(N, 64, 64, 3), dtype=np.uint8)
    path = tmp_path / "data" / "3dshapes.h5"
    path.parent.mkdir(exist_ok=True)
    with h5py.File(path, "w") as file:
        file["images"] = images
        file["labels"] = np.zeros((N, 6))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    small = Shapes3D.official._replace(digest=digest, shape=images.shape)
    monkeypatch.setattr(Shapes3D, "official", small)
    return path, images


@pytest.fixture
def sprites(tmp_path, monkeypatch):
    """A file like the dSprites archive with `N` images, pickled metadata included."""
    images = np.random.default_rng(0).integers(2, size=(N, 64, 64), dtype=np.uint8)
    path = tmp_path / "data" / DSprites.official.name
    path.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        path,
        metadata=np.array({"a": "pickled dictionary"}, dtype=object),
        imgs=images,
        latents_classes=np.zeros((N, 6), np.int64),
        latents_values=np.zeros((N, 6)),
    )
    content = path.read_bytes()
    digest = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    small = DSprites.official._replace(digest=digest, shape=images.shape)
    monkeypatch.setattr(DSprites, "official", small)
    return path, images


ORDER = [6, 0, 3, 3, 1]


def test_rooms_are_read_in_any_order(rooms):
    path, images = rooms
    dataset = Shapes3D(path=path)
    assert dataset.source == "official file 3dshapes.h5"
    found = dataset.images(ORDER)
    assert np.array_equal(found, images[ORDER].transpose(0, 3, 1, 2))
    assert found.flags.c_contiguous
    assert dataset.images([]).shape == (0, 3, 64, 64)


def test_sprites_are_read_in_any_order(sprites):
    path, images = sprites
    dataset = DSprites(path=str(path))
    assert dataset.source == f"official file {path.name}"
    assert np.array_equal(dataset.images(ORDER), 255 * images[ORDER][:, None])


def test_sprites_are_read_without_a_cache_too(sprites, tmp_path, monkeypatch):
    path, images = sprites
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "file" / "below"))
    assert np.array_equal(DSprites(path=path).images(ORDER), 255 * images[ORDER][:, None])


@pytest.mark.parametrize(("kind", "files"), [(Shapes3D, "rooms"), (DSprites, "sprites")])
def test_a_file_in_the_data_folder_is_found_and_declared(kind, files, request, monkeypatch):
    path, _ = request.getfixturevalue(files)
    assert kind().source == "rendered"
    monkeypatch.setenv("GORDIUM_DATA", str(path.parent))
    dataset = kind()
    assert dataset.declaration["source"] == f"official file {path.name}"
    assert from_declaration(dataset.declaration) == dataset
    assert kind(32).source == "rendered"
    assert from_declaration(kind(source="rendered").declaration).source == "rendered"
    monkeypatch.delenv("GORDIUM_DATA")
    with pytest.raises(FileNotFoundError, match="GORDIUM_DATA"):
        from_declaration(dataset.declaration)


@pytest.mark.parametrize(("kind", "files"), [(Shapes3D, "rooms"), (DSprites, "sprites")])
def test_another_content_is_refused_unless_told(kind, files, request, monkeypatch):
    path, _ = request.getfixturevalue(files)
    monkeypatch.setattr(kind, "official", kind.official._replace(digest="beef"))
    with pytest.raises(ValueError, match=r"is not the published .* must be beef. Fetch it again"):
        kind(path=path)
    unchecked = kind(path=path, verify=False)
    assert len(unchecked.images([0])) == 1
    assert unchecked.options == {"size": 64, "verify": False}


@pytest.mark.parametrize(("kind", "files"), [(Shapes3D, "rooms"), (DSprites, "sprites")])
def test_a_file_cut_short_is_refused(kind, files, request, tmp_path):
    path, _ = request.getfixturevalue(files)
    part = tmp_path / "part"
    part.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ValueError, match=r"part cannot be read .* cut short or damaged: fetch"):
        kind(path=part, verify=False)


@pytest.mark.parametrize(("kind", "files"), [(Shapes3D, "rooms"), (DSprites, "sprites")])
def test_wishes_that_cannot_be_met_are_refused(kind, files, request):
    path, _ = request.getfixturevalue(files)
    with pytest.raises(ValueError, match=r"size must be 64, the size of the images in .* got 32"):
        kind(32, path=path)
    with pytest.raises(ValueError, match="leave it out for rendered images"):
        kind(path=path, source="rendered")
    with pytest.raises(ValueError, match="source must be 'rendered' or 'official file"):
        kind(source="official")
    with pytest.raises(FileNotFoundError, match=r"there is no file .*nowhere"):
        kind(path="nowhere")


def test_a_file_of_another_shape_is_refused(rooms, sprites, monkeypatch):
    monkeypatch.undo()
    with pytest.raises(ValueError, match=r"must hold 'images' as uint8 \(480000, 64, 64, 3\); it"):
        Shapes3D(path=rooms[0])
    with pytest.raises(ValueError, match=r"must hold 'imgs' as uint8 \(737280, 64, 64\); it holds"):
        DSprites(path=sprites[0])


def test_a_file_without_images_is_refused(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["labels"] = np.zeros(3)
    with pytest.raises(ValueError, match="has no 'images'; it has labels"):
        Shapes3D(path=tmp_path / "a.h5")
    np.savez(tmp_path / "a.npz", latents=np.zeros(3))
    with pytest.raises(ValueError, match=r"has no 'imgs'; it has latents\."):
        DSprites(path=tmp_path / "a.npz")


def test_grey_pixels_are_no_sprites(sprites):
    path, images = sprites
    np.savez(path, imgs=2 * images)
    with pytest.raises(ValueError, match="must hold pixels 0 and 1; it holds 2"):
        DSprites(path=path, verify=False).images([0])


def test_an_array_that_ends_early_is_refused(sprites, tmp_path):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|u1", "fortran_order": False, "shape": (N, 64, 64)}
    )
    with zipfile.ZipFile(tmp_path / "short.npz", "w") as archive:
        archive.writestr("imgs.npy", header.getvalue() + bytes(3 * 64 * 64 + 5))
    with pytest.raises(ValueError, match=r"imgs\.npy declares more than is there"):
        DSprites(path=tmp_path / "short.npz", verify=False).images([0])


def test_a_checked_file_is_hashed_once_until_it_changes(rooms, monkeypatch):
    path, _ = rooms
    hashed = []
    digest = _official.digest_of
    monkeypatch.setattr(_official, "digest_of", lambda *a: hashed.append(1) or digest(*a))
    for _ in range(2):
        Shapes3D(path=path)
    assert len(hashed) == 1
    os.utime(path, ns=(1, 1))
    Shapes3D(path=path)
    assert len(hashed) == 2
    (record,) = cache_folder().glob("digest-*.json")
    record.write_text("damaged")
    Shapes3D(path=path)
    assert len(hashed) == 3


def test_a_file_packed_in_chunks_of_many_images_is_unpacked_once(rooms, monkeypatch, tmp_path):
    path, images = rooms
    with h5py.File(path, "w") as file:
        file.create_dataset("images", data=images, compression="gzip", chunks=(3, 4, 4, 1))
    dataset = Shapes3D(path=path, verify=False)
    assert np.array_equal(dataset.images([6, 0, 6]).transpose(0, 2, 3, 1), images[[6, 0, 6]])
    cached = tmp_path / "own cache"
    monkeypatch.setenv("GORDIUM_CACHE", str(cached))
    monkeypatch.setattr(h5, "FEW", 2)
    assert np.array_equal(dataset.images([6, 0, 6]).transpose(0, 2, 3, 1), images[[6, 0, 6]])
    assert dataset.images([]).shape == (0, 3, 64, 64)
    (table,) = cached.glob("3dshapes-*.npy")
    assert np.array_equal(np.load(table), images)
