"""One page on why a trained run scores as it does: its units, its geometry and its losses."""

from gordium.explain.page import explain

__all__ = ["explain"]
