"""What a study may declare besides: real files, scored images, how runs are ranked."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from gordium.evaluation.representation import Representation
from gordium.networks import LIKELIHOODS
from gordium.study import plan, searching
from gordium.study.read import read_study, study_of
from gordium.study.search import UDR
from gordium.study.store import Store

ROOT = Path(__file__).parents[2]
TINY = tomllib.loads((ROOT / "studies" / "tiny.toml").read_text(encoding="utf-8"))


def test_drawn_images_give_way_to_real_ones_where_their_files_are(monkeypatch):
    drawn = {"data": {"drawn": {"name": "shapes3d", "real": "cars3d", "size": 16}}}
    monkeypatch.delenv("GORDIUM_DATA", raising=False)
    assert list(study_of(TINY | drawn).data) == ["drawn"]
    known = {"data": {"drawn": {"name": "shapes3d", "real": "dsprites", "size": 16}}}
    assert list(study_of(TINY | known).data) == ["dsprites"]


def test_at_paper_scale_predictors_have_the_published_numbers_of_images():
    for name in ("locatello2019", "zietlow2021", "dsprites-pairs"):
        path = ROOT / "studies" / f"{name}.toml"
        assert read_study(path, "paper").images == 15_000
        assert read_study(path, "laptop").images == 10_000
        assert read_study(path, "paper").declaration["images"] == 15_000
        assert "images" not in read_study(path, "laptop").declaration


def test_a_study_may_compile_networks_and_at_the_default_keys_stay(tmp_path):
    def keys(**settings):
        given = TINY | {"settings": {**TINY.get("settings", {}), **settings}}
        return {node.key for node in plan.make_plan(study_of(given), Store(tmp_path)).nodes}

    assert keys() == keys(compiled=False, precision="float32", initial="glorot")
    assert not keys() & keys(compiled=True)
    assert not keys() & keys(initial="torch")


def test_a_run_is_scored_on_at_least_one_image():
    with pytest.raises(ValueError, match="at least one image"):
        study_of(TINY | {"images": 0})


def test_four_fold_pixels_are_four_times_the_loss():
    logits, x = torch.randn(5, 1, 8, 8), torch.rand(5, 1, 8, 8)
    once, four = (LIKELIHOODS[name].loss(logits, x) for name in ("bernoulli", "bernoulli-x4"))
    torch.testing.assert_close(four, 4 * once)


def test_runs_are_ranked_by_what_others_found_too(monkeypatch):
    """Two of three runs have the same units, the third turns them: it agrees least."""
    chance = np.random.default_rng(0)
    z = chance.normal(size=(400, 2)).astype(np.float32)
    turn = np.array([[1, 1], [-1, 1]], np.float32) / np.sqrt(2)
    codes = {"a": z, "b": -z[:, ::-1], "c": z @ turn}
    log_variances = np.full((400, 2), -4.0, np.float32)
    monkeypatch.setattr(
        searching,
        "load_representation",
        lambda folder: Representation(codes[folder.name], log_variances, z),
    )
    scores = searching._udr(("runs/a", "runs/b", "runs/c"))
    assert min(scores) == scores[2] < 0.8 * scores[0]


def test_a_search_is_ranked_by_mig_or_udr():
    study = read_study(ROOT / "studies" / "zietlow2021.toml", "smoke")
    [search] = [data.search for data in study.data.values() if data.search]
    assert "by" not in search.declaration
    assert replace(search, by=UDR).declaration["by"] == "udr"
    with pytest.raises(ValueError, match=r"unknown ranking 'luck'\. Known: mig, udr"):
        replace(search, by="luck")
