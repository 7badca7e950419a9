"""The numbers of the page, as one JSON document."""

from functools import partial
from typing import Any, TypedDict

import numpy as np
import torch
from numpy.typing import NDArray

from gordium import geometry
from gordium.arrays import Floats, Integers
from gordium.explain.alignment import alignment
from gordium.explain.subject import Subject
from gordium.metrics import list_allowed, score
from gordium.networks import build

N_LOSS, N_NOISE, N_UNTRAINED, N_UNTRAINED_POINTS = 100, 32, 5, 20
N_ROTATIONS = 5000
BINS = 10
QUICK = ("mig", "modularity", "sap")


class Unit(TypedDict):
    """A unit of the run; what its method does not train is None."""

    unit: int
    variance: float | None
    precision: float | None
    is_active: bool | None
    code_std: float
    column_length: float | None


class Distance(TypedDict, total=False):
    """Distances to orthogonality; `near_degenerate` is left out for random matrices."""

    mean: float
    std: float
    near_degenerate: int


class Orthogonality(TypedDict, total=False):
    """The distance of all units, of the active ones if only some are, and what chance gives."""

    all: Distance
    active: Distance
    random_rotation: Distance
    random_matrix: Distance
    untrained: Distance


class Numbers(TypedDict):
    """The JSON document; what does not apply to the run is None."""

    units: list[Unit]
    regime: dict[str, float] | None
    orthogonality: Orthogonality | None
    losses: dict[str, float] | None
    factors: dict[str, list[Any]]  # their names, and the shares of variance that they explain
    alignment: dict[str, float] | None
    scores: dict[str, float]
    n_points: int
    seed: int


def numbers(about: Subject) -> Numbers:
    """Compute everything that applies to the run."""
    codes, factors = about.representation.codes, about.representation.factors
    possible = set(list_allowed(codes, factors))
    return {
        "units": units(about),
        "regime": regime(about),
        "orthogonality": orthogonality(about) if about.kind.has_decoder else None,
        "losses": losses(about) if about.kind.has_noise else None,
        "factors": {
            "names": [factor.name for factor in about.dataset.scored_factors],
            "explained": explained_variance(codes[:, about.order], factors).tolist(),
        },
        "alignment": alignment(about),
        "scores": score(codes, factors, metrics=[name for name in QUICK if name in possible]),
        "n_points": len(about.x),
        "seed": about.seed,
    }


def units(about: Subject) -> list[Unit]:
    """What is known of each unit, the most important first."""
    variances = np.exp(about.representation.require_log_variances().astype(np.float64)).mean(axis=0)
    lengths = np.sqrt(np.einsum("nii->ni", about.grams)).mean(axis=0)
    active = about.is_active
    return [
        {
            "unit": unit,
            "variance": float(variances[unit]) if about.kind.has_noise else None,
            "precision": float(1 / variances[unit]) if about.kind.has_noise else None,
            "is_active": bool(active[unit]) if active is not None else None,
            "code_std": float(about.representation.codes[:, unit].std()),
            "column_length": float(lengths[unit]) if about.kind.has_decoder else None,
        }
        for unit in about.order
    ]


def regime(about: Subject) -> dict[str, float] | None:
    """How polarised the run is (Rolinek et al. 2019); None for codes without noise."""
    if not about.kind.has_noise:
        return None
    found = geometry.polarised_regime(
        about.representation.codes, about.representation.require_log_variances()
    )
    return {
        "kl": found.kl,
        "approximate_kl": found.approximate_kl,
        "delta_kl": found.delta_kl,
        "active_units": int(found.is_active.sum()),
    }


def orthogonality(about: Subject) -> Orthogonality:
    """Distances of all and of the active units, each beside what chance gives."""
    found: Orthogonality = {"all": _distance(about.grams)}
    active = about.is_active
    if active is not None and 2 <= active.sum() < len(active):
        found["active"] = _distance(about.grams[:, active][:, :, active])
    d, n_outputs = about.grams.shape[-1], int(np.prod(about.dataset.image_shape))
    found["random_rotation"] = _summarise(geometry.random_rotation_distances(d, n=N_ROTATIONS))
    found["random_matrix"] = _summarise(geometry.random_matrix_distances(n_outputs, d))
    found["untrained"] = _summarise(_measure_untrained(about))
    return found


def losses(about: Subject) -> dict[str, float]:
    """The parts of the reconstruction loss, averaged over some images."""
    x = about.x[:N_LOSS]
    with torch.no_grad():
        posterior = about.run.model.encode(x)
    noise = torch.Generator(about.x.device).manual_seed(about.seed)
    parts = geometry.loss_decomposition(about.decoder, x, posterior, noise=noise, n_samples=N_NOISE)
    return {name: float(values.mean()) for name, values in parts._asdict().items()}


def explained_variance(codes: NDArray[Any], factors: NDArray[Any]) -> Floats:
    """(d, k): the share of a code's variance that lies between the values of a factor.

    The values need no order; real-valued factors are cut into ten bins of equal frequency.
    """
    z = codes.astype(np.float64)
    spread = np.maximum(z.var(axis=0), 1e-300)
    shares = []
    for column in factors.T:
        values = cut_into_bins(column, BINS)
        groups = [z[values == value] for value in np.unique(values)]
        between = sum(len(g) * (g.mean(axis=0) - z.mean(axis=0)) ** 2 for g in groups) / len(z)
        shares.append(between / spread)
    return np.stack(shares, axis=1)


def cut_into_bins(column: NDArray[Any], n: int) -> Integers:
    """Whole numbers as they are; real ones are cut into `n` bins of equal frequency."""
    if np.issubdtype(column.dtype, np.integer):
        return column.astype(np.int64)
    edges = np.quantile(column, np.linspace(0, 1, n + 1)[1:-1])
    return np.searchsorted(edges, column).astype(np.int64)


def _distance(grams: Floats) -> Distance:
    found = _summarise(geometry.matrix_distance(grams))
    return {**found, "near_degenerate": int(geometry.near_degenerate(grams).sum())}


def _summarise(distances: Floats) -> Distance:
    return {"mean": float(distances.mean()), "std": float(distances.std())}


def _measure_untrained(about: Subject) -> Floats:
    """Distances of networks like the run's decoder, with fresh weights."""
    settings = about.run.spec.settings
    shape, d = about.dataset.image_shape, settings.latent_dim
    mean = about.run.model.likelihood.mean

    def make(generator: torch.Generator) -> Any:
        decoder = partial(settings.architecture.decoder, d, shape)
        network = build(decoder, generator, settings.initial).eval()
        return lambda z: mean(network(z))

    z = about.z[:N_UNTRAINED_POINTS]
    return geometry.random_decoder_distances(make, z, n=N_UNTRAINED, seed=about.seed)
