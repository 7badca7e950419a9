"""The page of all exhibits is what its script makes of the committed results."""

import importlib.util
import json
from pathlib import Path

import pytest

from gordium.exhibits.catalogue import CATALOGUE

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script():
    path = ROOT / "docs" / "figures" / "reproduction.py"
    spec = importlib.util.spec_from_file_location("reproduction", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_committed_page_is_up_to_date(script):
    committed = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    assert committed == script.page(), "run `python docs/figures/reproduction.py`"


def test_every_exhibit_has_a_section(script):
    text = script.page()
    for name in CATALOGUE:
        assert text.count(f"\n## {name}\n") == 1


def test_what_was_tried_is_told_of_each_exhibit_with_an_effect_not_seen(script):
    found = {name: script.summary(name) for name in CATALOGUE}
    not_seen = {
        name
        for name, one in found.items()
        if one and not all(effect["seen"] for effect in one["effects"])
    }
    assert set(script.tried()) == not_seen


def test_effects_are_marked_both_ways(script, tmp_path, monkeypatch):
    monkeypatch.setattr(script, "RESULTS", tmp_path)
    name = "zietlow2021-table1"
    found = {
        "scale": "laptop",
        "command": f"gordium reproduce {name}",
        "versions": {"gordium": "1"},
        "effects": [
            {"statement": "it falls", "seen": True, "evidence": "2 to 1"},
            {"statement": "it rises", "seen": False, "evidence": "2 to 1"},
        ],
        "head": ["a"],
        "table": [["1"]],
        "notes": ["Tried twice."],
        "pictures": ["x.png"],
    }
    (tmp_path / name).mkdir()
    (tmp_path / name / "exhibit.json").write_text(json.dumps(found))
    (tmp_path / "tried.toml").write_text(f'{name} = "more steps"')
    text = script.page()
    assert "- seen: it falls (2 to 1)" in text
    assert "- **not seen**: it rises (2 to 1)" in text
    assert "1 of 38 exhibits have results here; 1 of 2 effects are seen" in text
    assert "Not seen, and tried: more steps" in text
    assert "Tried twice." in text
    assert "no results yet" in text
