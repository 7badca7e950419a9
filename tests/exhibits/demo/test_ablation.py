"""Departures from the recipe differ in what they name, and are probed without a selection."""

import importlib
from dataclasses import replace
from pathlib import Path

import pytest

from gordium.exhibits.demo import Repetition, find_rung
from gordium.manipulation import ManipulationSettings
from gordium.training.folder import read_config

from .test_repetition import tiny


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[3] / "docs" / "figures")
    return importlib.import_module("ablation")


def ours() -> ManipulationSettings:
    [data] = find_rung("0").data.values()
    return data.search.learning


def test_the_first_departure_is_the_recipe_and_no_two_are_alike(script):
    departures = script.list_departures(ours())
    assert next(iter(departures.values())).learning == ours()
    assert len(set(departures.values())) == len(departures)


def test_b1_differs_from_the_published_defaults_in_steps_and_batch_alone(script):
    learning = script.list_departures(ours())["B.1"].learning
    assert replace(learning, steps=20_000, batch_size=64) == type(learning)()


@pytest.mark.parametrize("name", ["the recipe", "one pair", "random start"])
def test_every_change_of_a_departure_is_probed_by_every_seed(script, tmp_path, name):
    this = Repetition(0, tiny(), tmp_path, workers=1)
    sets, rows = script.probe_departure(this, name)
    assert len(sets) == len(rows) == 2
    assert [{row.seed for row in some} for some in rows] == [{12_000}] * 2
    assert [{row.variant for row in some} for some in rows] == [{f"{name} 1"}, {f"{name} 2"}]
    pairs = 1 if name == "one pair" else 2
    for images in sets:
        learned = read_config(images.change.folder)["declaration"]
        assert [len(learned[kind]) for kind in ("disentangled", "entangled")] == [pairs, pairs]
