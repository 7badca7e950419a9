"""Data of the user's: arrays, archives and folders are data sets like any other."""

import csv
import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import gordium as gd
from gordium.datasets import (
    FromArrays,
    FromFolder,
    FromNpz,
    Noisy,
    from_declaration,
    in_memory,
    open_path,
    remarks,
)
from gordium.datasets.own import from_path as _from_path
from gordium.datasets.readers import pictures as _pictures
from gordium.networks import Linear
from gordium.training.folder import declaration_hash

RNG = np.random.default_rng(0)
IMAGES = RNG.integers(256, size=(24, 3, 16, 16), dtype=np.uint8)
GRID = np.stack(np.unravel_index(np.arange(24), (2, 3, 4)), axis=1)
ORDER = [5, 0, 5, 23]


class Bomb:
    """Unpickling this would write a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


def test_arrays_are_a_data_set():
    data = FromArrays(IMAGES, GRID, names=("a", "b", "c"), kinds={"b": "circular"})
    assert [(f.name, f.size, f.kind) for f in data.factors] == [
        ("a", 2, "ordered"),
        ("b", 3, "circular"),
        ("c", 4, "ordered"),
    ]
    assert np.array_equal(data.images(ORDER), IMAGES[ORDER])
    assert np.array_equal(data.factors_at(ORDER), GRID[ORDER])
    assert data.is_grid
    assert in_memory(data) is data
    assert repr(data) == "FromArrays(24 images (3, 16, 16), factors a, b, c)"


def test_rows_in_any_order_are_found_by_their_values():
    order = RNG.permutation(24)
    data = FromArrays(IMAGES[order], GRID[order])
    assert data.is_grid
    assert np.array_equal(data.images(data.index_of(GRID)), IMAGES)
    held = data.hold(factor_1=2)
    assert [f.name for f in held.factors] == ["factor_0", "factor_2"]
    assert np.array_equal(held.images(held.index_of([[1, 3]]))[0], IMAGES[23])


def test_a_partial_grid_says_what_is_absent():
    data = FromArrays(IMAGES[:23], GRID[:23])
    assert not data.is_grid
    assert data.index_of([[1, 2, 2]]).tolist() == [22]
    with pytest.raises(ValueError, match="no image has factor_0 1, factor_1 2, factor_2 3"):
        data.index_of([[0, 0, 0], [1, 2, 3]])
    with pytest.raises(ValueError, match="pairs are drawn from a grid"):
        gd.train(gd.methods.METHODS["slow-vae"](), data, steps=1, latent_dim=2)
    assert "23 of 24 combinations" in " ".join(remarks(data))
    repeated = FromArrays(np.concatenate([IMAGES, IMAGES]), np.concatenate([GRID, GRID]))
    assert not repeated.is_grid
    assert repeated.index_of(GRID[ORDER]).tolist() == ORDER


def test_more_combinations_than_can_be_numbered_are_no_grid():
    data = FromArrays(IMAGES, np.stack([np.arange(24)] * 15, axis=1))  # 24^15 is above 2^62
    assert not data.is_grid
    assert "24 of 504,857,282,956,046,106,624 combinations" in " ".join(remarks(data))
    with pytest.raises(ValueError, match="too many combinations of values to number"):
        data.index_of(np.zeros((1, 15), int))


def test_holding_what_no_image_has_is_refused():
    data = FromArrays(IMAGES[:4], [[0, 0], [0, 1], [1, 0], [1, 0]])
    with pytest.raises(ValueError, match=r"factor_0 must be held at 0 to 1; got 2"):
        data.hold(factor_0=2)
    with pytest.raises(ValueError, match="unknown factor 'faktor_0'"):
        data.hold(faktor_0=2)
    with pytest.raises(ValueError, match="every factor is held"):
        data.hold(factor_0=0, factor_1=1)


def test_values_become_ranks_and_words_have_no_order():
    factors = {"angle": [30, -30, 0, 30], "kind": ["car", "bus", "car", "tram"]}
    data = FromArrays(IMAGES[:4], factors)
    assert data.factors_at(np.arange(4)).tolist() == [[2, 1], [0, 0], [1, 1], [2, 2]]
    assert [(f.size, f.kind) for f in data.factors] == [(3, "ordered"), (3, "nominal")]


def test_real_factors_stay_as_they_are():
    data = FromArrays(IMAGES[:4], {"x": [0.5, 0.1, 0.2, 0.5], "n": [7, 8, 7, 8]})
    assert data.factors_at([0, 1]).tolist() == [[0.5, 0.0], [0.1, 1.0]]
    assert [(f.size, f.kind) for f in data.factors] == [(0, "continuous"), (2, "ordered")]
    assert not data.is_grid
    with pytest.raises(ValueError, match="some factors are real numbers"):
        data.index_of([[0.5, 0]])


def test_layouts_of_images_are_told_apart():
    first, last = FromArrays(IMAGES, GRID), FromArrays(IMAGES.transpose(0, 2, 3, 1), GRID)
    assert first == last
    grey = FromArrays(IMAGES[:, 0], GRID)
    assert grey.image_shape == (1, 16, 16)
    floats = FromArrays(IMAGES / 255, GRID)
    assert floats.images([3]).dtype == np.float32
    np.testing.assert_allclose(floats.images([3]) * 255, IMAGES[[3]], atol=1e-4)
    with pytest.raises(ValueError, match="changes are for images of bytes"):
        Noisy(floats, 0.1)


@pytest.mark.parametrize(
    ("images", "factors", "message"),
    [
        (IMAGES[0, 0, 0], GRID, r"or vectors \(n, d\); got \(16,\)"),
        (IMAGES[0, 0], GRID, "one value for each of the 16 images"),
        (IMAGES[:0], GRID[:0], r"got \(0, 3, 16, 16\)"),
        (IMAGES.astype(float), GRID, "must lie in 0 to 1; these lie in 0.0 to 255.0"),
        (np.full((24, 9, 9), np.nan), GRID, "must lie in 0 to 1; these lie in nan to nan"),
        (IMAGES.astype(int), GRID, "images must be uint8, or floats in 0 to 1; got int64"),
        (IMAGES, GRID[:5], r"one value for each of the 24 images; it has shape \(5,\)"),
        (IMAGES, GRID[:, None], r"factors must be \(n_images, n_factors\); got \(24, 1, 3\)"),
        (IMAGES, {}, "at least one column"),
        (IMAGES, {"a": np.full(24, np.inf)}, "factor a has values that are not finite numbers"),
        (IMAGES, {"a": [None] * 24}, "factor a must be numbers or words; got object"),
    ],
)
def test_arrays_that_cannot_serve_are_refused(images, factors, message):
    with pytest.raises((ValueError, TypeError), match=message):
        FromArrays(images, factors)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ["a", "a", "b"]}, "names must be 3 different ones"),
        ({"kinds": {"a": "nominal"}}, "kinds names a; factors are factor_0"),
        (
            {"kinds": {"factor_0": "round"}},
            "must be one of ordered, circular, nominal, continuous; got 'rou",
        ),
    ],
)
def test_names_and_kinds_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        FromArrays(IMAGES, GRID, **options)


def test_a_run_is_named_by_what_the_arrays_hold():
    data = FromArrays(IMAGES, GRID)
    assert data.declaration == FromArrays(IMAGES.copy(), GRID.astype(np.int8)).declaration
    changed = IMAGES.copy()
    changed[7, 2, 3, 3] ^= 1
    others = (FromArrays(changed, GRID), FromArrays(IMAGES, GRID[::-1]))
    others += (
        FromArrays(IMAGES, GRID, kinds={"factor_0": "nominal"}),
        FromArrays(IMAGES / 255, GRID),
    )
    assert len({data.sha256, *(other.sha256 for other in others)}) == 5
    with pytest.raises(
        ValueError, match=rf"arrays in memory \(sha256 {data.sha256}\), which its dec"
    ):
        from_declaration(json.loads(json.dumps(data.declaration)))


@pytest.mark.parametrize("floats", [False, True])
def test_arrays_train_encode_and_score(floats, tmp_path):
    data = FromArrays(IMAGES / 255 if floats else IMAGES, GRID)
    options = {"steps": 3, "latent_dim": 2, "architecture": Linear(), "folder": tmp_path / "run"}
    run = gd.train(gd.methods.BetaVAE(), data, **options)
    representation = gd.encode(run.model, data, n=None)
    assert sorted(map(tuple, representation.factors)) == sorted(map(tuple, GRID))
    assert np.isfinite(representation.codes).all()
    assert 0 <= gd.metrics.mig(representation.codes, representation.factors) <= 1
    other = FromArrays(255 - IMAGES, GRID)
    with pytest.raises(ValueError, match="sha256"):
        gd.train(gd.methods.BetaVAE(), other, **options)


def test_an_archive_is_found_again_and_checked(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez_compressed(path, images=IMAGES, factors=GRID, names=np.array(["a", "b", "c"]))
    data = open_path(path)
    assert data == FromNpz(path)
    assert data.sha256 == FromArrays(IMAGES, GRID, names=("a", "b", "c")).sha256
    again = from_declaration(json.loads(json.dumps(data.declaration)))
    assert np.array_equal(again.images(ORDER), IMAGES[ORDER])
    # A run's name follows from the content, not from the place.
    moved = path.rename(tmp_path / "moved.npz")
    assert declaration_hash(FromNpz(moved).declaration) == declaration_hash(data.declaration)
    np.savez(path, images=255 - IMAGES, factors=GRID)
    with pytest.raises(ValueError, match=r"mine\.npz is not what it was: its content has sha256"):
        from_declaration(data.declaration)
    assert declaration_hash(FromNpz(path).declaration) != declaration_hash(data.declaration)


def test_archives_that_cannot_serve_are_refused_and_run_nothing(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"

    def refused(message, **arrays):
        np.savez(path, **arrays)
        with pytest.raises((ValueError, TypeError), match=message):
            FromNpz(path)

    evil = np.array([Bomb(tmp_path / "evil")], dtype=object)
    refused("has no 'factors'; it has images", images=IMAGES)
    refused("'factors' in .* is pickled Python objects", images=IMAGES, factors=evil)
    refused("'images' in .* is pickled Python objects", images=evil, factors=GRID)
    refused("'names' in .* is pickled", images=IMAGES, factors=GRID, names=evil)
    refused("24 images; it has shape", images=IMAGES, factors=GRID[:3])
    assert not (tmp_path / "evil").exists()
    np.savez(path, images=IMAGES, factors=GRID)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(ValueError, match="cut short or damaged"):
        FromNpz(path)
    path.write_text("images,factors")
    with pytest.raises(ValueError, match="cannot be read"):
        FromNpz(path)
    with pytest.raises(FileNotFoundError, match="there is no file"):
        FromNpz(tmp_path / "b.npz")
    monkeypatch.setattr(_from_path, "MOST_BYTES", 10_000)
    refused("holds 18,432 bytes of images; at most 10,000", images=IMAGES, factors=GRID)


def test_an_archive_that_declares_too_much_is_not_read(tmp_path):
    import io
    import zipfile

    header = io.BytesIO()
    shape = {"descr": "|u1", "fortran_order": False, "shape": (10**6, 3, 1000, 1000)}
    np.lib.format.write_array_header_1_0(header, shape)
    with zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("images.npy", header.getvalue() + bytes(1 << 20))
        archive.writestr("factors.npy", header.getvalue())
    with pytest.raises(ValueError, match=r"images\.npy declares more than is there"):
        FromNpz(tmp_path / "bomb.npz")


def folder_of(place, n=24, table="factors.csv", rows=None):
    place.mkdir(exist_ok=True)
    names = [f"{i:02}.png" for i in range(n)]
    for name, image in zip(names, IMAGES, strict=False):
        Image.fromarray(image.transpose(1, 2, 0)).save(place / name)
    with (place / table).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["file", "a", "b", "c"])
        default = zip(names, *GRID[:n].T, strict=True)
        writer.writerows(default if rows is None else rows)
    return place


def test_a_folder_is_a_data_set_and_is_found_again(tmp_path):
    folder = folder_of(tmp_path / "mine")
    data = open_path(folder)
    assert np.array_equal(data.images(ORDER), IMAGES[ORDER])
    # The same content is the same data set, whatever it came from.
    assert data.sha256 == FromArrays(IMAGES, GRID, names=("a", "b", "c")).sha256
    again = from_declaration(json.loads(json.dumps(data.declaration)))
    assert again == data
    assert FromFolder(folder, size=32).image_shape == (3, 32, 32)
    (folder / "03.png").write_bytes((folder / "04.png").read_bytes())
    with pytest.raises(ValueError, match="is not what it was"):
        from_declaration(data.declaration)
    run = gd.train(gd.methods.BetaVAE(), data, steps=2, latent_dim=2, architecture=Linear())
    assert sorted(gd.encode(run.model, data).factors.tolist()) == sorted(GRID.tolist())


def test_columns_are_whole_numbers_real_numbers_or_words(tmp_path):
    rows = [("00.png", "3", "0.5", "red"), ("01.png", "1", "2", "blue")]
    data = FromFolder(folder_of(tmp_path / "mine", rows=rows))
    assert [f.kind for f in data.factors] == ["ordered", "continuous", "nominal"]
    assert data.factors_at([0, 1]).tolist() == [[1, 0.5, 1], [0, 2.0, 0]]


def test_grey_pictures_make_a_grey_set_and_one_coloured_one_does_not(tmp_path):
    folder = folder_of(tmp_path / "mine", n=3)
    for name in ("00.png", "01.png", "02.png"):
        Image.open(folder / name).convert("L").save(folder / name)
    assert FromFolder(folder).image_shape == (1, 16, 16)
    Image.new("RGB", (16, 16), "red").save(folder / "01.png")
    assert FromFolder(folder).image_shape == (3, 16, 16)


@pytest.mark.parametrize(
    "name", ["../secret.png", "/etc/hostname", "sub/../../secret.png", "a\0.png"]
)
def test_a_table_that_leads_outside_is_refused(name, tmp_path):
    Image.new("L", (16, 16)).save(tmp_path / "secret.png")
    folder = folder_of(tmp_path / "mine", rows=[(name, 0, 0, 0)])
    with pytest.raises(ValueError, match=r"is not inside .*: it is refused"):
        FromFolder(folder)


def test_a_link_that_leads_outside_is_refused(tmp_path):
    Image.new("L", (16, 16)).save(tmp_path / "secret.png")
    folder = folder_of(tmp_path / "mine", rows=[("link.png", 0, 0, 0)])
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(ValueError, match=r"names 'link\.png', which is not inside"):
        FromFolder(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"it has the names \[\] and 0 pictures"),
        ("file,a\n", "and 0 pictures"),
        ("file\n00.png\n", "at least two different names"),
        ("file,a,a\n00.png,1,2\n", "at least two different names"),
        ("file,a\n00.png,1\n01.png\n", "line 3 of .* has 1 values; there are 2 names"),
        ('file,a\n00.png,"1\n', "cannot be read as a CSV table"),
        ("file,a\n99.png,1\n", r"there is no picture .*99\.png"),
        ("file,a\nfactors.csv,1\n", r"factors\.csv cannot be read as a picture"),
        ("file,a\n00.png,nan\n", "factor a has values that are not finite numbers"),
    ],
)
def test_tables_that_cannot_serve_are_refused(text, message, tmp_path):
    folder = folder_of(tmp_path / "mine", n=2)
    (folder / "factors.csv").write_text(text)
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        FromFolder(folder)
    (folder / "factors.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="cannot be read as a CSV table"):
        FromFolder(folder)
    (folder / "factors.csv").unlink()
    with pytest.raises(FileNotFoundError, match=r"there is no table .* It must be a CSV file"):
        FromFolder(folder)


def test_pictures_of_different_sizes_need_a_size(tmp_path):
    folder = folder_of(tmp_path / "mine", n=3)
    Image.new("RGB", (20, 30)).save(folder / "02.png")
    with pytest.raises(ValueError, match=r"02\.png is 20 x 30 pixels and .*00\.png 16 x 16: give"):
        FromFolder(folder)
    assert FromFolder(folder, size=24).image_shape == (3, 24, 24)
    with pytest.raises(ValueError, match="size must be a whole number of pixels"):
        FromFolder(folder, size=4)


def chunk(kind, content):
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


@pytest.mark.parametrize("side", [9000, 50_000])
def test_a_picture_that_would_unpack_to_gigabytes_is_refused_unread(side, tmp_path):
    folder = folder_of(tmp_path / "mine", n=1)
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(1 << 16))
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    (folder / "00.png").write_bytes(png)
    with pytest.raises(ValueError, match=r"at most 67,108,864 are read|exceeds limit"):
        FromFolder(folder)


def test_a_picture_cut_short_is_refused(tmp_path):
    folder = folder_of(tmp_path / "mine", n=2)
    whole = (folder / "01.png").read_bytes()
    (folder / "01.png").write_bytes(whole[:-200])
    with pytest.raises(ValueError, match=r"01\.png (is cut short or damaged|cannot be read)"):
        FromFolder(folder)


def test_too_many_bytes_are_refused(tmp_path, monkeypatch):
    folder = folder_of(tmp_path / "mine", n=3)
    monkeypatch.setattr(_from_path, "MOST_BYTES", 1000)
    with pytest.raises(ValueError, match="holds 2,304 bytes of images; at most 1,000"):
        FromFolder(folder)
    monkeypatch.setattr(_pictures, "MOST_PIXELS", 100)
    with pytest.raises(ValueError, match="is 16 x 16 pixels; at most 100"):
        FromFolder(folder)


def test_remarks_name_what_scores_cannot_use():
    constant = FromArrays(IMAGES, {"a": GRID[:, 0], "still": np.zeros(24, int)})
    said = " ".join(remarks(constant))
    assert "24 images are few" in said
    assert "factor still has one value only" in said
    assert "every combination of values has one image" in " ".join(
        remarks(FromArrays(IMAGES, GRID))
    )
    real = FromArrays(IMAGES, GRID[:, 0] / 3)
    assert "must have them binned" in " ".join(remarks(real))


def test_no_path_is_read_as_a_file_of_arrays():
    with pytest.raises(FileNotFoundError, match=r"give an \.npz file or a folder"):
        open_path(Path("nowhere"))


def test_a_data_frame_brings_its_names_and_categories():
    pandas = pytest.importorskip("pandas")
    sizes = pandas.Categorical(["small", "large", "small"], ["small", "large"], ordered=True)
    hues = pandas.Categorical(["red", "blue", "red"], ["red", "green", "blue"])
    frame = pandas.DataFrame({"size": sizes, "hue": hues, "turn": [0.5, 1.0, 2.0]})
    images = np.zeros((3, 4, 4), np.uint8)
    data = FromArrays(images, frame)
    assert [(f.name, f.kind, f.labels) for f in data.factors] == [
        ("size", "ordered", ("small", "large")),
        ("hue", "nominal", ("red", "green", "blue")),
        ("turn", "continuous", ()),
    ]
    assert data.factors_at([0, 1])[:, :2].tolist() == [[0, 0], [1, 2]]
    [alone] = FromArrays(images, frame["turn"]).factors
    assert alone.name == "turn"
