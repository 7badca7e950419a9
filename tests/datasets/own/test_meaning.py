"""Kinds and words for values travel with data of the user's, whatever it comes from."""

import json

import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image
from torch.utils.data import TensorDataset
from typer.testing import CliRunner

import gordium as gd
from gordium.cli.main import app
from gordium.datasets import FromArrays, FromFolder, FromNpz, from_hf, from_torch, open_path
from gordium.networks import Linear

COLOURS = ("red", "green", "blue")
FACTORS = np.stack(np.meshgrid(range(3), range(8), indexing="ij"), -1).reshape(-1, 2)
IMAGES = np.random.default_rng(0).integers(256, size=(24, 1, 16, 16), dtype=np.uint8)
KINDS = {"colour": "nominal", "angle": "circular"}
NAMED = {"colour": FACTORS[:, 0], "angle": FACTORS[:, 1]}
WORDS = [COLOURS[value] for value in FACTORS[:, 0]]


@pytest.fixture
def npz(tmp_path):
    path = tmp_path / "mine.npz"
    more = {"names": list(NAMED), "kinds": list(KINDS.values()), "labels.colour": COLOURS}
    np.savez(path, images=IMAGES, factors=FACTORS, **more)
    return path


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "mine"
    place.mkdir()
    lines = ["file,colour,angle:circular"]
    for i, (word, angle) in enumerate(zip(WORDS, FACTORS[:, 1], strict=True)):
        Image.fromarray(IMAGES[i, 0]).save(place / f"{i}.png")
        lines.append(f"{i}.png,{word},{angle}")
    (place / "factors.csv").write_text("\n".join(lines))
    (place / "factors.json").write_text(json.dumps({"colour": {"labels": COLOURS}}))
    return place


def known(data):
    return [(f.name, f.size, f.kind, f.labels) for f in data.factors]


EXPECTED = [("colour", 3, "nominal", COLOURS), ("angle", 8, "circular", ())]


def test_an_archive_and_a_folder_are_the_same_data_and_score_the_same(npz, folder):
    archive, pictures = FromNpz(npz), FromFolder(folder)
    assert known(archive) == known(pictures) == EXPECTED
    assert archive.sha256 == pictures.sha256

    def encoder(images):
        return images.reshape(len(images), -1)[:, :40:10]

    metrics = ["mig", "sap", "mcc"]
    assert gd.evaluate(encoder, archive, metrics=metrics) == gd.evaluate(
        encoder, pictures, metrics=metrics
    )


def test_a_parquet_table_says_what_a_csv_table_says(folder):
    pytest.importorskip("pyarrow")
    frame = pd.read_csv(folder / "factors.csv")
    frame.to_parquet(folder / "other.parquet")
    (folder / "factors.json").rename(folder / "other.json")
    assert known(open_path(folder / "other.parquet")) == EXPECTED


def test_a_folder_with_no_other_table_than_a_parquet_file_is_read(folder):
    pytest.importorskip("pyarrow")
    pd.read_csv(folder / "factors.csv").to_parquet(folder / "factors.parquet")
    assert open_path(folder).table == "factors.csv"
    (folder / "factors.csv").unlink()
    assert known(open_path(folder)) == EXPECTED


def test_targets_without_a_name_that_is_asked_for_say_which_they_have():
    items = [(image, {"colour": 1, "angle": 2}) for image in IMAGES]
    with pytest.raises(ValueError, match=r"has 'label'.*all targets have: colour, angle"):
        from_torch(items)


def test_a_data_frame_keeps_its_names():
    frame = pd.DataFrame({"colour": WORDS, "angle": FACTORS[:, 1]})
    data = FromArrays(IMAGES, frame, kinds=KINDS, labels={"colour": COLOURS})
    assert known(data) == EXPECTED
    assert data.factors_at(np.arange(24)).tolist() == FACTORS.tolist()


def test_without_labels_words_are_in_the_order_of_the_alphabet():
    data = FromArrays(IMAGES, {"colour": WORDS})
    assert known(data) == [("colour", 3, "nominal", ("blue", "green", "red"))]
    assert data.factors_at([0]).tolist() == [[2]]


def test_floats_are_real_if_some_are_not_whole_or_if_it_is_said():
    values = {"a": FACTORS[:, 0].astype(float), "b": FACTORS[:, 0] / 2, "c": FACTORS[:, 0]}
    data = FromArrays(IMAGES, values, kinds={"c": "continuous"})
    assert [f.kind for f in data.factors] == ["ordered", "continuous", "continuous"]


def test_values_have_words_on_the_command_line(npz, tmp_path):
    checked = CliRunner().invoke(app, ["datasets", "check", str(npz)])
    assert "factor colour: 3 values, nominal: red, green, blue" in checked.output
    arguments = ["train", str(npz), "--hold", "colour=green", "--steps", "1", "--out"]
    options = ["--architecture", "linear", "--device", "cpu"]
    done = CliRunner().invoke(app, [*arguments, str(tmp_path / "run"), *options])
    assert done.exit_code == 0, done.output
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["declaration"]["dataset"]["values"] == {"colour": 1}
    done = CliRunner().invoke(app, [*arguments, str(tmp_path / "x"), "--hold", "colour=pink"])
    assert "unknown value of colour 'pink'. Known: red, green, blue." in done.output


def test_factors_are_held_at_words_as_at_numbers(npz):
    data = FromNpz(npz)
    assert data.hold(colour="green").declaration == data.hold(colour=1).declaration
    with pytest.raises(ValueError, match=r"unknown value of colour 'gren'. Did you mean green"):
        data.hold(colour="gren")


def test_moved_data_is_pointed_to(npz, tmp_path):
    gd.train("beta-vae", FromNpz(npz), steps=1, architecture=Linear(), folder=tmp_path / "run")
    elsewhere = npz.rename(tmp_path / "elsewhere.npz")
    lost = CliRunner().invoke(app, ["evaluate", str(tmp_path / "run")])
    assert lost.exit_code == 1
    assert "--data" in lost.output
    found = CliRunner().invoke(app, ["evaluate", str(tmp_path / "run"), "--data", str(elsewhere)])
    assert found.exit_code == 0, found.output
    np.savez(elsewhere, images=255 - IMAGES, factors=FACTORS)
    other = CliRunner().invoke(app, ["evaluate", str(tmp_path / "run"), "--data", str(elsewhere)])
    assert "is not what it was" in other.output


def test_arrays_in_memory_are_found_again_in_a_file(npz, tmp_path):
    data = FromNpz(npz)
    held = FromArrays(IMAGES, NAMED, kinds=KINDS, labels={"colour": COLOURS}).hold(angle=3)
    again = gd.datasets.from_declaration(gd.datasets.relocate(held.declaration, npz))
    assert np.array_equal(again.images([1]), data.hold(angle=3).images([1]))
    with pytest.raises(ValueError, match="shapes3d is not read from a file of yours"):
        gd.datasets.relocate(gd.load_dataset("dsprites").declaration | {"name": "shapes3d"}, npz)


@pytest.mark.parametrize("shape", [(24, 7), (24, 2, 9, 8), (24, 9, 8, 5), (24, 9, 8)])
def test_vectors_and_any_number_of_channels(shape):
    images = np.random.default_rng(0).random(shape, dtype=np.float32)
    data = FromArrays(images, FACTORS)
    kept = {2: (7, 1, 1), 3: (1, 9, 8), 4: (shape[1], 9, 8) if shape[1] == 2 else (5, 9, 8)}
    assert data.image_shape == kept[len(shape)]
    run = gd.train("ae", data, steps=1, architecture=Linear(), likelihood="gaussian")
    assert gd.encode(run, data).codes.shape == (24, 2)


def test_a_torch_data_set_is_read_with_its_targets():
    tensors = TensorDataset(torch.from_numpy(IMAGES), torch.from_numpy(FACTORS))
    assert known(from_torch(tensors, ["colour", "angle"], kinds=KINDS)) == [
        ("colour", 3, "nominal", ()),
        ("angle", 8, "circular", ()),
    ]
    given = from_torch(TensorDataset(torch.from_numpy(IMAGES)), NAMED)
    np.testing.assert_array_equal(given.factors_at(np.arange(24)), FACTORS)
    np.testing.assert_array_equal(given.images([5, 2]), IMAGES[[5, 2]])


def test_classes_of_a_torch_data_set_are_words():
    class Classes(torch.utils.data.Dataset):
        classes = COLOURS

        def __len__(self):
            return 24

        def __getitem__(self, i):
            return Image.fromarray(IMAGES[i, 0]), int(FACTORS[i, 0])

    data = from_torch(Classes())
    assert known(data) == [("label", 3, "nominal", COLOURS)]
    np.testing.assert_array_equal(data.images([7]), IMAGES[[7]])


def test_a_hugging_face_data_set_brings_its_class_labels(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    features = datasets.Features(
        {
            "image": datasets.Image(),
            "colour": datasets.ClassLabel(names=list(COLOURS)),
            "angle": datasets.Value("int64"),
        }
    )
    pictures = [Image.fromarray(image[0]) for image in IMAGES]
    columns = {"image": pictures, "colour": FACTORS[:, 0], "angle": FACTORS[:, 1]}
    table = datasets.Dataset.from_dict(columns, features=features)
    data = from_hf(table, image="image", factors=["colour", "angle"], kinds={"angle": "circular"})
    assert known(data) == EXPECTED
    np.testing.assert_array_equal(data.images([3, 20]), IMAGES[[3, 20]])
    with pytest.raises(ValueError, match="there is no column 'hue'; columns are image, colour"):
        from_hf(table, factors=["hue"])


def many(n):
    return TensorDataset(torch.zeros(n, 1, 4, 4))


BAD = {
    "no target": (lambda: from_torch(many(3)), "images without a target; give the values"),
    "iterable": (lambda: from_torch(iter([])), "has no length or cannot be indexed"),
    "names": (
        lambda: from_torch(TensorDataset(torch.zeros(3, 4, 4), torch.zeros(3, 2)), ["a"]),
        "give as many names",
    ),
    "no split": (lambda: from_hf({"image": []}), "is not a split of a Hugging Face data set"),
    "a word too many": (
        lambda: FromArrays(IMAGES, {"c": WORDS}, labels={"c": ["red", "green"]}),
        "factor c has the value 'blue', which is not among its labels: red, green",
    ),
    "a number too great": (
        lambda: FromArrays(IMAGES, NAMED, labels={"colour": ["red", "green"]}),
        "its values must lie in 0 to 1; they lie in 0 to 2",
    ),
    "labels twice": (
        lambda: FromArrays(IMAGES, NAMED, labels={"colour": ["a", "a", "b"]}),
        "the labels of colour must differ",
    ),
    "labels of nothing": (
        lambda: FromArrays(IMAGES, NAMED, labels={"hue": ["a"]}),
        "labels names hue; factors are colour, angle",
    ),
    "real and nominal": (
        lambda: FromArrays(IMAGES, {"x": FACTORS[:, 1] / 3}, kinds={"x": "nominal"}),
        "factor x has real values, and only whole numbers and words can be nominal",
    ),
    "continuous words": (
        lambda: FromArrays(IMAGES, {"c": WORDS}, kinds={"c": "continuous"}),
        "factor c has words for its values",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_serve_is_told_why(case):
    call, text = BAD[case]
    with pytest.raises((TypeError, ValueError), match=text):
        call()


def test_a_sidecar_that_says_something_else_is_refused(folder):
    (folder / "factors.json").write_text('{"colour": "nominal"}')
    with pytest.raises(ValueError, match="must hold kinds and labels of factors"):
        FromFolder(folder)
