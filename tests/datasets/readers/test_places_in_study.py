"""A study's file may say where the files of a data set lie."""

import dataclasses
import json
from pathlib import Path
from typing import get_args, get_type_hints

import numpy as np
import pytest
from PIL import Image

from gordium.datasets import DATASETS, from_declaration
from gordium.spec import declaration_hash
from gordium.study.read import read_study

from . import sample_files

STUDY = """
name = "places"
[settings]
steps = 1
[data.{name}]
{field} = "{place}"
size = {size}
[method.ae]
"""
FIELDS = [
    (name, field.name)
    for name, kind in DATASETS.items()
    for field in dataclasses.fields(kind)
    if field.init and Path in get_args(get_type_hints(kind)[field.name])
]


def written(folder: Path, name: str, field: str, place: Path, size: int = 64) -> Path:
    path = folder / "study.toml"
    path.write_text(STUDY.format(name=name, field=field, place=place, size=size), encoding="utf-8")
    return path


def test_paths_are_among_the_fields() -> None:
    assert {("smallnorb", "path"), ("mnist", "path"), ("scream-dsprites", "picture")} <= set(FIELDS)


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_a_place_without_the_file_is_named_with_the_field(
    name: str, field: str, tmp_path: Path
) -> None:
    path = written(tmp_path, name, field, tmp_path / "nowhere")
    with pytest.raises(ValueError, match=f"data.{name}: ") as caught:
        read_study(path)
    said = str(caught.value)
    assert "union" not in said
    assert "nowhere" in said or "is rendered only: leave path out" in said


def test_files_are_read_from_the_place_by_workers_too_and_do_not_rename_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = sample_files.cars(tmp_path / "cars", monkeypatch)
    dataset = read_study(written(tmp_path, "cars3d", "path", folder)).data["cars3d"].dataset
    declared = json.loads(json.dumps(dataset.declaration))
    assert np.array_equal(from_declaration(declared).images([3]), dataset.images([3]))
    assert declared["options"].pop("path") == str(folder)
    assert declaration_hash(declared) == declaration_hash(dataset.declaration)
    # Once the files have moved, they are looked for in the usual folder.
    folder.rename(tmp_path / "moved")
    monkeypatch.setenv("GORDIUM_DATA", str(tmp_path / "moved"))
    assert from_declaration(dataset.declaration) == dataset


def test_a_painting_is_read_from_its_place(tmp_path: Path) -> None:
    picture = tmp_path / "mine.png"
    noise = np.random.default_rng(0).integers(256, size=(90, 70, 3), dtype=np.uint8)
    Image.fromarray(noise).save(picture)
    path = written(tmp_path, "scream-dsprites", "picture", picture, 16)
    dataset = read_study(path).data["scream-dsprites"].dataset
    again = from_declaration(json.loads(json.dumps(dataset.declaration)))
    assert again == dataset
    assert again.background.startswith("picture with sha256")
    bare = {k: v for k, v in dataset.declaration["options"].items() if k != "picture"}
    assert declaration_hash({"options": bare}) == declaration_hash(
        {"options": dataset.declaration["options"]}
    )
