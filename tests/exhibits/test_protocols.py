"""Paper scale is the published protocol; where it is not, the table of protocols says why."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gordium.exhibits.catalogue import CATALOGUE
from gordium.exhibits.studies import declare_study
from gordium.methods import ISAVAE
from gordium.optimisers import Adam
from gordium.study.arm import Arm

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "figures"))

import protocols as script  # noqa: E402
from protocol_page.shared import of_study  # noqa: E402
from protocol_page.single import TRAIN_NOTHING, declare_single  # noqa: E402
from protocol_page.words import STRENGTH  # noqa: E402

PUBLISHED = script.read_published_protocols()


@pytest.fixture(autouse=True)
def without_files(monkeypatch):
    monkeypatch.delenv("GORDIUM_DATA", raising=False)


@pytest.fixture(scope="module")
def declared():
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("GORDIUM_DATA", raising=False)
        return {scale: script.declare_all(scale) for scale in ("paper", "laptop")}


@pytest.mark.parametrize("name", PUBLISHED)
def test_paper_scale_is_as_published_or_says_why(name, declared):
    told, ours = script.published_facts(PUBLISHED[name]), declared["paper"][name]
    told = {fact: text for fact, text in told.items() if fact in ours or fact != STRENGTH}
    told.pop("for", None)
    other = {fact for fact in told if told[fact] != ours.get(fact)}
    untold = {f: (told[f], ours.get(f)) for f in other - set(PUBLISHED[name].get("differs", {}))}
    assert not untold, (
        f"published and ours differ, {untold}: mend ours, or give the reason in "
        f"[{name}.differs] of docs/figures/published_protocols.toml."
    )


def test_every_published_protocol_is_declared(declared):
    apart = set(PUBLISHED) ^ set(declared["paper"])
    assert not apart, (
        f"{apart}: what is published stands in docs/figures/published_protocols.toml "
        "([single.NAME] for an exhibit's own), what we declare in `declare_protocols` or "
        "`declare_single` of docs/figures/protocol_page: each needs the other."
    )
    assert set(declared["laptop"]) == set(declared["paper"])


def test_no_fact_is_published_that_we_do_not_declare(declared):
    for name, told in PUBLISHED.items():
        facts = set(script.published_facts(told)) - {"for", STRENGTH}
        assert facts <= set(declared["paper"][name]), name


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_exhibit_has_a_protocol(name):
    """One that names it, one of its own, or none, as it trains nothing."""
    shared, alone = script.list_shared(), declare_single("paper")
    trains = name in shared or name in alone
    assert trains != (name in TRAIN_NOTHING), (
        f"{name} needs one of: its name among the `exhibits` of a protocol in "
        "docs/figures/published_protocols.toml; [single.NAME] there and its settings in "
        "`declare_single` of docs/figures/protocol_page/single.py; a place in TRAIN_NOTHING "
        "there. Then run `python docs/figures/protocols.py`."
    )


def test_protocols_name_exhibits_that_there_are():
    unknown = {*script.list_shared(), *declare_single("paper"), *TRAIN_NOTHING} - set(CATALOGUE)
    assert not unknown, f"there is no exhibit {unknown}: mend docs/figures/protocol_page."


def test_strengths_at_laptop_scale_are_told_beside_the_published(declared):
    """Losses are sums: beta 4 at 32 x 32 is 16 at 64 x 64, twice the published 8."""
    told = {name: facts.get(STRENGTH) for name, facts in declared["laptop"].items()}
    assert set(told["zietlow2021"].split("; ")) == {
        "2 times: BetaVAE on dsprites",
        "1.14 times: FactorVAE on dsprites",
        "2.67 times: BetaTCVAE on dsprites",
        "4 times: SlowVAE on dsprites, FactorVAE on shapes3d, SlowVAE on shapes3d",
        "1 times: BetaVAE on shapes3d, BetaTCVAE on shapes3d",
    }
    assert told["locatello2019"] == told["stuehmer2020"] == "1 times"  # a pixel counts as four
    assert told["burgess2018-figure3"] == "0.4 times"  # gamma 100 in place of 1000
    assert told["stuehmer2020-figure3"] == "4 times"


def test_a_declaration_that_changes_changes_what_the_table_says():
    study = declare_study("headline", "paper")
    data = study.data["shapes3d"]
    learning = replace(
        data.search.learning, latent_samples=7, decoder_batches=2, steps=9, optimiser=Adam(0.5)
    )
    search = replace(data.search, disentangled=3, learning=learning)
    isa = Arm(method=ISAVAE(beta=2.0, p0=1.5, layout=2), settings={"steps": 3, "latent_dim": 4})
    other = replace(
        study, data={"a": replace(data, epsilon=0.5, search=search)}, arms=(isa,), images=30
    )
    found = of_study(other, study)
    assert found["change"] == "epsilon 0.5"
    assert found["ensemble"] == "3 + 4 pairs"
    assert found["change's batches"] == "2 of the decoders for one, 7 latent samples"
    assert found["change's length"] == "9 steps of 64"
    assert found["change's optimisers"] == "Adam 0.5, decoders Adam 0.0001 eps 1e-07"
    assert found["prior"] == "2 + 2 units, p0 1.5, p 2.2"
    assert (found["methods"], found["training"]) == ("ISAVAE 2", "3 steps of 64, Adam 0.0001")
    assert found["scoring"] == "30 images"


def test_the_committed_table_is_up_to_date():
    committed = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    assert committed == script.page(), "run `python docs/figures/protocols.py`"
