"""Values in notebooks and terminals: short words, tables and pictures, and nothing that runs."""

import numpy as np
import pytest
from torch import nn

import gordium as gd
from gordium import notebook
from gordium.geometry import audit
from gordium.manipulation.manipulation import Manipulation
from gordium.networks import Convolutional
from gordium.study.arm import Arm
from gordium.study.data import Data
from gordium.study.study import Study


@pytest.fixture(scope="module")
def run(room):
    settings = {"steps": 2, "latent_dim": 3, "seed": 1, "architecture": Convolutional(0.1)}
    return gd.train(gd.methods.VAE(), room, report=lambda *_: None, **settings)


def test_names_are_text_and_no_markup():
    assert "&lt;b&gt;" in notebook.facts("<b>", [("<b>", "<b>")])
    assert "<b>x" not in notebook.table(("a",), [("<b>x",)])


def test_a_run_says_what_it_is(run):
    assert repr(run) == "Run(vae, original, seed 1 on shapes3d, 3 units)"
    shown = run._repr_html_()
    assert "2 steps, 3 units, seed 1" in shown
    assert "in memory" in shown


def test_a_run_draws_its_history_and_its_units(run):
    names = [axes.get_title() for axes in run.plot_history().axes]
    assert "reconstruction" in names
    figure = run.traversals()
    assert len(figure.axes) == 3 * 9
    assert len(run.traversals([2]).axes) == 9


def test_a_data_set_shows_a_row_of_images_for_each_factor(room):
    shown = room._repr_html_()
    assert "120 of 3 x 16 x 16" in shown
    assert "scale (8), orientation (15)" in shown
    assert 'src="data:image/png;base64,' in shown
    assert len(room.show().axes) == 1


def test_vectors_are_named_without_pictures():
    dataset = gd.load_dataset("synthetic-linear")
    assert "img" not in dataset._repr_html_()
    with pytest.raises(ValueError, match="a data set of vectors has no pictures to show"):
        dataset.show()


def test_scores_are_a_dictionary_that_shows_a_table():
    codes = np.arange(60.0)[:, None] % 4 * [1, -1]
    scores = gd.score(codes, codes[:, :1].astype(int), metrics="mig")
    assert scores == {"mig": 0.0}
    assert scores._repr_html_() == notebook.table(("metric", "score"), [("mig", "0")])


def test_an_audit_says_its_score(room):
    found = audit(room, n=20)
    assert repr(found).startswith(f"Audit(score {found.score:.3f} [")
    assert "<td>scale</td><td>orientation</td>" in found._repr_html_()


def test_a_study_and_a_change_say_what_they_are(room, tmp_path):
    arm = Arm(method=gd.methods.VAE(), settings={"steps": 1})
    study = Study(name="two", data={"room": Data(dataset=room)}, arms=(arm,), seeds=(0, 1))
    assert repr(study) == "Study(two: 2 runs of 1 arms)"
    assert '<td style="text-align:left">0, 1</td>' in study._repr_html_()
    change = Manipulation(nn.Identity(), room.factors, 0.1, {}, [{"step": 5}], tmp_path / "m")
    assert repr(change) == f"Manipulation(epsilon 0.1, '{tmp_path / 'm'}')"
    assert "scale, orientation" in change._repr_html_()
