"""Why a trained run scores as it does: its units, its decoder's geometry, its losses, one page."""

from gordium.explain.page import explain

__all__ = ["explain"]
