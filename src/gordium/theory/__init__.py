"""The papers' propositions as small functions of arrays; nothing here is trained."""

from gordium.theory.best_scale import best_scale
from gordium.theory.empty_diagonal import absorbed_diagonals
from gordium.theory.entangle import entangle
from gordium.theory.entangling import Entangling, Marginal, householder
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
from gordium.theory.noise_alignment import (
    Alignment,
    noise_alignment,
    noise_loss,
    noise_loss_bound,
    scales_of,
)
from gordium.theory.trace_inequality import trace_gap

__all__ = [
    "Alignment",
    "Entangling",
    "Gaussians",
    "LinearGaussian",
    "LinearVAE",
    "Marginal",
    "absorbed_diagonals",
    "best_fit",
    "best_mean_field",
    "best_scale",
    "elbo",
    "entangle",
    "householder",
    "linear_vae_loss",
    "linear_vae_optimum",
    "log_likelihood",
    "mean_field_gap",
    "noise_alignment",
    "noise_loss",
    "noise_loss_bound",
    "posterior",
    "scales_of",
    "trace_gap",
]
