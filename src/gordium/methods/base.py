"""The base class of methods, and the values that pass between a method and the training loop."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

import torch
from torch import Generator, Tensor, nn

from gordium.networks import Autoencoder, Posterior
from gordium.optimisers import OptimiserSettings
from gordium.pairs import Pairing


class Batch(NamedTuple):
    """The images in [0, 1] of one step.

    For a method with a pairing, rows i and n / 2 + i of `x` are the two views of a pair, and
    `shared` (n / 2, k) says which factors they share. `other` is a second, independent batch for
    a method with `second_batch`.
    """

    x: Tensor
    shared: Tensor | None = None
    other: Tensor | None = None


class Networks(NamedTuple):
    """What is trained: a model, and a critic if the method made one."""

    model: Autoencoder
    critic: nn.Module | None = None


class Forward(NamedTuple):
    """One pass through a model: images in [0, 1], their posterior, a sample z, the output."""

    x: Tensor
    posterior: Posterior
    z: Tensor
    output: Tensor
    model: Autoencoder
    critic: nn.Module | None = None

    @property
    def mean(self) -> Tensor:
        """The means of the posterior."""
        return self.posterior.mean

    @property
    def log_variance(self) -> Tensor:
        """The log-variances of the posterior."""
        return self.posterior.log_variance


class Context(NamedTuple):
    """What an objective may depend on besides the pass itself.

    `n_images` is the size of the data set.
    """

    step: int
    n_images: int = 1
    noise: Generator | None = None

    @property
    def chance(self) -> Generator:
        """The generator `noise`, for a method that needs one; ValueError if there is none."""
        if self.noise is None:
            raise ValueError("this method draws at random; give its context a generator as noise.")
        return self.noise


class Loss(NamedTuple):
    """The total that is minimised, and its terms without their weights."""

    total: Tensor
    terms: dict[str, Tensor]


Losses = Iterator[tuple[str, Loss]]  # of one step, each with the name of its optimiser


class Size(NamedTuple):
    """The sizes that a critic is built for, and how its weights start."""

    latent_dim: int
    image_shape: Sequence[int]
    n_factors: int
    initial: str = "glorot"


class Method:
    """An objective: a frozen dataclass of hyperparameters with one call.

    It owns no network, optimiser or counter. What it needs beyond an autoencoder it declares in
    the properties below, which the training loop reads. A method implements `__call__` on one
    forward pass, or `losses`, which gives all the losses of a step.
    """

    @property
    def name(self) -> str:
        """The name in studies and rows; for an unregistered method, that of its class."""
        from gordium.methods import METHODS  # that file imports this one

        return next((n for n, kind in METHODS.items() if kind is type(self)), type(self).__name__)

    stochastic: ClassVar[bool] = True  # whether samples of the posterior are decoded, or means
    full_covariance: ClassVar[bool] = False  # whether posteriors have a Cholesky factor
    primary: ClassVar[str | None] = None  # the hyperparameter that studies call its strength

    @property
    def pairing(self) -> Pairing | None:
        """How the two views of a pair are drawn, if the method learns from pairs."""
        return None

    @property
    def second_batch(self) -> bool:
        """Whether a step sees `Batch.other`."""
        return False

    @property
    def optimisers(self) -> dict[str, OptimiserSettings | None]:
        """What is updated in a step, by name, each with its optimiser; None is the run's own.

        `model` stands for encoder, decoder and parts, `encoder` for encoder and parts, `decoder`
        and `critic` for themselves.
        """
        return {"model": None}

    @property
    def parts_rate(self) -> float | None:
        """The learning rate of the model's `parts`, if it is not that of the model."""
        return None

    def parts(self, latent_dim: int, weights: Generator) -> nn.Module | None:
        """A module that is trained, saved and loaded with the model, e.g. a learned prior."""
        return None

    def prepare(self, model: Autoencoder, weights: Generator) -> None:
        """Change a newly built model in place, e.g. normalise its weights."""

    def critic(self, size: Size, weights: Generator) -> nn.Module | None:
        """A network that is trained against the model, and not kept after the training."""
        return None

    def losses(self, networks: Networks, batch: Batch, context: Context) -> Losses:
        """The losses of one step; after each, the optimiser of that name makes its update."""
        noise = context.noise if self.stochastic else None
        yield "model", self(forward(networks, batch.x, noise), context)

    def __call__(self, out: Forward, context: Context) -> Loss:
        raise NotImplementedError(f"{type(self).__name__} needs a __call__ or losses of its own.")


def weighted_sum(**terms: tuple[float, Tensor]) -> Loss:
    """Add up `name=(weight, value)` to a loss; the terms are reported without their weights."""
    total = sum(weight * value for weight, value in terms.values())
    return Loss(torch.as_tensor(total), {name: value for name, (_, value) in terms.items()})


def forward(networks: Networks, x: Tensor, noise: Generator | None) -> Forward:
    """Encode, sample z = mu + sigma * eps (or take the means where `noise` is None), decode."""
    return decode(networks, x, networks.model.encode(x), noise)


def decode(networks: Networks, x: Tensor, posterior: Posterior, noise: Generator | None) -> Forward:
    """The second half of a pass, from posteriors that a method may have changed."""
    z = posterior.mean if noise is None else sample(posterior, noise)
    return Forward(x, posterior, z, networks.model.decoder(z), *networks)


def sample(posterior: Posterior, noise: Generator) -> Tensor:
    """Draw z = mu + sigma * eps with eps ~ N(0, 1), or mu + L eps with a Cholesky factor L."""
    mean, log_variance, cholesky = posterior
    epsilon = torch.randn(mean.shape, generator=noise, device=mean.device, dtype=mean.dtype)
    if cholesky is not None:
        return mean + torch.einsum("nij,nj->ni", cholesky, epsilon)
    return torch.addcmul(mean, (0.5 * log_variance).exp(), epsilon)
