"""The run that is explained: which of its parts were trained, and some images encoded by it."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gordium.arrays import Floats
from gordium.datasets import Dataset
from gordium.evaluation.representation import Representation, choose_rows, encode
from gordium.geometry import Decoder, gram_matrices, importance_order
from gordium.geometry.activity import active_units
from gordium.training import Run
from gordium.training.pixels import as_floats

N_CODES = 2000


@dataclass(frozen=True)
class Kind:
    """What a run's method trains: a decoder, and posterior noise together with it.

    `has_prior` says that the decoder was trained on codes that follow the prior N(0, 1).
    """

    has_decoder: bool
    has_noise: bool
    has_prior: bool


def kind_of(run: Run) -> Kind:
    """What a run's method trains; an unregistered method is taken for a VAE."""
    method = run.spec.method
    trained = set(method.optimisers)
    has_decoder = bool(trained & {"model", "decoder"})
    return Kind(
        has_decoder=has_decoder,
        has_noise=method.stochastic and "model" in trained,
        has_prior=method.stochastic and has_decoder,
    )


@dataclass(frozen=True)
class Subject:
    """A run with all that its page is computed from.

    `x` are a few images, `z` their posterior means, `grams` is J^T J of the decoder at each.
    `kind` says what was trained. `order` lists units, the most important first.
    """

    run: Run
    dataset: Dataset
    representation: Representation
    x: Tensor
    z: Tensor
    grams: Floats
    kind: Kind
    order: list[int]
    seed: int

    @property
    def decoder(self) -> Decoder:
        """The run's decoder, as a function of latent points."""
        return self.run.model.decode

    @property
    def is_active(self) -> NDArray[np.bool_] | None:
        """Which units are active; None without trained noise, which decides it."""
        if not self.kind.has_noise:
            return None
        return active_units(self.representation.require_log_variances())

    @property
    def unit_names(self) -> list[str]:
        """The units' names, the most important first."""
        return [f"z{unit}" for unit in self.order]


@torch.no_grad()
def encode_subject(run: Run, dataset: Dataset, *, points: int, seed: int) -> Subject:
    """Encode `points` images for the geometry, and 2,000 or more for the statistics of units."""
    kind = kind_of(run)
    representation = encode(run.model, dataset, n=max(N_CODES, points), seed=seed)
    indices = choose_rows(len(dataset), n=points, seed=seed)
    x = as_floats(dataset.images(indices), next(run.model.parameters()).device)
    z = run.model.encode(x).mean
    grams = gram_matrices(run.model.decode, z).cpu().numpy()
    lengths = np.einsum("nii->ni", grams).mean(axis=0)
    order = (
        importance_order(representation.require_log_variances())
        if kind.has_noise
        else np.argsort(-lengths)
    )
    return Subject(
        run=run,
        dataset=dataset,
        representation=representation,
        x=x,
        z=z,
        grams=grams,
        kind=kind,
        order=order.tolist(),
        seed=seed,
    )
