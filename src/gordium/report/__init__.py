"""From rows to tables, figures and one page; arrays and numbers in, no models."""

from gordium.report.bootstrap import mean_intervals
from gordium.report.frame import Kept, check_frame, frame_of, keep
from gordium.report.rows import Row, Summary, read_rows, summarise, write_rows
from gordium.report.seeds import seed_summary

__all__ = [
    "Kept",
    "Row",
    "Summary",
    "check_frame",
    "frame_of",
    "keep",
    "mean_intervals",
    "read_rows",
    "seed_summary",
    "summarise",
    "write_rows",
]
