"""The page on a phone, in the dark, and read by machines."""

import pytest

# Text whose contrast with what is behind it is below 4.5, as "ratio: text".
CONTRAST = """
const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const behind = (node) => {
  for (; node; node = node.parentElement) {
    const found = parse(getComputedStyle(node).backgroundColor);
    if (found.length < 4 || found[3] === 1) return found;
  }
  return [255, 255, 255];
};
const low = [];
for (const node of document.querySelectorAll("body *")) {
  const own = [...node.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  if (!own || !node.checkVisibility() || ["SCRIPT", "NOSCRIPT"].includes(node.tagName)) continue;
  const both = [light(parse(getComputedStyle(node).color)), light(behind(node))];
  const [a, b] = both.sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) low.push(`${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)}`);
}
return low;
"""
UNNAMED = """
return [...document.querySelectorAll("button, input, select, canvas, [tabindex]")].filter((node) =>
  !node.closest("[aria-hidden=true]") && !(node.labels && node.labels.length) &&
  !node.getAttribute("aria-label") && !node.textContent.trim()).map((node) => node.outerHTML);
"""


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read(browser, page, dark):
    browser.open(page, dark=dark)
    browser.run("document.getElementById('why').scrollIntoView()")
    browser.until("return document.querySelector('#why .matrix')")
    background = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(16, 20, 26)") is dark
    assert browser.run(CONTRAST) == []


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_it_without_scrolling_sideways(browser, page, dark):
    browser.open(page, width=380, height=760, dark=dark)
    browser.run("document.getElementById('why').scrollIntoView()")
    browser.until("return document.querySelector('#why .matrix')")
    assert browser.run("return document.documentElement.scrollWidth") == 380
    assert browser.driver.get_screenshot_as_png().startswith(b"\x89PNG")


def test_controls_and_pictures_have_names_and_the_page_has_landmarks(browser, page):
    browser.open(page)
    assert browser.run(UNNAMED) == []
    for landmark in ("header", "nav", "main", "footer", "main section[aria-labelledby]"):
        assert browser.find(landmark)
    assert browser.run("return document.documentElement.lang") == "en"
    assert browser.run("return document.querySelectorAll('h1').length") == 1
