"""Pictures that a run leaves in its folder, if its study asks for them."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.inline import inline

from gordium.report.study_rows import study_rows
from gordium.study.pictures import DRAWINGS
from gordium.study.plan import make_plan
from gordium.study.read import study_of
from gordium.study.runner import run_study
from gordium.study.store import Store

TINY = tomllib.loads((Path(__file__).parents[2] / "studies" / "tiny.toml").read_text())
ROOM = {key: TINY["data"]["room"][key] for key in ("name", "size", "hold")}
SQUARE = {"name": "synthetic-linear", "n": 50}


def tables(draw, data):
    settings = {"steps": 3, "architecture": "linear"}
    if data is SQUARE:
        settings["likelihood"] = "gaussian"
    method = {"beta-vae": {"beta": 0.01}}
    given = {"name": "drawn", "metrics": ["mcc"], "settings": settings, "method": method}
    return {**given, "data": {"data": data}, "draw": draw}


def pixels(path):
    with Image.open(path) as image:
        return np.asarray(image)


def test_a_run_is_drawn_after_it_was_scored(tmp_path):
    study = study_of(tables(True, ROOM))
    run_study(study, Store(tmp_path), engine=inline)
    [folder] = (tmp_path / "runs").iterdir()
    sheet = pixels(folder / "reconstructions.png")
    # Two rows of ten images of 16 pixels, with two white ones after each.
    assert sheet.shape == (2 * 18, 10 * 18, 3)
    assert (sheet[16:18] == 255).all()
    # Two free factors, so two latent units; nine places of each.
    assert pixels(folder / "traversals.png").shape == (2 * 18, 9 * 18, 3)


def test_drawing_renames_nothing_and_changes_no_row(tmp_path):
    found = []
    for draw in (False, ["traversals"]):
        study = study_of(tables(draw, ROOM))
        store = Store(tmp_path / str(bool(draw)))
        found.append([node.key for node in make_plan(study, store).nodes])
        run_study(study, store, engine=inline)
        found.append(study_rows(store))
    assert found[:2] == found[2:]
    assert len(list(tmp_path.glob("*/runs/*/*.png"))) == 1


def test_numbers_are_no_pictures(tmp_path):
    study = study_of(tables(True, SQUARE))
    ended = run_study(study, Store(tmp_path), engine=inline)
    assert (ended.finished, ended.failed) == (1, {})
    assert not list(tmp_path.glob("runs/*/*.png"))


def test_an_unknown_drawing_is_named():
    assert set(DRAWINGS) == {"reconstructions", "traversals"}
    with pytest.raises(ValueError, match=r"unknown drawing 'traversal'. Did you mean traversals"):
        study_of(tables(["traversal"], ROOM))
