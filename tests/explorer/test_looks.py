"""The page on a phone, in the dark, and read by machines."""

import pytest


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read(browser, page, dark):
    browser.open(page, dark=dark)
    browser.run("document.getElementById('why').scrollIntoView()")
    browser.until("return document.querySelector('#why .matrix')")
    background = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(16, 20, 26)") is dark
    assert browser.low_contrast == []


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_it_without_scrolling_sideways(browser, page, dark):
    browser.open(page, width=380, height=760, dark=dark)
    browser.run("document.getElementById('why').scrollIntoView()")
    browser.until("return document.querySelector('#why .matrix')")
    assert browser.run("return document.documentElement.scrollWidth") == 380
    assert browser.driver.get_screenshot_as_png().startswith(b"\x89PNG")


def test_controls_and_pictures_have_names_and_the_page_has_landmarks(browser, page):
    browser.open(page)
    assert browser.unnamed == []
    for landmark in ("header", "nav", "main", "footer", "main section[aria-labelledby]"):
        assert browser.find(landmark)
    assert browser.run("return document.documentElement.lang") == "en"
    assert browser.run("return document.querySelectorAll('h1').length") == 1
