"""The tables and figures of the papers, declared, run and drawn."""

from gordium.exhibits.published import read_published

__all__ = ["read_published"]
