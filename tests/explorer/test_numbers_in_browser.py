"""The page's networks in a real browser: the same numbers as PyTorch's."""

import numpy as np
import pytest
import torch

import gordium as gd
from gordium.explorer import explore
from gordium.geometry import jacobian
from gordium.geometry.orthogonality import matrix_distance
from gordium.networks import Convolutional, Mlp
from gordium.training.pixels import as_floats

DECODE = "Promise.all(given[0].map((z) => gordium.decode(z)))"
MLP = Mlp((12,), (10, 11), "relu", "tanh")


def train(dataset, method, **settings):
    given = {"steps": 3, "latent_dim": 4, "seed": 0, **settings}
    return gd.train(method, dataset, report=lambda *_: None, **given)


NARROW = {"architecture": Convolutional(0.1)}
RUNS = {
    "convolutional": (gd.methods.VAE(), {"architecture": Convolutional(0.25), "steps": 30}),
    "squared error": (gd.methods.AE(), {**NARROW, "likelihood": "gaussian"}),
    "tanh": (gd.methods.VAE(), {"architecture": MLP}),
    "full covariance": (gd.methods.BetaVAEFull(), {"architecture": MLP}),
    "normalised": (gd.methods.WeakGAN(), NARROW),
}


@pytest.mark.parametrize("kind", RUNS)
def test_networks_give_the_numbers_of_pytorch(kind, room, browser, tmp_path):
    method, settings = RUNS[kind]
    run = train(room, method, **settings)
    browser.open(explore(run, points=20).save(tmp_path / "page.html"))
    z = torch.randn(100, 4, generator=torch.Generator().manual_seed(1))
    x = as_floats(room.images([0, 77]), torch.device("cpu"))
    with torch.no_grad():
        expected = run.model.decode(z).clamp(0, 1).flatten(1).numpy()
        posterior = run.model.encode(x)
    assert 255 * np.abs(np.array(browser.wait(DECODE, z.tolist())) - expected).max() < 1
    found = browser.wait(
        "Promise.all(given[0].map((x) => gordium.encode(x)))", x.flatten(1).tolist()
    )
    for name, values in (("mean", posterior.mean), ("logVariance", posterior.log_variance)):
        np.testing.assert_allclose([f[name] for f in found], values, rtol=1e-2, atol=1e-2)
    columns = browser.wait("gordium.jacobian(given[0])", z[0].tolist())
    exact = jacobian(run.model.decode, z[:1])[0].flatten(0, -2).T
    np.testing.assert_allclose(columns, exact, rtol=1e-2, atol=2e-2 * float(exact.abs().max()))
    assert browser.problems == []


def test_sizes_that_are_no_multiple_of_sixteen_are_padded_and_cut(browser, tmp_path):
    dataset = gd.load_dataset("dsprites", size=21).hold(shape=0, orientation=3)
    run = train(dataset, gd.methods.VAE(), architecture=Convolutional(0.1))
    browser.open(explore(run, points=20).save(tmp_path / "page.html"))
    z, x = torch.zeros(1, 4), as_floats(dataset.images([5]), torch.device("cpu"))
    with torch.no_grad():
        image, code = run.model.decode(z).flatten().numpy(), run.model.encode(x).mean[0]
    assert 255 * np.abs(np.array(browser.wait("gordium.decode([0, 0, 0, 0])")) - image).max() < 1
    found = browser.wait("gordium.encode(given[0])", x.flatten().tolist())["mean"]
    np.testing.assert_allclose(found, code, rtol=1e-2, atol=1e-2)


def test_the_distance_to_orthogonality_is_that_of_the_library(run, page, browser):
    browser.open(page)
    browser.run("document.getElementById('why').scrollIntoView()")
    shown = browser.until("return document.querySelector('#why .headline').dataset.distance")
    z = torch.tensor([browser.run("return gordium.codes()")])
    units = browser.run(
        "return [...document.querySelectorAll('#why .gallery')][0].textContent.match(/z[0-9]+/g)"
    )
    columns = jacobian(run.model.decode, z).flatten(1, -2)[0][:, [int(u[1:]) for u in units]]
    expected = matrix_distance((columns.T @ columns)[None].double().numpy())[0]
    assert float(shown) == pytest.approx(expected, abs=0.02)


def test_a_browser_without_webassembly_gives_the_same_image(page, browser):
    z = [0.5, -1.0, 1.5, 0.0]
    browser.open(page)
    assert browser.run("return gordium.kernel()") == "vector"
    expected = browser.wait("gordium.decode(given[0])", z)
    command = "Page.addScriptToEvaluateOnNewDocument"
    script = browser.driver.execute_cdp_cmd(command, {"source": "delete window.WebAssembly"})
    try:
        browser.open(page)
        assert browser.run("return gordium.kernel()") == "plain"
        found = browser.wait("gordium.decode(given[0])", z)
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    assert found == pytest.approx(expected, abs=1e-5)
