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
    untold = {f: (told[f], ours.get(f)) for f in other - set(told.get("differs", {}))}
    assert not untold, (
        f"published and ours differ, {untold}: mend ours, or give the reason in "
        f"[{name}.differs] of docs/figures/published_protocols.toml."
    )


def test_every_published_protocol_is_declared():
    told = script.read_published_protocols()
    apart = set(told.pop("sizes")) ^ set(script.own_sizes("paper"))
    apart |= set(told) ^ set(script.declare_protocols("paper"))
    assert not apart, (
        f"{apart}: what is published stands in docs/figures/published_protocols.toml ([sizes] for "
        "a single exhibit), what we declare in `own_sizes` or `declare_protocols` of protocols.py: "
        "each needs the other."
    )
    assert set(told) == set(script.declare_protocols("laptop"))


def test_every_exhibit_has_a_protocol():
    """By its own name, by that of its paper's study, or among those that train nothing."""
    page = script.page()
    for name in CATALOGUE:
        assert name in page or name.partition("-")[0] in script.STUDIES, (
            f"{name} is not in docs/protocols.md: add it to TRAIN_NOTHING in "
            "docs/figures/protocols.py, or its sizes to `own_sizes` there and the published ones "
            "to [sizes] in published_protocols.toml; then run `python docs/figures/protocols.py`."
        )
    unknown = set(script.TRAIN_NOTHING) - set(CATALOGUE)
    assert not unknown, f"TRAIN_NOTHING in docs/figures/protocols.py has no exhibit {unknown}."


def test_the_committed_table_is_up_to_date():
    committed = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    assert committed == script.page(), "run `python docs/figures/protocols.py`"
