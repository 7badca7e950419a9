"""Runs that are not the usual one, each on a page that opens without a complaint."""

import pytest

import gordium as gd
from gordium.explorer import explore
from gordium.networks import Convolutional, Linear

SMALL = Convolutional(0.125)


def train(dataset, method, **settings):
    given = {"steps": 3, "latent_dim": 4, "seed": 0, "architecture": SMALL, **settings}
    return gd.train(method, dataset, report=lambda *_: None, **given)


@pytest.fixture
def show(browser, tmp_path):
    """Opens the page of runs, goes through its parts, and gives the browser."""

    def opened(*runs, **options):
        path = explore(*runs, points=20, **options).save(tmp_path / "page.html")
        browser.open(path)
        for section in ("pair", "table", "why"):
            browser.run("document.getElementById(arguments[0]).scrollIntoView()", section)
        assert browser.problems == []
        return browser

    return opened


def text(browser, selector):
    return browser.run("return document.querySelector(arguments[0]).textContent", selector)


def test_a_run_without_decoder_shows_codes_and_says_so(show, rooms):
    shown = show(train(rooms, gd.methods.PCL()))
    assert "No decoder was trained" in text(shown, "#pictures")
    assert "no Jacobian" in text(shown, "#why")
    assert shown.run(
        "return [...document.querySelectorAll('.unit input')].every((s) => s.disabled)"
    )


def test_one_unit(show, room):
    shown = show(train(room, gd.methods.AE(), latent_dim=1))
    assert "one unit" in text(shown, "#pair")
    assert shown.run("return document.querySelectorAll('.unit').length") == 1
    assert shown.until("return document.querySelector('#why .headline').textContent") == (
        "One unit has no other to be orthogonal to."
    )


def test_sixty_units(show, room):
    shown = show(train(room, gd.methods.AE(), latent_dim=60))
    assert shown.run("return document.querySelectorAll('.unit').length") == 60
    assert "12 most important of 60" in text(shown, "#why")


def test_a_collapsed_model_says_so(show, room):
    shown = show(train(room, gd.methods.BetaVAE(beta=1e4), steps=40))
    assert "has collapsed" in text(shown, "#units")
    assert shown.run("return document.querySelector('#units details').open")


def test_vectors(show):
    dataset = gd.load_dataset("synthetic-linear")
    shown = show(train(dataset, gd.methods.VAE(), latent_dim=2, architecture=Linear()))
    assert shown.run("return document.getElementById('drop')") is None
    assert "not a grid" in text(shown, "#factors")


def test_names_with_markup_are_shown_as_they_are(show, room):
    bad = "<img src=x onerror=alert(1)></script><b>&amp;"
    images, values = room.images(range(120)), room.factors_at(range(120))
    dataset = gd.datasets.FromArrays(images, values, names=[bad, "plain"])
    shown = show(train(dataset, gd.methods.VAE()), dataset=dataset)
    assert text(shown, ".factor label") == bad
    assert text(shown, ".information thead th") == bad
    assert shown.run("return document.querySelectorAll('#factors img, #table b > img').length") == 0


def test_runs_side_by_side_are_given_the_same_image(show, room):
    runs = [train(room, gd.methods.VAE(), seed=seed) for seed in (0, 1)]
    noisy = train(gd.datasets.Noisy(room, 0.2), gd.methods.VAE())
    shown = show(*runs, noisy)
    assert shown.run("return gordium.runs().length") == 3
    assert shown.run("return document.querySelectorAll('#pictures figure').length") == 5
    before = [shown.run("return gordium.codes(arguments[0])", i) for i in range(3)]
    shown.find("#examples button:nth-child(2)").click()
    after = [shown.run("return gordium.codes(arguments[0])", i) for i in range(3)]
    assert all(a != b for a, b in zip(before, after, strict=True))


def test_lines_through_examples(show, rooms):
    shown = show(train(rooms, gd.methods.VAE()))
    assert shown.run("return document.querySelectorAll('#examples button').length") >= 8
    factor = shown.find("#factor-5")
    shown.run("arguments[0].value = 14; arguments[0].dispatchEvent(new Event('input'))", factor)
    assert text(shown, ".factor:nth-child(6) output") == "14"
