"""The catalogue is whole, its modules exist, and what is made is written down."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.catalogue import CATALOGUE, Entry
from gordium.exhibits.published import _all
from gordium.exhibits.reproduce import load_exhibit, reproduce, write_made

READY = [name for name, entry in CATALOGUE.items() if entry.module]


def test_all_exhibits_are_listed(reference: Path) -> None:
    known = json.loads((reference / "exhibits.json").read_text())["exhibits"]
    assert set(CATALOGUE) == {exhibit["id"] for exhibit in known}


def test_published_numbers_belong_to_an_exhibit() -> None:
    assert set(_all()) <= set(CATALOGUE)


@pytest.mark.parametrize("name", READY)
def test_ready_exhibits_have_a_maker(name: str) -> None:
    assert callable(load_exhibit(name).make)


def test_every_exhibit_can_be_made() -> None:
    assert list(CATALOGUE) == READY


def test_an_exhibit_that_is_not_built_says_so(monkeypatch) -> None:
    monkeypatch.setitem(CATALOGUE, "later", Entry("nowhere", "nothing"))
    with pytest.raises(ValueError, match="cannot be made yet"):
        load_exhibit("later")
    with pytest.raises(ValueError, match="Did you mean zietlow2021-table1"):
        load_exhibit("zietlow2021-table11")


def test_made_is_written_down(tmp_path: Path) -> None:
    made = Made(
        head=("what", "published", "here"),
        table=[("a", "1", "2")],
        rows=[{"what": "a", "value": 2.0}, {"what": "b", "seed": 1}],
        effects=[Effect("it falls", np.float64(2) < 1, "2 against 1")],
        pictures={"figure.png": b"png"},
    )
    entry = CATALOGUE["zietlow2021-table1"]
    write_made("x", entry, made, scale="smoke", out=tmp_path, command="gordium reproduce x")
    assert (tmp_path / "rows.csv").read_text() == "what,value,seed\na,2.0,\nb,,1\n"
    assert (tmp_path / "figure.png").read_bytes() == b"png"
    text = (tmp_path / "table.md").read_text()
    assert "| a | 1 | 2 |" in text
    assert "NOT seen: it falls (2 against 1)" in text
    summary = json.loads((tmp_path / "exhibit.json").read_text())
    assert summary["effects"][0]["seen"] is False
    assert summary["command"] == "gordium reproduce x"


def test_an_unknown_scale_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown scale 'huge'"):
        reproduce("zietlow2021-table1", Place("huge", tmp_path), out=tmp_path, command="")
    assert os.listdir(tmp_path) == []
