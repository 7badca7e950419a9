"""Readers of files that were fetched: factor order, hashes, and what is refused."""

import gzip
import hashlib
import json
import pickle
import zipfile

import numpy as np
import pytest
import torch
from PIL import Image
from scipy.io import savemat

from gordium.datasets import (
    Cars3D,
    Faces3D,
    MPI3DReal,
    MPI3DRealistic,
    MPI3DToy,
    SmallNORB,
    from_declaration,
    load_dataset,
)
from gordium.datasets.sets import cars3d, mpi3d, smallnorb

from . import sample_files as readers

ORDER = [7, 0, 3, 3, 1]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "cache"))


class Bomb:
    """Unpickling this would write a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


def lanczos(image, size):
    return np.asarray(Image.fromarray(image).resize((size, size), Image.Resampling.LANCZOS))


def check_reads_again(dataset):
    again = from_declaration(json.loads(json.dumps(dataset.declaration)))
    assert again == dataset
    assert np.array_equal(again.images(ORDER), dataset.images(ORDER))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("cars3d", r"no nips2015-analogy-data\.tar\.gz and no car_NNN_mesh\.mat in"),
        ("smallnorb", r"no files smallnorb-5x46789x9x18x6x2x96x96-training-dat\.mat, "),
        ("mpi3d-toy", r"no mpi3d_toy\.npz in"),
        ("mpi3d-realistic", r"no mpi3d_realistic\.npz in"),
        ("mpi3d-real", r"no mpi3d_real\.npz in"),
        ("faces3d", r"no basel_face_renders\.pth in"),
    ],
)
def test_an_absent_file_is_named_with_where_to_put_it(name, wanted, tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=wanted + r"[\s\S]*path=.*GORDIUM_DATA"):
        load_dataset(name)
    monkeypatch.setenv("GORDIUM_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=wanted + f".*{tmp_path}"):
        load_dataset(name)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        load_dataset(name, path="nowhere")


def test_cars_change_fastest_then_azimuth_then_elevation(tmp_path, monkeypatch):
    folder = readers.cars(tmp_path / "data" / "cars", monkeypatch)
    dataset = Cars3D(32, path=folder)
    assert [(f.name, f.size) for f in dataset.factors] == [
        ("elevation", 2),
        ("azimuth", 5),
        ("car", 3),
    ]
    elevation, azimuth, car = np.unravel_index(np.arange(30), (2, 5, 3))
    images = dataset.images(np.arange(30))
    assert images.shape == (30, 3, 32, 32)
    assert np.array_equal(images[:, 1, 9, 9], 60 * car + 2 * azimuth + elevation)
    monkeypatch.setenv("GORDIUM_DATA", str(tmp_path))
    check_reads_again(dataset)
    # The hash of the files is part of the name, as nobody published one.
    savemat(folder / "car_020_mesh.mat", {"im": np.zeros(cars3d.SHAPE, np.uint8)})
    with pytest.raises(ValueError, match=r"source must be 'files car_\*_mesh\.mat, sha256"):
        from_declaration(dataset.declaration)


def test_cars_are_shrunk_as_in_the_large_study(tmp_path, monkeypatch):
    folder = readers.cars(tmp_path, monkeypatch)
    views = readers.pictures(cars3d.SHAPE)
    savemat(folder / "car_001_mesh.mat", {"im": views})
    found = Cars3D(path=folder).images([(1 * 5 + 3) * 3])  # elevation 1, azimuth 3, car 0
    wanted = lanczos(np.ascontiguousarray(views[..., 3, 1]), 64)
    assert np.array_equal(found[0].transpose(1, 2, 0), wanted)


def test_cars_are_read_from_the_archive_in_the_order_of_their_names(tmp_path, monkeypatch):
    folder = readers.cars(tmp_path / "cars", monkeypatch)
    files = sorted(folder.iterdir(), reverse=True)
    members = [(f"data/cars/{f.name}", f.read_bytes()) for f in files]
    path = readers.archive(tmp_path / Cars3D.official.name, [("data/list.txt", b"a"), *members])
    with pytest.raises(ValueError, match="is not the published nips2015-analogy-data"):
        Cars3D(16, path=path)
    digest = hashlib.md5(path.read_bytes()).hexdigest()
    monkeypatch.setattr(Cars3D, "official", Cars3D.official._replace(digest=digest))
    dataset = Cars3D(16, path=path)
    assert dataset.source == "official file nips2015-analogy-data.tar.gz"
    every = np.arange(30)
    assert np.array_equal(dataset.images(every), Cars3D(16, path=folder).images(every))
    monkeypatch.setenv("GORDIUM_DATA", str(tmp_path))
    check_reads_again(dataset)


@pytest.mark.parametrize("name", ["../../evil", "/tmp/evil", "data/../../evil"])
def test_an_archive_that_reaches_outside_is_refused(name, tmp_path, monkeypatch):
    folder = readers.cars(tmp_path / "deep" / "cars", monkeypatch)
    members = [(f"data/cars/{f.name}", f.read_bytes()) for f in folder.iterdir()]
    path = readers.archive(tmp_path / "deep" / "a.tar.gz", [(name, b"evil"), *members])
    before = {p for p in tmp_path.rglob("*") if "cache" not in p.parts}
    with pytest.raises(ValueError, match=r"names '.*evil', outside of itself: it is refused"):
        Cars3D(16, path=path, verify=False).images([0])
    assert {p for p in tmp_path.rglob("*") if "cache" not in p.parts} == before


def test_archives_that_hold_no_cars_are_refused(tmp_path, monkeypatch):
    folder = readers.cars(tmp_path / "cars", monkeypatch)
    path = tmp_path / "a.tar.gz"

    def refused(match, **members):
        pairs = [(f"data/cars/car_{n}_mesh.mat", content) for n, content in members.items()]
        readers.archive(path, pairs)
        with pytest.raises(ValueError, match=match):
            Cars3D(16, path=path, verify=False).images([0])

    good = (folder / "car_001_mesh.mat").read_bytes()
    refused("must hold 3 files car_NNN_mesh.mat; it holds 1", **{"001": good})
    refused(
        "car_002_mesh.mat in .* cannot be read as a MATLAB file",
        **{"001": good, "002": good[: len(good) // 2]},
    )
    refused("car_002_mesh.mat in .* cannot be read as a MATLAB file", **{"002": b"nothing" * 99})
    whole = readers.archive(path, [(f"car_{i}_mesh.mat", good) for i in range(3)]).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"a\.tar\.gz cannot be read .* cut short or damaged"):
        Cars3D(16, path=path, verify=False).images([0])
    monkeypatch.setattr(cars3d, "MOST_BYTES", 100)
    refused("too many for a car", **{"001": good})
    monkeypatch.setattr(cars3d, "MOST_UNPACKED", 100)
    refused("unpacks to over 100 bytes", **{"001": good})
    path.write_bytes(b"no archive at all")
    with pytest.raises(ValueError, match=r"a\.tar\.gz cannot be read"):
        Cars3D(16, path=path, verify=False).images([0])


def test_a_car_of_another_shape_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    folder = readers.cars(tmp_path, monkeypatch)
    savemat(folder / "car_001_mesh.mat", {"im": np.zeros((9, 9), np.uint8)})
    with pytest.raises(ValueError, match=r"must hold 'im' as uint8 .*; it holds .*\(9, 9\)"):
        Cars3D(16, path=folder).images([0])
    (folder / "car_001_mesh.mat").unlink()
    with pytest.raises(ValueError, match=r"must hold 3 files car_NNN_mesh.mat; it holds 2"):
        Cars3D(16, path=folder)


@pytest.mark.parametrize("packed", [True, False])
def test_toys_are_put_in_the_order_of_the_grid(packed, tmp_path, monkeypatch):
    images = readers.norb(tmp_path / "norb-v1.0-small", monkeypatch, packed=packed)
    dataset = SmallNORB(path=tmp_path, verify=False)
    names = ["category", "instance", "elevation", "azimuth", "lighting"]
    assert [f.name for f in dataset.factors] == names
    assert len(dataset) == 96
    found = dataset.images(np.arange(96))
    assert found.shape == (96, 1, 64, 64)
    for index in (0, 17, 95):
        assert np.array_equal(found[index, 0], lanczos(images[index], 64))
    assert np.array_equal(
        SmallNORB(96, path=tmp_path, verify=False).images(ORDER)[:, 0], images[ORDER]
    )
    assert dataset.source.startswith("official files smallnorb-5x, labels sha256 ")
    monkeypatch.setenv("GORDIUM_DATA", str(tmp_path))
    check_reads_again(dataset)
    with pytest.raises(ValueError, match=r"is not the published smallnorb.*sha256 is"):
        SmallNORB(path=tmp_path)


def test_a_checked_set_of_toys_is_used(tmp_path, monkeypatch):
    readers.norb(tmp_path, monkeypatch)
    digests = [
        hashlib.sha256((tmp_path / f"{part}-dat.mat.gz").read_bytes()).hexdigest()
        for part in smallnorb.PARTS
    ]
    monkeypatch.setattr(smallnorb, "DIGESTS", {".gz": digests})
    assert SmallNORB(16, path=tmp_path).options == {"size": 16}


def test_damaged_files_of_toys_are_refused(tmp_path, monkeypatch):
    readers.norb(tmp_path, monkeypatch, packed=False)
    train, test = smallnorb.PARTS

    def refused(name, content, match):
        path = tmp_path / f"{name}.mat"
        good = path.read_bytes()
        path.write_bytes(content(good))
        with pytest.raises(ValueError, match=match):
            SmallNORB(16, path=tmp_path, verify=False).images([0])
        path.write_bytes(good)

    refused(f"{train}-dat", lambda c: c[:-5], "5 bytes are missing at its end.*fetch it again")
    refused(f"{train}-dat", lambda c: c[:6], "2 bytes are missing")
    refused(f"{train}-dat", lambda c: c + b"x", "holds more than its first bytes declare")
    refused(f"{test}-cat", lambda c: b"\0" * 8 + c[8:], "must start with 507333716 and 1 axes")
    refused(f"{test}-cat", lambda c: c[:8] + b"\x01" + c[9:], r"must hold \(48,\); it holds \(1,\)")
    mixed = (tmp_path / f"{train}-info.mat").read_bytes()
    refused(f"{test}-info", lambda c: mixed, "name only 48 of 96 images: files are mixed up")
    refused(f"{test}-cat", lambda c: c[:-4] + b"\x07\0\0\0", "labels out of range")
    odd = np.array([0, 0, 1, 0], "<i4").tobytes()
    refused(f"{test}-info", lambda c: c[:-16] + odd, "must hold even azimuths")


def test_a_packed_file_that_unpacks_to_too_much_is_refused_early(tmp_path, monkeypatch):
    readers.norb(tmp_path, monkeypatch)
    path = tmp_path / f"{smallnorb.PARTS[0]}-cat.mat.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()) + bytes(1 << 24)))
    with pytest.raises(ValueError, match="holds more than its first bytes declare"):
        SmallNORB(16, path=tmp_path, verify=False).images([0])


KINDS = {"toy": MPI3DToy, "realistic": MPI3DRealistic, "real": MPI3DReal}


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("kind", KINDS)
def test_the_arm_is_read_from_plain_and_compressed_archives(kind, save, tmp_path, monkeypatch):
    path = tmp_path / f"mpi3d_{kind}.npz"
    images = readers.arm(path, monkeypatch, save)
    with pytest.raises(ValueError, match=rf"is not the published mpi3d_{kind}.npz: its md5 is"):
        KINDS[kind](path=path)
    digest = hashlib.md5(path.read_bytes()).hexdigest()
    monkeypatch.setattr(KINDS[kind], "official", KINDS[kind].official._replace(digest=digest))
    dataset = load_dataset(f"mpi3d-{kind}", path=path)
    assert [f.size for f in dataset.factors] == [2, 2, 2, 1, 1, 2, 3]
    assert np.array_equal(dataset.images(ORDER), images[ORDER].transpose(0, 3, 1, 2))
    # Two by two pixels become their mean, rounded.
    small = load_dataset(f"mpi3d-{kind}", size=32, path=path).images([9])[0, 2, 4, 7]
    assert small == np.floor(images[9, 8:10, 14:16, 2].mean() + 0.5)
    monkeypatch.setenv("GORDIUM_DATA", str(tmp_path))
    check_reads_again(dataset)


def test_the_first_release_is_known_by_its_number_of_images(tmp_path, monkeypatch):
    images = readers.arm(tmp_path / "mpi3d_toy.npz", monkeypatch)
    np.savez(tmp_path / "early.npz", images=images[:12])
    dataset = MPI3DToy(path=tmp_path / "early.npz", verify=False)
    assert [f.size for f in dataset.factors] == [1, 1, 2, 1, 1, 2, 3]
    assert dataset.options == {"size": 64, "verify": False}


def test_the_published_grids_have_the_published_numbers_of_images():
    assert [int(np.prod(grid)) for grid in mpi3d.GRIDS] == [1_036_800, 460_800]
    assert int(np.prod(smallnorb.GRID)) == 48_600
    assert [f.size for f in Cars3D.grid()] == [4, 24, 183]


def test_archives_without_the_images_of_the_arm_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "mpi3d_toy.npz"
    images = readers.arm(path, monkeypatch)

    def refused(match, **arrays):
        np.savez(path, **arrays)
        with pytest.raises(ValueError, match=match):
            MPI3DToy(path=path, verify=False)

    refused("has no 'images'; it has pictures", pictures=images)
    refused(r"it holds uint8 \(47, 64, 64, 3\). This is not MPI3D", images=images[:47])
    refused("it holds float64", images=images.astype(float))
    refused("it holds Fortran-ordered uint8", images=np.asfortranarray(images))
    evil = np.array([Bomb(tmp_path / "evil")], dtype=object)
    refused("it holds object", images=evil)
    assert not (tmp_path / "evil").exists()
    np.savez_compressed(path, images=images)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="cut short or damaged: fetch it again"):
        MPI3DToy(path=path, verify=False)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("images.npy", b"no array")
    with pytest.raises(ValueError, match=r"images\.npy in .* is not a NumPy array"):
        MPI3DToy(path=path, verify=False)
    np.savez(path, images=images)
    with pytest.raises(ValueError, match=r"size must divide 64.*one of 16, 32, 64; got 40"):
        MPI3DToy(40, path=path, verify=False)


def test_an_image_count_that_is_declared_but_not_there_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "mpi3d_toy.npz"
    images = readers.arm(path, monkeypatch)
    header = np.lib.format.magic(1, 0)
    np.save(tmp_path / "whole.npy", images)
    whole = (tmp_path / "whole.npy").read_bytes()
    assert whole.startswith(header)
    for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(path, "w", kind) as archive:
            archive.writestr("images.npy", whole[:-5000])
        with pytest.raises(ValueError, match=r"images\.npy declares more than is there"):
            MPI3DToy(path=path, verify=False)


@pytest.mark.parametrize("new_format", [True, False])
def test_heads_are_read_in_the_order_of_the_tensor(new_format, tmp_path, monkeypatch):
    path = tmp_path / "basel_face_renders.pth"
    images = readers.heads(path, monkeypatch)
    if not new_format:
        tensor = torch.from_numpy(images.reshape(2, 3, 2, 2, 64, 64))
        torch.save(tensor, path, _use_new_zipfile_serialization=False)
    dataset = Faces3D(path=path)
    names = ["identity", "azimuth", "elevation", "lighting"]
    assert [f.name for f in dataset.factors] == names
    assert np.array_equal(dataset.images(ORDER)[:, 0], images[ORDER])
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    named = hashlib.sha256(f"basel_face_renders.pth {digest}\n".encode()).hexdigest()
    assert dataset.source == f"file basel_face_renders.pth, sha256 {named}"
    monkeypatch.setenv("GORDIUM_DATA", str(tmp_path))
    check_reads_again(dataset)


def test_files_without_heads_are_refused_and_run_nothing(tmp_path, monkeypatch):
    path = tmp_path / "basel_face_renders.pth"
    images = readers.heads(path, monkeypatch)
    whole = path.read_bytes()
    path.write_bytes(whole[:9000])
    with pytest.raises(ValueError, match=r"has 9,000 bytes.*cut short or another file"):
        Faces3D(path=path)
    padding = bytes(images.nbytes)
    path.write_bytes(pickle.dumps(Bomb(tmp_path / "evil")) + padding)
    with pytest.raises(ValueError, match="cannot be read as a tensor"):
        Faces3D(path=path).images([0])
    torch.save({"images": torch.from_numpy(images)}, path)
    with pytest.raises(ValueError, match=r"must hold a uint8 tensor .*; it holds .*dict"):
        Faces3D(path=path).images([0])
    torch.save(torch.from_numpy(images), path)
    with pytest.raises(ValueError, match=r"it holds torch.uint8 \(24, 64, 64\)"):
        Faces3D(path=path).images([0])
    assert not (tmp_path / "evil").exists()
