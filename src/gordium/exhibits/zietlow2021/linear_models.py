"""The matrices of a trained linear autoencoder, and how far they are from those of PCA."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from gordium.arrays import Floats
from gordium.training import load_run


class LinearModel(NamedTuple):
    """Decoder (m, k) and bias (m,); encoder (2k, m) and bias: means first, then log-variances."""

    decoder: Floats
    decoder_bias: Floats
    encoder: Floats
    encoder_bias: Floats

    def posteriors(self, x: Floats) -> tuple[Floats, Floats]:
        """Means and variances (n, k) of points (n, m)."""
        means, logs = np.split(x @ self.encoder.T + self.encoder_bias, 2, axis=1)
        return means, np.exp(logs)


def load_linear(folder: Path) -> LinearModel:
    """Load the matrices of a finished run with the architecture `Linear`."""
    model = load_run(folder).model
    layers = model.decoder[0], model.encoder[1]  # type: ignore[index]
    found = [p for layer in layers for p in (layer.weight, layer.bias)]
    return LinearModel(*(p.detach().double().cpu().numpy() for p in found))


def expected_loss(model: LinearModel, x: Floats, beta: float) -> float:
    """Eq. 4 of Zietlow et al. 2021, averaged over all x and, in closed form, over the noise."""
    means, variances = model.posteriors(x)
    square = ((means @ model.decoder.T + model.decoder_bias - x) ** 2).sum(axis=1)
    square += variances @ (model.decoder**2).sum(axis=0)
    kl = 0.5 * (means**2 + variances - np.log(variances) - 1).sum(axis=1)
    return float((square + beta * kl).mean())


def cosines(axes: Floats, decoder: Floats) -> Floats:
    """|cos| between axes (rows) and decoder columns, which are reordered to match the axes."""
    found = np.abs(axes @ (decoder / np.linalg.norm(decoder, axis=0)))
    return found[:, linear_sum_assignment(found, maximize=True)[1]]


def largest_angle(axes: Floats, decoder: Floats) -> float:
    """The largest angle in degrees between a decoder column and the axis it is matched with."""
    own = np.diag(cosines(axes, decoder))
    return float(np.rad2deg(np.arccos(np.clip(own, 0, 1))).max())


def off_permutation(decoder: Floats) -> float:
    """How far V of the decoder's SVD is from a signed permutation: its largest other entry."""
    right = np.abs(np.linalg.svd(decoder)[2])
    right[linear_sum_assignment(right, maximize=True)] = 0.0
    return float(right.max())
