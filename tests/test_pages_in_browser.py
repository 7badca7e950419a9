"""Every page in a real browser: by day and night, on a phone, read aloud, by keys, on paper."""

from base64 import b64decode
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import gordium as gd
from gordium.audit.audit import run_audit
from gordium.datasets.variants.noisy import Noisy
from gordium.exhibits.base import Made
from gordium.exhibits.demo import Repetition, find_rung
from gordium.exhibits.demo.page import write_repetition
from gordium.exhibits.reproduce import write_made
from gordium.explain import explain
from gordium.explorer import explore
from gordium.networks import Convolutional
from gordium.report.figures.sweeps import distributions
from gordium.report.frame import frame_of
from gordium.report.pages.study_page import study_page
from gordium.report.rows import Row

FACTS = """
return {
  lang: document.documentElement.lang,
  titles: document.querySelectorAll("h1").length,
  parts: ["header", "main"].filter((name) => document.querySelector(`body > ${name}`)),
  unsaid: [...document.querySelectorAll("img")].filter((i) => /[.]png|^$/.test(i.alt)).length,
};
"""
UNFOLD = "document.querySelectorAll('details').forEach((part) => { part.open = true; })"
REACHABLE = """
const kinds = "a[href], button, summary, select, input, [tabindex]";
window.reachable = [...document.querySelectorAll(kinds)].filter(
  (node) => node.checkVisibility() && !node.disabled && node.tabIndex >= 0);
return window.reachable.length;
"""
FOCUSED = "return window.reachable.indexOf(document.activeElement)"


@pytest.fixture(scope="module")
def run(room):
    settings = {"steps": 3, "latent_dim": 3, "seed": 0, "architecture": Convolutional(0.125)}
    return gd.train(gd.methods.BetaVAE(beta=0.1), room, report=lambda *_: None, **settings)


def write_explain(run, room, folder):
    explain(run, room, out=folder / "page.html", command="gordium explain run", points=5)
    return folder / "page.html"


def write_audit(run, room, folder):
    run_audit(room, folder, command="gordium audit room", n=10)
    return folder / "audit.html"


def write_exhibit(run, room, folder):
    values = np.linspace(0, 1, 12)
    made = Made(
        head=("what", "published", "here, with a name as long as it comes"),
        table=[("a_name_that_no_phone_can_show_on_one_line", "0.12 ± 0.34", "0.56")] * 3,
        rows=[
            {"dto": x, "disentanglement": 1 - x, "seed": k, "steps": 5}
            for k, x in enumerate(values)
        ],
        pictures={"score-by_method.png": distributions({"all": {"vae": values}}, label="MIG")},
        notes=["A note."],
    )
    command = "gordium reproduce rolinek2019-figure3 --scale smoke --out a/folder/with/a/long/name"
    write_made("rolinek2019-figure3", made, scale="smoke", out=folder, command=command)
    return folder / "report.html"


def rows():
    return [
        Row(
            "shapes3d",
            variant,
            "beta-vae",
            4.0,
            seed,
            "mig",
            0.1 * seed,
            2,
            False,
            run=f"{variant}{seed}",
        )
        for variant in ("original", "modified", "noise", "search")
        for seed in range(1, 4)
    ]


def write_demo(run, room, folder):
    rung = find_rung("0")
    data = {name: replace(each, dataset=room) for name, each in rung.data.items()}
    this = Repetition(0, replace(rung, data=data), folder)
    chosen = SimpleNamespace(disentangled=[run], entangled=[run])
    found = SimpleNamespace(chosen=chosen, arms={"modified": Noisy(room, 0.1)}, rows=rows())
    write_repetition(this, found, "gordium demo")
    return folder / "report.html"


def write_study(run, room, folder):
    (folder / "page.html").write_text(study_page(frame_of(rows()), "a study", "gordium study"))
    return folder / "page.html"


def write_explorer(run, room, folder):
    return explore(run, points=20).save(folder / "page.html")


WRITERS = {
    "explain": write_explain,
    "audit": write_audit,
    "exhibit": write_exhibit,
    "demo": write_demo,
    "study": write_study,
    "explorer": write_explorer,
}


@pytest.fixture(scope="module", params=WRITERS)
def page(request, browser, run, room, tmp_path_factory):
    """A page's path; the browser first, since without one there is nothing to write."""
    return WRITERS[request.param](run, room, tmp_path_factory.mktemp(request.param))


def test_it_is_read_by_night_and_on_a_phone_and_asks_nobody(browser, page):
    for dark in (False, True):
        browser.open(page, width=380, height=760, dark=dark)
        browser.run(UNFOLD)
        assert browser.low_contrast == []
        assert browser.run("return document.documentElement.scrollWidth") == 380
        assert browser.asked <= {"file", "data", "blob"}
        assert browser.problems == []


def test_it_says_what_it_shows(browser, page):
    browser.open(page)
    facts = {"lang": "en", "titles": 1, "parts": ["header", "main"], "unsaid": 0}
    assert browser.run(FACTS) == facts
    assert browser.unnamed == []


def test_keys_reach_every_part_in_its_order(browser, page):
    from selenium.webdriver import ActionChains, Keys

    browser.open(page, width=380, height=760)
    there, seen = min(browser.run(REACHABLE), 12), []
    for _ in range(there + 2):  # a browser may stop at what scrolls as well
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        seen.append(browser.run(FOCUSED))
    assert there
    assert [place for place in seen if place >= 0][:there] == list(range(there))


def test_it_can_be_printed(browser, page):
    browser.open(page)
    printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
    assert b64decode(printed).startswith(b"%PDF")
    assert browser.problems == []
    if browser.run("return Boolean(window.gordium)"):  # what nobody had scrolled to is there
        assert browser.find("#why .matrix")
