"""Tables, letter for letter."""

import pandas as pd
import pytest

from gordium.report.pages.tables import latex_table, markdown_table, summary_grid
from gordium.report.statistics.seeds import seed_summary


@pytest.fixture
def summary(tidy):
    frame = pd.concat(
        [
            tidy([0.5, 0.7], method="beta_vae"),
            tidy([0.1, 0.1, 0.9], method="beta_vae", variant="modified", over_pruned=[0, 0, 1]),
            tidy([0.604], method="pcl"),
            tidy([0.4], method="pcl", variant="modified", over_pruned=True),
        ]
    )
    frame["over_pruned"] = frame["over_pruned"].astype(bool)
    return seed_summary(frame, discard=["over_pruned"])


def test_markdown_has_the_best_in_bold(summary):
    # 0.604 and 0.6 are equal in two digits; one cell of the second column is empty.
    assert markdown_table(summary_grid(summary)) == (
        "|  | shapes3d/original | shapes3d/modified |\n"
        "| --- | --- | --- |\n"
        "| beta_vae | **0.60 ± 0.14** (2) | 0.10 ± 0.00 (2, 1 discarded) |\n"
        "| pcl | **0.60** (1) | – (0, 1 discarded) |\n"
    )


def test_latex_escapes_names_and_sets_numbers_in_math(summary):
    text = latex_table(summary_grid(summary))
    assert text.splitlines() == [
        r"\begin{tabular}{lcc}",
        r"\toprule",
        r" & shapes3d/original & shapes3d/modified \\",
        r"\midrule",
        r"beta\_vae & $\mathbf{0.60 \pm 0.14}$ (2) & $0.10 \pm 0.00$ (2, 1 discarded) \\",
        r"pcl & $\mathbf{0.60}$ (1) & -- (0, 1 discarded) \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_lines_that_fall_together_are_named(tidy):
    summary = seed_summary(pd.concat([tidy([1.0], strength=1.0), tidy([2.0], strength=2.0)]))
    with pytest.raises(ValueError, match="more than one line for beta-vae and shapes3d/original"):
        summary_grid(summary)
    grid = summary_grid(summary, rows=("method", "strength"))
    assert [name for name, _ in grid.lines] == ["beta-vae/1", "beta-vae/2"]
