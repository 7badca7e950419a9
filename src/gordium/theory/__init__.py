"""Propositions of the papers as small functions of arrays."""

__all__ = ["factor_analysis", "prior_orientation", "student_t_ica"]

from gordium.theory import factor_analysis, prior_orientation, student_t_ica
