"""What a page holds, without a browser."""

import json
import re
from base64 import b64decode

import numpy as np
import pytest
import torch
from torch import nn

import gordium as gd
from gordium.evaluation import Representation
from gordium.explain.subject import Kind
from gordium.explorer import explore
from gordium.explorer.blob import Blob
from gordium.explorer.layers import check_weights, layers_of, step_sizes
from gordium.explorer.page import SCRIPTS
from gordium.explorer.sheets import sheet
from gordium.explorer.stored import choose
from gordium.explorer.units import information, unit_kl, units_of


def content(made):
    block = re.search(r'id="content">(.*?)</script>', made.page, re.DOTALL)
    return json.loads(block[1])


@pytest.fixture(scope="module")
def made(run):
    return explore(run, points=60, command="gordium explore run")


def test_the_page_is_one_file_that_names_no_other(made):
    outside = re.findall(r"(?:src|href)\s*=\s*[\"'](?!data:|#)[^\"']*|url\((?!data:)", made.page)
    assert outside == []
    assert "<!--" not in made.page.split("</style>")[0]
    assert content(made)["command"] == "gordium explore run"


def test_a_notebook_shows_the_page_and_a_terminal_its_name(made, tmp_path):
    assert made._repr_html_().startswith("<iframe title=")
    assert repr(made) == "Explorer(title='beta-vae on shapes3d (held)')"
    with pytest.raises(ValueError, match=r"the page is an \.html file; got"):
        made.save(tmp_path / "page.txt")


def test_every_script_of_the_package_is_in_the_page():
    from importlib.resources import files

    there = {f.name for f in files("gordium.explorer").joinpath("assets").iterdir()}
    assert there == {*SCRIPTS, "page.html", "style.css"}


def test_a_small_grid_is_stored_whole_and_a_large_one_as_lines(room, rooms):
    whole = choose(room, n_points=60, seed=0)
    assert whole.whole
    assert whole.kept.tolist() == list(range(120))
    lines = choose(rooms, n_points=60, seed=0)
    assert not lines.whole
    assert len(lines.examples) >= 8
    assert len(lines.kept) <= 1500
    for example, along in zip(lines.examples, lines.lines, strict=True):
        values = rooms.factors_at(lines.kept[[example]])[0]
        for k, (line, stops) in enumerate(zip(along, lines.stops, strict=True)):
            on = rooms.factors_at(lines.kept[line])
            assert on[:, k].tolist() == stops
            assert (np.delete(on, k, axis=1) == np.delete(values, k)).all()


def test_points_are_different_images(rooms):
    assert len(np.unique(choose(rooms, n_points=1000, seed=0).points)) == 1000


def test_a_sheet_keeps_within_its_bytes():
    noise = np.random.default_rng(0).integers(256, size=(100, 3, 64, 64), dtype=np.uint8)
    start, _, content = sheet(noise, most=60_000)["source"].partition(",")
    assert start == "data:image/webp;base64"
    assert len(b64decode(content)) <= 60_000
    flat = np.zeros((5, 1, 20, 30), np.uint8)
    found = sheet(flat, most=60_000)
    assert (found["columns"], found["tile"]) == (3, [30, 20])


def test_steps_are_so_fine_that_the_largest_weight_of_an_output_has_32767():
    weight = np.array([[1.0, 0.0], [-3.2767, 0.0]])
    assert step_sizes(weight).tolist() == pytest.approx([1e-4, 1.0])


def test_units_are_ordered_by_noise_and_passive_ones_are_known():
    n = 1000
    noise = np.log([1.0, 0.01, 0.3]) * np.ones((n, 1))
    codes = np.random.default_rng(0).standard_normal((n, 3)) * np.sqrt(1 - np.exp(noise[0]))
    found = units_of(
        Representation(codes, noise, np.zeros((n, 1))), Kind(True, True, True), np.zeros(3)
    )
    assert [unit["unit"] for unit in found] == [1, 2, 0]
    assert [unit["active"] for unit in found] == [True, True, False]
    assert found[2]["kl"] == 0
    assert all(unit["low"] <= -3 and unit["high"] >= 3 for unit in found)


def test_kl_of_a_unit_that_copies_the_prior_is_0_and_of_a_shifted_one_half_its_square():
    found = Representation(np.array([[0.0, 2.0]]), np.zeros((1, 2)), np.zeros((1, 1)))
    assert unit_kl(found).tolist() == [0, 2]


def test_information_of_a_code_that_is_the_factor_is_all_of_it():
    factors = np.arange(400)[:, None] % 4
    codes = np.concatenate([factors, np.zeros((400, 1))], axis=1).astype(float)
    found = information(Representation(codes, codes, factors))
    assert found["share"] == [[1.0], [0.0]]
    assert found["gaps"] == [1.0]


def test_what_the_page_cannot_run_is_refused():
    with pytest.raises(
        ValueError, match="cannot run a layer of type GELU; it knows Linear, Conv2d"
    ):
        layers_of(nn.Sequential(nn.GELU()), Blob())
    with pytest.raises(ValueError, match="one group, no dilation and zeros as padding"):
        layers_of(nn.Sequential(nn.Conv2d(2, 2, 3, groups=2)), Blob())
    with pytest.raises(ValueError, match=r"an nn\.Sequential; got a GELU"):
        layers_of(nn.GELU(), Blob())
    broken = nn.Linear(1, 1)
    nn.init.constant_(broken.weight, torch.nan)
    with pytest.raises(ValueError, match="not finite: its training has failed"):
        layers_of(nn.Sequential(broken), Blob())


def test_a_huge_model_is_refused():
    with pytest.raises(ValueError, match=r"have 20,250,000 weights together; a page holds at most"):
        check_weights(nn.Linear(4500, 4500, bias=False))


def test_bad_requests_are_refused(run, rooms):
    with pytest.raises(ValueError, match="a page shows 1 to 6 runs; got 0"):
        explore()
    with pytest.raises(ValueError, match="points must lie in 1 to 1000; got 0"):
        explore(run, points=0)
    with pytest.raises(
        ValueError, match=r"trained on images of shape \(3, 16, 16\); got \(1, 64, 64\)"
    ):
        explore(run, dataset=gd.load_dataset("dsprites"))


def test_runs_on_other_factors_are_not_put_side_by_side(run, rooms):
    settings = dict(steps=1, latent_dim=4, architecture=gd.networks.Linear())
    other = gd.train(gd.methods.VAE(), rooms, report=lambda *_: None, **settings)
    with pytest.raises(ValueError, match=r"same factors; got scale \(8\), orientation \(15\) and"):
        explore(run, other, points=5)
