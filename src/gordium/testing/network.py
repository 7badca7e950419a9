"""The conformance suite of networks: what training, saving and loading require of one."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import torch

from gordium.fields import is_frozen
from gordium.lookup import answer_wrong_calls
from gordium.networks import Architecture, autoencoder
from gordium.testing.subject import fail

SHAPES = ((1, 32, 32), (3, 32, 32))
UNITS = 3


@answer_wrong_calls
def check_network(architecture: Any, *, image_shapes: Sequence[Sequence[int]] = SHAPES) -> None:
    """Raise an AssertionError that says which part of the contract is broken, if any.

    A network is a frozen dataclass that makes two modules: `encoder(image_shape, n_outputs)` from
    images to (n, n_outputs) numbers, and `decoder(n_inputs, image_shape)` back to images. Both
    must treat rows one by one, use all their weights, and have the same weights if built again
    from the same seed.
    """
    if isinstance(architecture, type):
        fail(architecture, "is a class: give an instance")
    if not is_frozen(architecture):
        fail(architecture, "must be a frozen dataclass, so that its fields are its declaration")
    for shape in image_shapes:
        for problem in _find_problems(cast(Architecture, architecture), tuple(shape)):
            fail(architecture, problem)


def _find_problems(architecture: Architecture, shape: tuple[int, ...]) -> Iterator[str]:
    """What is wrong, as sentences without a subject; the first one ends the check."""
    model, same = (_model(architecture, shape) for _ in range(2))
    for name, tensor in model.state_dict().items():
        if not torch.equal(tensor, same.state_dict()[name]):
            yield f"draws {name} from a global generator; leave the first weights to gordium"
    x = torch.rand(4, *shape, generator=torch.Generator().manual_seed(1))
    codes = model.encoder(x)
    if codes.shape != (4, 2 * UNITS):
        yield f"encodes {tuple(x.shape)} as {tuple(codes.shape)}, not (4, 6)"
    images = model.decoder(codes[:, :UNITS])
    if images.shape != x.shape:
        yield f"decodes to {tuple(images.shape)}, not {tuple(x.shape)}"
    alone, together = model.eval().encode(x[:1]).mean, model.encode(x).mean[:1]
    if not torch.allclose(alone, together, rtol=1e-4, atol=1e-5):
        yield "encodes an image differently in a batch: in evaluation mode rows must not mix"
    posterior = model.train().encode(x)
    noise = torch.randn(posterior.mean.shape, generator=torch.Generator().manual_seed(2))
    z = posterior.mean + (posterior.log_variance / 2).exp() * noise
    model.decode(z).square().sum().backward()
    unused = [name for name, p in model.named_parameters() if p.grad is None]
    if unused:
        yield f"has weights that nothing depends on: {', '.join(unused)}; leave them out"


def _model(architecture: Architecture, shape: tuple[int, ...]) -> Any:
    seeded = torch.Generator().manual_seed(0)
    return autoencoder(architecture, shape, UNITS, likelihood="gaussian", generator=seeded)
