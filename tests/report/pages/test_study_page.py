"""The page of a study: what it holds for which rows, and that it stands alone."""

import base64
import gzip
import io
import itertools
import json
import re

import numpy as np
import pandas as pd
import pytest

from gordium.report.names import sort_names, sort_rows
from gordium.report.pages import html as page
from gordium.report.pages import vega
from gordium.report.pages.cells import provenance
from gordium.report.pages.study_page import study_page

SECTIONS = [
    "Every run",
    "Scores",
    "Along the strength",
    "Variants of the data",
    "One metric against another",
    "Do the metrics agree?",
    "Other scores",
    "What explains the scores?",
    "Transfer",
    "Figures for a paper",
    "Run it again",
]


def study():
    rng = np.random.default_rng(0)
    settings = itertools.product(
        ("shapes3d", "dsprites"),
        ("original", "modified"),
        ("vae", "dip"),
        (1.0, 4.0),
        range(3),
    )
    metrics = ("mig", "dci", "reconstruction")
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


def sections(text):
    return re.findall("<h2[^>]*>(.*?)</h2>", text.partition("<script")[0])


def test_a_full_study_has_every_section(text):
    assert sections(text) == SECTIONS
    # Two data sets, variants, methods and strengths, three seeds.
    assert "48 runs, 0 failed, 1 over-pruned; 1 discarded (over_pruned)." in text


def test_the_answer_comes_first(text):
    start = text.index("<main>")
    assert text[start:].startswith('<main><section class="answer"')
    assert "Compared: two methods (vae, dip); two data sets (shapes3d, dsprites)" in text
    assert "48 runs (one over-pruned; one discarded)." in text
    assert "an exact test cannot give p below 0.25" in text
    assert "shapes3d: MIG on modified instead of original images is" in text


def test_the_page_fetches_nothing_and_escapes_text(text):
    ours = text.replace(vega.script(), "")
    assert not re.search(r"https?:|<link|src=\"(?!data:)", ours)
    assert "&lt;vae&gt;" in text
    assert "<vae>" not in text
    assert "gordium study run a.py" in text


def test_every_run_is_in_the_page_once_with_seed_and_values(text):
    content = json.loads(re.search('id="study">(.*?)</script>', text)[1])
    assert len(content["runs"]) == 48
    assert content["runs"][0] | {"note": "over-pruned", "seed": 0} == content["runs"][0]
    assert content["values"]["mig"][0] is None  # discarded
    frame = study()
    wanted = frame[(frame["run"] == "00000001") & (frame["metric"] == "mig")]["value"].item()
    assert content["values"]["mig"][1] == pytest.approx(wanted, rel=1e-5)


def test_methods_and_variants_stand_in_a_fixed_order():
    assert sort_names(["modified", "noise", "original"]) == ["original", "noise", "modified"]
    shuffled = study().sample(frac=1, random_state=0)
    first = sort_rows(shuffled)[["dataset", "variant", "method", "strength"]].drop_duplicates()
    again = sort_rows(first[::-1])
    assert (
        again["variant"].tolist()
        == ["original"] * 4 + ["modified"] * 4 + again["variant"].tolist()[8:]
    )


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
    assert sections(small) == ["Every run", "Scores", "Figures for a paper", "Run it again"]
    assert ">0.500</td>" in small


def test_failed_runs_are_seen(tidy):
    text = study_page(tidy([0.5, np.nan], failed=[False, True]), "two runs", "gordium demo")
    assert "2 runs, 1 failed, 0 over-pruned; 0 discarded." in text
    assert "n = 1; 1 without a number; seeds 0;" in text


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


def test_a_line_says_what_it_is_of_so_that_a_choice_can_hide_it():
    table = page.sortable_table(["n"], [[page.Cell("1")]], [{"method": '"a"'}])
    assert '<tr data-method="&quot;a&quot;"><td>1</td></tr>' in table
