"""One step of any method: draw a batch, and after each of its losses make an update."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Generator, Tensor, nn
from torch.optim import Optimizer

from gordium.datasets import Dataset
from gordium.methods import Batch, Context, Method, Networks, Size
from gordium.networks import Autoencoder, autoencoder, direct
from gordium.optimisers import OptimiserSettings
from gordium.pairs import Pairing
from gordium.spec import Settings
from gordium.training.checkpoint import Part
from gordium.training.loop import Task
from gordium.training.pixels import as_floats
from gordium.training.streams import Batches, Key, streams, substream

M = TypeVar("M", bound=nn.Module)


class _Update(NamedTuple):
    """An optimiser with the parameters that it updates."""

    optimiser: Optimizer
    parameters: list[nn.Parameter]

    def __call__(self, loss: Tensor) -> None:
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward(inputs=self.parameters)
        self.optimiser.step()


class Steps(NamedTuple):
    """The steps of a run: their number, the batch and the work of one, and the state it changes."""

    n: int
    draw: Callable[[int], Batch]
    work: Callable[[Context, Batch], dict[str, Tensor]]
    context: Callable[[int], Context]
    model: Autoencoder
    parts: dict[str, Part]

    def take(self, i: int) -> dict[str, Tensor]:
        """Do step i and return its terms."""
        return self.work(self.context(i), self.draw(i))

    @property
    def networks(self) -> list[nn.Module]:
        """Encoder, decoder and, if there is one, the critic."""
        critic = self.parts.get("critic")
        others = [critic] if isinstance(critic, nn.Module) else []
        return [self.model.encoder, self.model.decoder, *others]


def training_task(
    method: Method, dataset: Dataset, settings: Settings, device: torch.device
) -> tuple[Autoencoder, Task]:
    """Build a model, and the task that trains it."""
    steps = training_steps(method, dataset, settings, device)
    return steps.model, Task("training", steps.n, steps.take, steps.parts)


def training_steps(
    method: Method, dataset: Dataset, settings: Settings, device: torch.device
) -> Steps:
    """Build a model, and the steps that train it."""
    chance = streams(settings.seed, device)
    size = Size(settings.latent_dim, dataset.image_shape, len(dataset.factors), settings.initial)
    built = new_model(method, settings, dataset.image_shape, chance.weights)
    model = place_network(built, device)
    critic = method.critic(size, chance.weights)
    networks = Networks(model, None if critic is None else place_network(critic, device))
    updates = _make_updates(method, settings, networks)
    draw = _make_draw(method, dataset, settings, chance.data, model.encoder)

    def work(context: Context, batch: Batch) -> dict[str, Tensor]:
        terms: dict[str, Tensor] = {}
        for name, loss in method.losses(networks, batch, context):
            updates[name](loss.total)
            terms = {"loss": loss.total, **loss.terms} if not terms else {**terms, **loss.terms}
        return terms

    def context(i: int) -> Context:
        return Context(i, len(dataset), chance.noise)

    parts: dict[str, Part] = {"model": model, "noise": chance.noise}
    parts |= {f"{name}-optimiser": update.optimiser for name, update in updates.items()}
    if networks.critic is not None:
        parts["critic"] = networks.critic
    return Steps(settings.n_steps(len(dataset)), draw, work, context, model, parts)


def new_model(
    method: Method, settings: Settings, image_shape: Sequence[int], weights: Generator
) -> Autoencoder:
    """Build the method's model on the CPU; encoder, decoder and parts draw from one stream."""
    model = autoencoder(
        settings.architecture,
        image_shape,
        settings.latent_dim,
        likelihood=settings.likelihood,
        generator=weights,
        full_covariance=method.full_covariance,
        initial=settings.initial,
    )
    model.parts = method.parts(settings.latent_dim, weights)
    method.prepare(model, weights)
    return model


def _make_updates(method: Method, settings: Settings, networks: Networks) -> dict[str, _Update]:
    model = networks.model
    modules: dict[str, Iterable[nn.Module | None]] = {
        "model": (model,),
        "encoder": (model.encoder, model.parts),
        "decoder": (model.decoder,),
        "critic": (networks.critic,),
    }
    updates = {}
    for name, optimiser in method.optimisers.items():
        parameters = [p for part in modules[name] if part is not None for p in part.parameters()]
        built = _build(optimiser or settings.optimiser, parameters, model.parts, method.parts_rate)
        updates[name] = _Update(built, parameters)
    return updates


def _build(
    settings: OptimiserSettings,
    parameters: list[nn.Parameter],
    parts: nn.Module | None,
    rate: float | None,
) -> Optimizer:
    """Build the optimiser; with a `rate`, the parameters of `parts` are a group of that rate."""
    apart = {id(p) for p in parts.parameters()} if parts is not None and rate is not None else set()
    optimiser = settings.build([p for p in parameters if id(p) not in apart])
    if others := [p for p in parameters if id(p) in apart]:
        optimiser.add_param_group({"params": others, "lr": rate})
    return optimiser


def _make_draw(
    method: Method, dataset: Dataset, settings: Settings, key: Key, encoder: nn.Module
) -> Callable[[int], Batch]:
    """Return the function that draws a step's batch; it depends on nothing but the step."""
    if method.pairing is not None:
        return _make_pair_draw(method.pairing, dataset, settings.batch_size, key, encoder)
    passes = settings.epochs is not None
    batches = Batches(key, len(dataset), settings.batch_size, passes=passes)
    others = Batches(substream(key, 1), len(dataset), settings.batch_size, passes=passes)

    def draw(i: int) -> Batch:
        x = to_floats(dataset.images(batches.at(i)), encoder)
        if not method.second_batch:
            return Batch(x)
        return Batch(x, other=to_floats(dataset.images(others.at(i)), encoder))

    return draw


def _make_pair_draw(
    pairing: Pairing, dataset: Dataset, batch_size: int, key: Key, encoder: nn.Module
) -> Callable[[int], Batch]:
    if batch_size % 2:
        raise ValueError(f"pairs need an even batch_size; got {batch_size}.")
    if not dataset.is_grid:
        raise ValueError("pairs are drawn from a grid of factors; this data set is not a grid.")

    def draw(i: int) -> Batch:
        rng = np.random.default_rng((*key, i))
        pairs = pairing.draw(dataset.factors, batch_size // 2, rng)
        indices = dataset.index_of(np.concatenate([pairs.first, pairs.second]))
        x = to_floats(dataset.images(indices), encoder)
        return Batch(x, torch.from_numpy(pairs.shared).to(x.device))

    return draw


def to_floats(images: Any, encoder: nn.Module) -> Tensor:
    """Convert a batch to floats on the encoder's device, in the layout that it reads fastest."""
    first = next(encoder.parameters(), None)
    device = torch.device("cpu") if first is None else first.device
    laid_out = direct.as_floats(images, encoder) if device.type == "cpu" else None
    if laid_out is not None:
        return laid_out
    x = as_floats(images, device)
    if isinstance(next(encoder.children(), None), nn.Flatten):
        return x
    return x.contiguous(memory_format=torch.channels_last)


def place_network(module: M, device: torch.device) -> M:
    """Move a network to the device, its weights laid out with channels last."""
    return module.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
