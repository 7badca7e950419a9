"""The page of a study in a real browser: choosing, pressing a run, keys alone, phone and dark."""

import numpy as np
import pandas as pd
import pytest

from gordium.report.pages.study_page import study_page

SHOWN = """
return [...document.querySelectorAll("#every-run .panel h3")].map((name) => name.textContent);
"""
POINTS = "return document.querySelectorAll('#every-run .mark-symbol path').length"
LINES = """
return [...document.querySelectorAll("table.filterable")].map(
  (table) => [...table.tBodies[0].rows].filter((row) => !row.hidden).length);
"""
CHOOSE = """
const [name, value] = arguments, select = document.querySelector(`#filters [name=${name}]`);
select.value = value; select.dispatchEvent(new Event("change", {bubbles: true}));
"""
BAD = "</script><img src=x onerror=alert(1)>"


def rows():
    rng = np.random.default_rng(0)
    lines = [
        {"dataset": "shapes3d", "variant": variant, "method": method, "strength": strength,
         "seed": seed, "metric": metric, "value": rng.uniform(0.1, 1), "active_units": 6.0,
         "over_pruned": False, "failed": False, "version": "0.1.0",
         "run": f"{variant[0]}{method[0]}{strength:g}{seed}"}
        for variant in ("original", "modified") for method in ("beta-vae", BAD)
        for strength in (1.0, 4.0) for seed in range(3) for metric in ("mig", "dci")
    ]  # fmt: skip
    return pd.DataFrame(lines)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    place = tmp_path_factory.mktemp("study") / "report.html"
    links = {"ob10": [("runs/ob10/explore.html", "Touch it")]}
    place.write_text(study_page(rows(), "a study", "gordium study report x", links=links))
    return place


def test_a_choice_leaves_what_fits_in_figures_and_tables(browser, path):
    browser.open(path)
    assert browser.run(SHOWN) == ["shapes3d · original", "shapes3d · modified"]
    assert browser.run(POINTS) == 24
    before = browser.run(LINES)
    browser.run(CHOOSE, "variant", "modified")
    browser.until("return document.querySelectorAll('#every-run .mark-symbol path').length === 12")
    assert browser.run(SHOWN) == ["shapes3d · modified"]
    assert browser.run(LINES)[0] == before[0] / 2
    browser.find("#filters button").click()
    browser.until("return document.querySelectorAll('#every-run .mark-symbol path').length === 24")
    browser.run(CHOOSE, "metric", "dci")
    browser.until("return document.querySelector('#metric-name').textContent.startsWith('DCI')")
    assert browser.asked <= {"file", "data", "blob"}
    assert browser.problems == []
    assert browser.run("return document.querySelectorAll('img[src=x]').length") == 0


def test_a_press_on_a_point_opens_the_place_of_its_run(browser, path):
    from selenium.webdriver import ActionChains

    browser.open(path)
    point = browser.find("#every-run .mark-symbol path")
    browser.run("arguments[0].scrollIntoView({block: 'center'})", point)
    ActionChains(browser.driver).move_to_element(point).perform()
    browser.until("return document.querySelector('#vg-tooltip-element.visible')")
    assert "seed" in browser.find("#vg-tooltip-element").text
    ActionChains(browser.driver).click(point).perform()
    browser.until("return !document.getElementById('run').hidden")
    assert browser.run("return document.activeElement.id") == "run"
    assert "of 12" in browser.find("#run table").text


def test_keys_alone_open_a_run_and_its_explorer(browser, path):
    from selenium.webdriver import Keys

    browser.open(path)
    browser.find("main > details summary").send_keys(Keys.ENTER)
    link = browser.find("#runs a[href='#run=ob10']")
    link.send_keys(Keys.ENTER)
    browser.until("return !document.getElementById('run').hidden")
    assert browser.find("#run a").get_attribute("href").endswith("runs/ob10/explore.html")


@pytest.mark.parametrize("dark", [False, True])
def test_it_reads_on_a_phone_and_in_the_dark(browser, path, dark):
    browser.open(path, width=380, height=760, dark=dark)
    browser.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert browser.run("return document.documentElement.scrollWidth") == 380
    assert browser.low_contrast == []
    assert browser.unnamed == []
    for landmark in ("header", "main", "form[aria-label]", "section[aria-label]"):
        assert browser.find(landmark)
