"""A run's part of a page: its networks, its units, and its codes of the images shown."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.func import functional_call

from gordium.arrays import Integers
from gordium.evaluation import Representation, encode
from gordium.explain.subject import kind_of
from gordium.explorer.blob import Blob, Content
from gordium.explorer.layers import layers_of, round_parameters
from gordium.explorer.of_data import Shown, data_name
from gordium.explorer.units import Unit, information, units_of
from gordium.geometry import gram_matrices, random_rotation_distances
from gordium.networks import Autoencoder
from gordium.networks.likelihoods import pass_through
from gordium.training import Run
from gordium.training.pixels import as_floats

CODES, BATCH, CHECKED, ROTATIONS = 5000, 256, 100, 300


def describe_run(run: Run, about: Shown, blob: Blob, *, seed: int) -> Content:
    """JSON for the page; weights and codes go into the blob."""
    kind = kind_of(run)
    table = encode(run.model, about.dataset, n=min(CODES, len(about.dataset)), seed=seed)
    stored = {"point": about.stored.points, "kept": about.stored.kept}
    codes = {name: _encode(run.model, about, at) for name, at in stored.items()}
    lengths = _column_lengths(run.model, codes["point"].codes) if kind.has_decoder else np.zeros(0)
    model, units = run.model, units_of(table, kind, lengths)
    outputs = [] if model.likelihood.mean is pass_through else [{"type": "sigmoid"}]
    return {
        **_words(run),
        "latent_dim": model.latent_dim,
        "full": _is_full(model),
        "has_noise": kind.has_noise,
        "has_prior": kind.has_prior,
        "units": units,
        "chance": _chance(units),
        "information": information(table),
        "encoder": layers_of(model.encoder, blob),
        "decoder": layers_of(model.decoder, blob) + outputs if kind.has_decoder else None,
        "error": rounding_error(model, about.dataset.image_shape, seed)
        if kind.has_decoder
        else None,
        **{
            f"{name}_{part}": blob.put(np.clip(getattr(rep, part), -6e4, 6e4), "f2")
            for name, rep in codes.items()
            for part in ("codes", "log_variances")
        },
    }


@torch.no_grad()
def rounding_error(model: Autoencoder, shape: tuple[int, int, int], seed: int) -> float:
    """The greatest difference that rounded weights make to what 100 random codes are decoded to.

    It is in grey levels (1/255) of images, or in the units of vectors.
    """
    z = torch.randn(CHECKED, model.latent_dim, generator=torch.Generator().manual_seed(seed))
    rough = model.likelihood.mean(
        functional_call(model.decoder, round_parameters(model.decoder), (z,))
    )
    scale = 1.0 if shape[1:] == (1, 1) else 255.0
    return scale * float((model.decode(z) - rough).abs().max())


def _chance(units: list[Unit]) -> float | None:
    """The mean distance to orthogonality of randomly turned axes, as many as units are active."""
    n = sum(unit["active"] for unit in units)
    return float(random_rotation_distances(n, n=ROTATIONS).mean()) if n > 1 else None


def _words(run: Run) -> Content:
    declared = run.config["declaration"]
    settings, method = declared["settings"], dict(declared["method"])
    name = str(method.pop("name"))
    length = f"{settings['steps']:,} steps" if settings["steps"] else f"{settings['epochs']} epochs"
    return {
        "method": name,
        "options": {k: v for k, v in method.items() if isinstance(v, int | float | str)},
        "seed": settings["seed"],
        "trained": length,
        "likelihood": settings["likelihood"],
        "data": data_name(declared["dataset"]),
    }


@torch.no_grad()
def _encode(model: Autoencoder, about: Shown, at: Integers) -> Representation:
    means, log_variances = [], []
    for start in range(0, len(at), BATCH):
        images = about.dataset.images(at[start : start + BATCH])
        found = model.encode(as_floats(images, torch.device("cpu")))
        means.append(found.mean.numpy())
        log_variances.append(found.log_variance.numpy())
    factors = about.dataset.factors_at(at)
    return Representation(np.concatenate(means), np.concatenate(log_variances), factors)


def _column_lengths(model: Autoencoder, codes: NDArray[Any]) -> NDArray[Any]:
    grams = gram_matrices(model.decode, torch.from_numpy(codes[:32])).numpy()
    return np.sqrt(np.einsum("nii->ni", grams)).mean(axis=0)


def _is_full(model: Autoencoder) -> bool:
    """Whether the encoder gives posteriors with a full covariance."""
    last = [layer for layer in model.encoder.modules() if isinstance(layer, nn.Linear)][-1]
    return last.out_features != 2 * model.latent_dim
