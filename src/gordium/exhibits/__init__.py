"""The tables, figures and theorems of the papers: each is declared, computed, drawn and judged."""

from gordium.exhibits.published import read_published

__all__ = ["read_published"]
