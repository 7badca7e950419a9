"""From rows to tables, figures and one page; arrays and numbers in, no models."""

from gordium.report.rows import Row, Summary, read_rows, summarise, write_rows

__all__ = ["Row", "Summary", "read_rows", "summarise", "write_rows"]
