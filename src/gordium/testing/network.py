"""The conformance suite of networks: what training, saving and loading ask of one."""

import dataclasses
from collections.abc import Sequence
from typing import Any, NoReturn, cast

import torch
from torch import nn

from gordium.lookup import answer_wrong_calls
from gordium.networks import Architecture, autoencoder

SHAPES = ((1, 32, 32), (3, 32, 32))
UNITS = 3


@answer_wrong_calls
def check_network(architecture: Any, *, image_shapes: Sequence[Sequence[int]] = SHAPES) -> None:
    """Raise AssertionError, saying what of the contract is broken, or return.

    A network is a frozen dataclass that makes two modules: `encoder(image_shape, n_outputs)` from
    images to (n, n_outputs) numbers, and `decoder(n_inputs, image_shape)` back to images. Both
    must treat rows one by one, use all their weights, be made alike from the same seed, and go
    through a file and back.
    """
    if isinstance(architecture, type):
        _fail(architecture, "is a class: give an instance")
    if not dataclasses.is_dataclass(architecture) or not _is_frozen(architecture):
        _fail(architecture, "must be a frozen dataclass, so that its fields are its declaration")
    for shape in image_shapes:
        _check_shape(cast(Architecture, architecture), tuple(shape))


def _check_shape(architecture: Architecture, shape: tuple[int, ...]) -> None:
    model, same = (_model(architecture, shape) for _ in range(2))
    for name, tensor in model.state_dict().items():
        if not torch.equal(tensor, same.state_dict()[name]):
            _fail(
                architecture, f"draws {name} from a global generator: draw no weights, gordium does"
            )
    x = torch.rand(4, *shape, generator=torch.Generator().manual_seed(1))
    codes = model.encoder(x)
    if codes.shape != (4, 2 * UNITS):
        _fail(architecture, f"encodes {tuple(x.shape)} as {tuple(codes.shape)}, not (4, 6)")
    images = model.decoder(codes[:, :UNITS])
    if images.shape != x.shape:
        _fail(architecture, f"decodes to {tuple(images.shape)}, not {tuple(x.shape)}")
    _check_rows(architecture, model.eval(), x)
    _check_gradients(architecture, model.train(), x)


def _check_rows(architecture: Architecture, model: nn.Module, x: torch.Tensor) -> None:
    alone, together = model.encode(x[:1]).mean, model.encode(x).mean[:1]  # type: ignore[operator]
    if not torch.allclose(alone, together, rtol=1e-4, atol=1e-5):
        _fail(
            architecture,
            "encodes an image otherwise among others: rows must not mix once it is trained",
        )


def _check_gradients(architecture: Architecture, model: nn.Module, x: torch.Tensor) -> None:
    posterior = model.encode(x)  # type: ignore[operator]
    noise = torch.randn(posterior.mean.shape, generator=torch.Generator().manual_seed(2))
    z = posterior.mean + (posterior.log_variance / 2).exp() * noise
    model.decode(z).square().sum().backward()  # type: ignore[operator]
    unused = [name for name, p in model.named_parameters() if p.grad is None]
    if unused:
        _fail(
            architecture,
            f"has weights that nothing depends on: {', '.join(unused)}; leave them out",
        )


def _model(architecture: Architecture, shape: tuple[int, ...]) -> Any:
    seeded = torch.Generator().manual_seed(0)
    return autoencoder(architecture, shape, UNITS, likelihood="gaussian", generator=seeded)


def _is_frozen(value: Any) -> bool:
    return bool(type(value).__dataclass_params__.frozen)


def _fail(architecture: Any, sentence: str) -> NoReturn:
    name = architecture.__name__ if isinstance(architecture, type) else type(architecture).__name__
    raise AssertionError(f"{name} {sentence}.")
