"""From rows to tables, figures and one page; arrays and numbers in, no models."""

from gordium.report.frame import Kept, check_frame, frame_of, keep
from gordium.report.pages.study_page import study_page
from gordium.report.pages.tables import Grid, latex_table, markdown_table, summary_grid
from gordium.report.rows import Row, Summary, read_rows, summarise, write_rows
from gordium.report.statistics.agreement import (
    Agreement,
    rank_correlations,
    unsupervised_agreement,
)
from gordium.report.statistics.difference import (
    Difference,
    differences,
    paired_difference,
    unpaired_difference,
)
from gordium.report.statistics.downstream import with_efficiency
from gordium.report.statistics.line_search import line_search
from gordium.report.statistics.seeds import seed_summary
from gordium.report.statistics.significance import (
    holm,
    permutation_test,
    sign_flip_test,
)
from gordium.report.statistics.student import mean_interval
from gordium.report.statistics.tradeoff import tradeoff
from gordium.report.statistics.transfer import Transfer, transfer
from gordium.report.statistics.variance import variance_explained

__all__ = [
    "Agreement",
    "Difference",
    "Grid",
    "Kept",
    "Row",
    "Summary",
    "Transfer",
    "check_frame",
    "differences",
    "frame_of",
    "holm",
    "keep",
    "latex_table",
    "line_search",
    "markdown_table",
    "mean_interval",
    "paired_difference",
    "permutation_test",
    "rank_correlations",
    "read_rows",
    "seed_summary",
    "sign_flip_test",
    "study_page",
    "summarise",
    "summary_grid",
    "tradeoff",
    "transfer",
    "unpaired_difference",
    "unsupervised_agreement",
    "variance_explained",
    "with_efficiency",
    "write_rows",
]
