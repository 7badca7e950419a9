"""The tables and figures of the papers, declared, run and drawn."""

from gordium.exhibits.published import published

__all__ = ["published"]
