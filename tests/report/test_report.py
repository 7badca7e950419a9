"""Rows to tables and pages: arithmetic by hand, files read back."""

import numpy as np
import pytest

from gordium.report.figures import images as figures
from gordium.report.pages import html as page
from gordium.report.rows import Row, read_rows, summarise, write_rows


def row(variant, seed, value, metric="mig"):
    return Row("shapes3d", variant, "beta-vae", 8.0, seed, metric, value, run="abc", n_images=120)


ROWS = [row("original", 0, 0.5), row("original", 1, 0.7), row("noise", 0, 0.4)]


def test_mean_and_deviation_over_seeds():
    found = summarise([*ROWS, row("noise", 0, 2, "active_units")], "mig")
    # Two values 0.2 apart: their standard deviation with n - 1 is 0.2 / sqrt 2.
    assert found["original"].mean == pytest.approx(0.6)
    assert found["original"].std == pytest.approx(0.2 / 2**0.5)
    assert (found["noise"].mean, found["noise"].std) == (0.4, 0.0)
    assert str(found["original"]) == "0.60 ± 0.14"


def test_rows_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "rows.csv"
    write_rows(path, ROWS)
    assert path.read_text().startswith("dataset,variant,method,strength,seed,metric,value,")
    assert read_rows(path) == ROWS


def test_a_strange_table_is_named(tmp_path):
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="no rows of runs: the columns must be dataset, variant"):
        read_rows(tmp_path / "rows.csv")


def test_rows_of_the_demo_of_version_0_1_are_read_with_their_active_units(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(
        "variant,seed,metric,value,dataset,method,run,n_images,version\n"
        "original,400,mig,0.5,shapes3d,beta-vae,9c495ad821fbb025,150,0.1.0\n"
        "original,400,active_units,2,shapes3d,beta-vae,9c495ad821fbb025,150,0.1.0\n"
    )
    [found] = read_rows(path)
    assert (found.metric, found.value, found.active_units) == ("mig", 0.5, 2)
    assert (found.run, found.strength, found.version) == ("9c495ad821fbb025", None, "0.1.0")


def test_values_keep_all_their_digits(tmp_path):
    exact = [ROWS[0]._replace(value=1 / 3)]
    write_rows(tmp_path / "rows.csv", exact)
    assert read_rows(tmp_path / "rows.csv")[0].value == 1 / 3


def test_a_page_is_self_contained_and_escapes_text(tmp_path):
    grid = figures.image_grid({"<row>": [np.zeros((4, 4, 3), np.uint8)] * 2, "b": []})
    parts = [page.table(("a",), [("<b>",)]), page.picture(grid, 'a "caption"')]
    page.write_page(tmp_path / "a.html", "title", parts)
    text = (tmp_path / "a.html").read_text()
    assert "&lt;b&gt;" in text
    assert "data:image/png;base64," in text
    assert "http" not in text


def test_figures_are_pictures():
    grey, colour = np.zeros((4, 4, 1), np.uint8), np.zeros((4, 4, 3), np.uint8)
    history = [{"step": 1, "loss": -1.0}, {"step": 2, "loss": 2.0}]
    for png in (
        figures.image_grid({"a": [grey]}),
        figures.sums([colour], [colour * 0.0], [colour], 0.1),
        figures.scores(summarise(ROWS, "mig"), label="MIG"),
        figures.curves([("original", history), ("noise", history)], term="loss"),
    ):
        assert png.startswith(b"\x89PNG")
