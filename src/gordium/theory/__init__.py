<<<<<<< HEAD
"""Propositions of the papers as small functions of arrays, one idea a file."""

from gordium.theory.columns import (
    best_rotation,
    column_norm_product,
    has_distinct_scales,
    has_orthogonal_columns,
    largest_cosine,
    preserves_axes,
    rotation,
    volume,
)
from gordium.theory.local_improvement import more_equal, more_orthogonal
from gordium.theory.optimal_noise import (
    descend,
    lower_bound,
    objective,
    random_start,
    sample_bound,
)
from gordium.theory.precision import (
    column_norms,
    least_loss,
    log_budget,
    mean_bound,
    optimal_variances,
    stochastic_loss,
)
from gordium.theory.reconstruction import decompose_reconstruction

__all__ = [
    "best_rotation",
    "column_norm_product",
    "column_norms",
    "decompose_reconstruction",
    "descend",
    "has_distinct_scales",
    "has_orthogonal_columns",
    "largest_cosine",
    "least_loss",
    "log_budget",
    "lower_bound",
    "mean_bound",
    "more_equal",
    "more_orthogonal",
    "objective",
    "optimal_variances",
    "preserves_axes",
    "random_start",
    "rotation",
    "sample_bound",
    "stochastic_loss",
    "volume",
]
=======
"""Propositions of the papers as small functions of arrays."""

__all__ = ["factor_analysis", "prior_orientation", "student_t_ica"]

from gordium.theory import factor_analysis, prior_orientation, student_t_ica
>>>>>>> stuehmer
