"""`gordium explain`: a page for every kind of run."""

import json

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import gordium as gd
from gordium.cli.main import app
from gordium.datasets import SyntheticLinear
from gordium.evaluation.representation import choose_rows
from gordium.explain.numbers import explained_variance
from gordium.explain.page import collapse
from gordium.methods import AE, PCL, BetaVAE, WeakGAN
from gordium.networks import Linear
from gordium.training.pixels import as_floats

SECTIONS = {
    "Units": "z0",
    "What a small step of each unit changes": "at four points",
    "Are the changes orthogonal?": "cosines",
    "Distance to orthogonality": "chance",
    "Where the loss comes from": "(13) + (14)",
    "Traversals": "two most important units",
    "Units and factors": "share of each code",
    "Units, principal components and factors": "Angles between changes",
}


def explained(method, data, folder):
    """The page and the numbers of a run of three steps."""
    options = {"steps": 3, "latent_dim": 2, "architecture": Linear(), "batch_size": 8}
    gd.train(method, data, folder=folder, likelihood="gaussian", device="cpu", **options)
    done = CliRunner().invoke(app, ["explain", str(folder), "--points", "6"])
    assert done.exit_code == 0, done.output
    assert "explain.html" in done.output.replace("\n", "")
    numbers = json.loads((folder / "explain.json").read_text())
    return (folder / "explain.html").read_text(), numbers


def headings(page):
    return [title for title in SECTIONS if f"<h2>{title}</h2>" in page]


def check_distance(numbers, data, folder):
    """The page's distance is that of the decoder at the images that the seed draws."""
    model = gd.load_run(folder).model
    indices = choose_rows(len(data), n=6)
    with torch.no_grad():
        z = model.encode(as_floats(data.images(indices), torch.device("cpu"))).mean
    found = gd.geometry.distance_to_orthogonality(model.decode, z)
    assert numbers["orthogonality"]["all"]["mean"] == pytest.approx(found.distance, abs=1e-9)
    assert numbers["n_points"] == 6


def test_a_vae_of_images_has_every_section(room, tmp_path):
    page, numbers = explained(BetaVAE(), room, tmp_path / "run")
    assert headings(page) == list(SECTIONS)
    assert all(text in page for text in SECTIONS.values())
    assert "http" not in page
    check_distance(numbers, room, tmp_path / "run")
    precisions = [unit["precision"] for unit in numbers["units"]]
    assert precisions == sorted(precisions, reverse=True)
    assert numbers["losses"]["quadratic"] == pytest.approx(numbers["losses"]["stochastic"], rel=0.5)
    assert numbers["factors"]["names"] == ["scale", "orientation"]


def test_a_vae_of_vectors_has_every_section(tmp_path):
    data = SyntheticLinear(n=200)
    page, numbers = explained(BetaVAE(), data, tmp_path / "run")
    assert headings(page) == list(SECTIONS)
    check_distance(numbers, data, tmp_path / "run")
    # The square's sides are orthogonal and of different lengths, the slopes of a linear map.
    assert numbers["alignment"]["components_to_factors"] == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("method", [AE(), WeakGAN(normalise=False)], ids=lambda m: type(m).__name__)
def test_without_noise_the_page_says_so_and_shows_the_decoder(method, room, tmp_path):
    page, numbers = explained(method, room, tmp_path / "run")
    assert headings(page) == [title for title in SECTIONS if title != "Where the loss comes from"]
    assert "there are no active units, no precisions and no stochastic loss" in page
    assert numbers["regime"] is None
    assert numbers["losses"] is None
    assert {unit["precision"] for unit in numbers["units"]} == {None}
    lengths = [unit["column_length"] for unit in numbers["units"]]
    assert lengths == sorted(lengths, reverse=True)
    check_distance(numbers, room, tmp_path / "run")


def test_without_a_decoder_only_codes_are_explained(room, tmp_path):
    page, numbers = explained(PCL(), room, tmp_path / "run")
    assert headings(page) == ["Units", "Units and factors"]
    assert "trains no decoder: only its codes can be explained" in page
    assert numbers["orthogonality"] is None


def test_explained_variance_of_codes_made_of_factors():
    # On the full grid of two factors: a, b, a + b (of variances 1/4 and 1), and one constant.
    a, b = (values.ravel() for values in np.meshgrid([0, 1], [0, 2]))
    codes = np.stack([a, b, a + b, np.ones(4)], axis=1)
    found = explained_variance(codes, np.stack([a, b], axis=1))
    assert found == pytest.approx(np.array([[1, 0], [0, 1], [0.2, 0.8], [0, 0]]))
    real = np.random.default_rng(0).random(10_000)
    # Ten bins of a uniform variable leave 1 / 100 of its variance within them.
    assert explained_variance(real[:, None], real[:, None])[0, 0] == pytest.approx(0.99, abs=0.002)


def test_a_collapsed_model_is_said_to_be_and_scores_and_the_explorer_are_there(room, tmp_path):
    folder = tmp_path / "run"
    page, numbers = explained(BetaVAE(), room, folder)
    assert set(numbers["scores"]) == {"mig", "modularity", "sap"}
    assert ("has collapsed" in page) == (numbers["regime"]["active_units"] == 0)
    assert collapse({**numbers, "regime": {"active_units": 1, "kl": 2.0}}) == []
    assert "explore.html" not in page
    assert collapse({**numbers, "regime": {"active_units": 0, "kl": 0.001}}) == [
        "This model has collapsed: none of its 2 units is active (KL 0.001 nats in all), so every "
        "image is decoded to much the same one and no number below says anything about factors. "
        "Train it with a weaker regulariser."
    ]
    (folder / "explore.html").touch()
    CliRunner().invoke(app, ["explain", str(folder), "--points", "6"])
    assert '<a href="explore.html">' in (folder / "explain.html").read_text()
