"""Rolinek et al. 2019, Propositions 2 and 3: what a rotation of the latent space changes."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gordium.arrays import Floats
from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.rolinek2019 import claims
from gordium.report.figures import theory as theory_figures
from gordium.theory import rotation, volume
from gordium.theory import rotation_invariance as theory

NOISE = 0.1
LINEAR = np.array([[2.0, 0.0], [0.0, 0.7], [0.0, 0.0]])  # its columns are orthogonal
OBJECTIVES = ("log-likelihood (1)", "ELBO, full covariance", "ELBO, diagonal")


class Size(NamedTuple):
    """How many samples, angles and quadrature nodes are used."""

    samples: int
    angles: int
    nodes: int


SIZES = {"smoke": Size(3, 9, 30), "laptop": Size(20, 61, 40), "paper": Size(200, 181, 60)}


def _decode_straight(z: Floats) -> Floats:
    decoded: Floats = z @ LINEAR.T
    return decoded


def _decode_bent(z: Floats) -> Floats:
    """A curved surface with the same tangents at the origin as the straight one."""
    return _decode_straight(z) + 0.1 * np.stack(
        [0 * z[:, 0], 0 * z[:, 0], z[:, 0] ** 2 - z[:, 1] ** 2], axis=1
    )


DECODERS: dict[str, Callable[[Floats], Floats]] = {"linear": _decode_straight, "bent": _decode_bent}


def make(place: Place) -> Made:
    """Compute three objectives at every angle, for a linear and for a bent decoder."""
    size = SIZES[place.scale]
    degrees = np.linspace(0, 90, size.angles)
    curves = {name: _curves(decoder, degrees, size) for name, decoder in DECODERS.items()}
    rows: list[dict[str, str | float]] = [
        {"decoder": name, "objective": objective, "degrees": float(angle), "value": float(value)}
        for name, lines in curves.items()
        for objective, values in lines.items()
        for angle, value in zip(degrees, values, strict=True)
    ]
    table = [
        (name, objective, f"{values[0]:.6f}", f"{values.min():.6f}", f"{np.ptp(values):.1e}")
        for name, lines in curves.items()
        for objective, values in lines.items()
    ]
    pictures = {
        f"{name}.png": theory_figures.objectives_by_angle(
            degrees, lines, label="nats per sample", title=f"{name} decoder"
        )
        for name, lines in curves.items()
    }
    return Made(
        ("decoder", "objective", "at 0 degrees", "lowest", "range over all angles"),
        table,
        rows,
        pictures,
        [
            f"Two latent units, p(x | z) = N(Dec(z), {NOISE:g} I), {size.samples} samples drawn "
            "from the model; means over samples, by Gauss-Hermite sums. Encoder and decoder are "
            "rotated together, (8) and (9). The full posterior is the true one of the linear "
            "decoder; the diagonal one is, at each angle, the diagonal Gaussian nearest to it. "
            f"Columns are orthogonal at 0 and 90 degrees (det† = {volume(LINEAR):.2f})."
        ],
    )


def _curves(decoder: Callable[[Floats], Floats], degrees: Floats, size: Size) -> dict[str, Floats]:
    rng = np.random.default_rng(0)
    x = decoder(rng.standard_normal((size.samples, 2)))
    x = x + np.sqrt(NOISE) * rng.standard_normal(x.shape)
    values = np.array([[_objectives(decoder, row, a, size.nodes) for row in x] for a in degrees])
    return dict(zip(OBJECTIVES, values.mean(axis=1).T, strict=True))


def _objectives(
    decoder: Callable[[Floats], Floats], x: Floats, degrees: float, nodes: int
) -> tuple[float, float, float]:
    u = rotation(np.radians(degrees))
    posterior = theory.rotate_posterior(theory.linear_posterior(LINEAR, x, NOISE), u)
    turned = theory.rotate_decoder(decoder, u)
    diagonal = theory.nearest_diagonal(posterior)
    return (
        theory.log_likelihood(turned, x, NOISE, posterior, nodes=nodes),
        theory.elbo(turned, x, NOISE, posterior, nodes=nodes),
        theory.elbo(turned, x, NOISE, diagonal, nodes=nodes),
    )


rotation_invariance = Exhibit(
    "Propositions 2 and 3",
    "What a rotation of the latent space changes",
    make,
    claims.rotation_invariance,
)
