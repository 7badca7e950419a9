"""The papers' propositions as small functions of arrays, one idea per file; no training."""

from gordium.lookup import answer_at_the_border
from gordium.theory import factor_analysis, prior_orientation, student_t_ica
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
from gordium.theory.entangling_maps import Entangling, Marginal, entangle, householder
from gordium.theory.lemmas import absorb_diagonals, best_scale, trace_gap
from gordium.theory.linear_gaussian import (
    Gaussians,
    LinearGaussian,
    best_fit,
    best_mean_field,
    elbo,
    log_likelihood,
    mean_field_gap,
    posterior,
)
from gordium.theory.linear_vae import LinearVAE, linear_vae_loss, linear_vae_optimum
from gordium.theory.local_improvement import equalise, orthogonalise
from gordium.theory.noise_alignment import (
    Alignment,
    noise_alignment,
    noise_loss,
    noise_loss_bound,
    scales_of,
)
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
    "Alignment",
    "Entangling",
    "Gaussians",
    "LinearGaussian",
    "LinearVAE",
    "Marginal",
    "absorb_diagonals",
    "best_fit",
    "best_mean_field",
    "best_rotation",
    "best_scale",
    "column_norm_product",
    "column_norms",
    "decompose_reconstruction",
    "descend",
    "elbo",
    "entangle",
    "equalise",
    "factor_analysis",
    "has_distinct_scales",
    "has_orthogonal_columns",
    "householder",
    "largest_cosine",
    "least_loss",
    "linear_vae_loss",
    "linear_vae_optimum",
    "log_budget",
    "log_likelihood",
    "lower_bound",
    "mean_bound",
    "mean_field_gap",
    "noise_alignment",
    "noise_loss",
    "noise_loss_bound",
    "objective",
    "optimal_variances",
    "orthogonalise",
    "posterior",
    "preserves_axes",
    "prior_orientation",
    "random_start",
    "rotation",
    "sample_bound",
    "scales_of",
    "stochastic_loss",
    "student_t_ica",
    "trace_gap",
    "volume",
]

answer_at_the_border(globals())
