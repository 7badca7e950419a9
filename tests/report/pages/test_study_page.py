"""The page of a study: what it holds for which rows, and that it stands alone."""

import base64
import gzip
import io
import itertools
import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from gordium.report import study_page
from gordium.report.pages import html as page
from gordium.report.pages import study_figures
from gordium.report.pages.provenance import provenance

SECTIONS = (
    "Scores",
    "Variants of the data",
    "Do the metrics agree?",
    "Other scores",
    "What explains the scores?",
    "Transfer",
    "Along the strength",
    "Run it again",
)


def study():
    rng = np.random.default_rng(0)
    settings = itertools.product(
        ("shapes3d", "dsprites"),
        ("original", "modified"),
        ("vae", "dip"),
        (1.0, 4.0),
        range(3),
    )
    metrics = ("mig", "dci", "reconstruction", "accuracy_100", "accuracy_10000")
    runs = [(*line, f"{i:08x}") for i, line in enumerate(settings)]
    lines = [(*run, metric) for run in runs for metric in metrics]
    head = ["dataset", "variant", "method", "strength", "seed", "run", "metric"]
    frame = pd.DataFrame(lines, columns=head)
    frame["value"] = rng.uniform(0.1, 1, len(frame))
    frame["active_units"], frame["failed"], frame["version"] = 6.0, False, "0.1.0"
    return frame.assign(over_pruned=frame["run"] == "00000000")


@pytest.fixture(scope="module")
def text():
    declared, command = {"methods": ["<vae>"]}, "gordium study run a.py"
    return study_page(study(), declared, command, discard="over_pruned")


def test_a_full_study_has_every_section(text):
    assert tuple(re.findall("<h2>(.*?)</h2>", text)) == SECTIONS
    # Two data sets, variants, methods and strengths, three seeds.
    assert "48 runs, 0 failed, 1 over-pruned; 1 discarded (over_pruned)." in text


def test_the_page_fetches_nothing_and_escapes_text(text):
    assert not re.search(r"https?:|<link|src=\"(?!data:)", text)
    assert "&lt;vae&gt;" in text
    assert "<vae>" not in text
    assert "gordium study run a.py" in text


def test_a_mean_tells_where_it_comes_from(text):
    frame = study()
    used = frame[frame["run"].isin(["00000001", "00000002"]) & (frame["metric"] == "mig")]["value"]
    mean, std = used.mean(), used.std()
    cell = re.search(rf'<td title="([^"]*)"[^>]*>{mean:.3f} ± {std:.3f} \[', text)
    assert cell is not None
    expected = "n = 2; 1 discarded; seeds 1, 2; runs 00000001, 00000002; gordium 0.1.0"
    assert cell[1] == expected


def test_the_rows_can_be_saved_from_the_page(text):
    data = re.search(r'download="rows.csv.gz" href="data:[^,]*,([^"]*)"', text)[1]
    rows = pd.read_csv(io.BytesIO(gzip.decompress(base64.b64decode(data))), dtype={"run": str})
    pd.testing.assert_frame_equal(rows, study(), check_dtype=False)


def test_a_small_study_has_the_sections_it_can_fill(tidy):
    small = study_page(tidy([0.5]), "one run", "gordium demo")
    assert re.findall("<h2>(.*?)</h2>", small) == ["Scores", "Run it again"]
    assert ">0.500</td>" in small


def test_failed_runs_are_seen(tidy):
    text = study_page(tidy([0.5, np.nan], failed=[False, True]), "two runs", "gordium demo")
    assert "2 runs, 1 failed, 0 over-pruned; 0 discarded." in text
    assert "n = 1; 1 without a number; seeds 0;" in text


def test_a_declaration_may_be_a_dataclass(tidy):
    @dataclass
    class Declared:
        steps: int = 3

    assert "&quot;steps&quot;: 3" in study_page(tidy([0.5]), Declared(), "gordium demo")


def test_long_lists_are_cut_short_and_say_so():
    found = provenance([str(i) for i in range(50)], [0] * 50, ["0.1.0"])
    assert found.startswith("n = 50; seeds 0; runs 0, 1, 2,")
    assert found.endswith("39 and 10 more, all in the rows below; gordium 0.1.0")


def test_cells_sort_by_their_numbers():
    cells = [page.Cell("1 %", 'a "b"', 0.01), page.Cell("–", value=float("nan")), page.Cell("<")]
    assert page.sortable_table(["n"], [cells]).endswith(
        '<tr><td title="a &quot;b&quot;" data-value="0.01">1 %</td>'
        '<td data-value="">–</td><td>&lt;</td></tr></tbody></table></div>'
    )


def test_what_is_not_drawn_is_said():
    assert study_figures.not_drawn(4) == []
    assert "2 more data sets or variants are in the tables" in study_figures.not_drawn(6)[0]
