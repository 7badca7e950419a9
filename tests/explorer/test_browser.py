"""The page in a real browser: what can be moved, by mouse, by keys and by dropping a picture."""

import numpy as np
import pytest
import torch
from PIL import Image

from gordium.training.pixels import as_floats

CODES = "return gordium.codes()"
SHOWN = """
const canvas = document.querySelector("canvas.decoded");
return [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data];
"""
DROP = """
const bytes = Uint8Array.from(atob(arguments[0]), (c) => c.charCodeAt(0));
const data = new DataTransfer();
data.items.add(new File([bytes], "mine.png", {type: "image/png"}));
document.body.dispatchEvent(new DragEvent("drop", {bubbles: true, dataTransfer: data}));
"""


@pytest.fixture
def opened(browser, page):
    return browser.open(page)


def shown_image(browser):
    return np.array(browser.run(SHOWN)).reshape(16, 16, 4)[:, :, :3]


def decoded(run, codes):
    with torch.no_grad():
        image = run.model.decode(torch.tensor([codes]))[0]
    return 255 * image.permute(1, 2, 0).numpy()


def slider(browser):
    return browser.find(".unit input")


def moved_unit(browser):
    return int(slider(browser).get_attribute("id").rpartition("-")[2])


def test_a_slider_moves_its_unit_and_the_image_follows(opened, run):
    before, unit = opened.run(CODES), moved_unit(opened)
    opened.run(
        "const s = arguments[0]; s.value = 2; s.dispatchEvent(new Event('input'))", slider(opened)
    )
    after = opened.run(CODES)
    assert after[unit] == 2
    assert np.delete(after, unit) == pytest.approx(np.delete(before, unit))
    assert np.abs(shown_image(opened) - decoded(run, after)).max() <= 1
    opened.find("#undo").click()
    assert opened.run(CODES) == before
    assert opened.problems == []


def test_keys_alone_reach_and_move_a_slider_and_undo(opened):
    from selenium.webdriver import ActionChains, Keys

    before, unit = opened.run(CODES), moved_unit(opened)
    wanted = slider(opened).get_attribute("id")
    opened.run("document.body.focus()")
    for _ in range(60):
        ActionChains(opened.driver).send_keys(Keys.TAB).perform()
        if opened.run("return document.activeElement.id") == wanted:
            break
    assert opened.run("return document.activeElement.id") == wanted
    ActionChains(opened.driver).send_keys(Keys.ARROW_RIGHT * 5).perform()
    assert opened.run(CODES)[unit] == pytest.approx(before[unit] + 0.05, abs=0.011)
    for _ in range(5):
        ActionChains(opened.driver).key_down(Keys.CONTROL).send_keys("z").key_up(
            Keys.CONTROL
        ).perform()
    assert opened.run(CODES) == before


def test_reset_goes_back_to_the_code_of_the_image_and_random_leaves_it(opened):
    before = opened.run(CODES)
    opened.find("#random").click()
    assert opened.run(CODES) != before
    opened.find("#reset").click()
    assert opened.run(CODES) == before


def test_a_factor_slider_shows_that_image_and_its_code(opened, run, room):
    factor = opened.find("#factor-1")
    opened.run("const s = arguments[0]; s.value = 14; s.dispatchEvent(new Event('input'))", factor)
    scale = int(opened.find("#factor-0").get_attribute("value"))
    with torch.no_grad():
        x = as_floats(room.images(room.index_of([[scale, 14]])), torch.device("cpu"))
        code = run.model.encode(x).mean[0]
    assert opened.run(CODES) == pytest.approx(code.tolist(), abs=2e-3)
    assert opened.find(".factor:nth-child(2) output").text == "14"


def test_a_dropped_picture_is_encoded(opened, run, room, tmp_path):
    from base64 import b64encode

    pixels = room.images([50])[0].transpose(1, 2, 0)
    Image.fromarray(pixels).save(tmp_path / "mine.png")
    with torch.no_grad():
        code = run.model.encode(as_floats(room.images([50]), torch.device("cpu"))).mean[0].tolist()
    before = opened.run(CODES)
    opened.run(DROP, b64encode((tmp_path / "mine.png").read_bytes()).decode())
    opened.until("return document.getElementById('said').textContent.includes('mine.png')")
    assert opened.run(CODES) == pytest.approx(code, abs=5e-3)
    opened.find("#undo").click()
    assert opened.run(CODES) == before
    opened.find("#file").send_keys(str(tmp_path / "mine.png"))
    opened.until("return document.getElementById('undo').disabled === false")
    assert opened.run(CODES) == pytest.approx(code, abs=5e-3)


def test_what_is_no_picture_is_refused_with_a_word(opened, tmp_path):
    (tmp_path / "words.png").write_text("no picture")
    before = opened.run(CODES)
    opened.find("#file").send_keys(str(tmp_path / "words.png"))
    opened.until("return document.getElementById('said').textContent.includes('not a picture')")
    assert opened.run(CODES) == before


def test_arrow_keys_move_on_the_plane_of_two_units(opened):
    from selenium.webdriver import Keys

    before = np.array(opened.run(CODES))
    opened.find(".pad").send_keys(Keys.ARROW_LEFT)
    change = np.array(opened.run(CODES)) - before
    assert np.abs(change).max() == pytest.approx(0.1, abs=1e-3)
    assert np.count_nonzero(change) == 1


def test_a_point_of_the_plot_becomes_the_image(opened):
    from selenium.webdriver import Keys

    opened.find("button.cell").click()
    plot = opened.find("canvas.scatter")
    plot.send_keys(Keys.ARROW_RIGHT, Keys.ENTER)
    words = plot.get_attribute("aria-label")
    values = [opened.find(f".factor:nth-child({k}) output").text for k in (1, 2)]
    assert f"scale {values[0]}, orientation {values[1]}" in words


def test_nothing_is_fetched_and_nothing_complains(opened):
    for section in ("pair", "table", "why"):
        opened.run("document.getElementById(arguments[0]).scrollIntoView()", section)
    opened.until("return document.querySelector('#why .headline b')")
    asked = opened.asked
    assert asked, "the page itself is in the log"
    assert asked <= {"file", "data", "blob"}
    assert opened.problems == []
