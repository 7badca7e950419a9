"""Paper scale is the published protocol; where it is not, the table of protocols says why."""

import importlib.util
from pathlib import Path

import pytest

from gordium.exhibits.catalogue import CATALOGUE

ROOT = Path(__file__).parents[2]


def load():
    path = ROOT / "docs" / "figures" / "protocols.py"
    spec = importlib.util.spec_from_file_location("protocols", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load()


@pytest.fixture(autouse=True)
def without_files(monkeypatch):
    monkeypatch.delenv("GORDIUM_DATA", raising=False)


@pytest.mark.parametrize("name", script.declare_protocols("paper"))
def test_paper_scale_is_as_published_or_says_why(name):
    told, ours = script.read_published_protocols()[name], script.declare_protocols("paper")[name]()
    other = {fact for fact in script.FACTS if fact in told and told[fact] != ours.get(fact)}
    assert other <= set(told.get("differs", {})), {f: (told[f], ours[f]) for f in other}


def test_every_published_protocol_is_declared():
    told = script.read_published_protocols()
    assert set(told.pop("sizes")) == set(script.own_sizes("paper"))
    assert (
        set(told)
        == set(script.declare_protocols("paper"))
        == set(script.declare_protocols("laptop"))
    )


def test_every_exhibit_has_a_protocol():
    """By its own name, by that of its paper's study, or among those that train nothing."""
    page = script.page()
    for name in CATALOGUE:
        paper, _, place = name.partition("-")
        assert name in page or f"`-{place}`" in page or paper in script.STUDIES, (
            f"{name} is not in docs/protocols.md: declare it in docs/figures/protocols.py "
            "(in CLOSING if it trains nothing) and run `python docs/figures/protocols.py`."
        )


def test_the_committed_table_is_up_to_date():
    committed = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    assert committed == script.page(), "run `python docs/figures/protocols.py`"
