"""Adding normalisation of weights and activations to networks that are built already."""

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional as F
from torch.nn.utils import parametrize

ACTIVATIONS = (nn.ReLU, nn.LeakyReLU, nn.Tanh)


class SpectralNorm(nn.Module):
    """Divides a weight by its largest singular value (Miyato et al. 2018).

    Rows are outputs. One power iteration in each training pass keeps the value up to date.
    """

    left: Tensor
    right: Tensor

    def __init__(self, weight: Tensor, generator: Generator) -> None:
        super().__init__()
        matrix = weight.detach().flatten(1)
        for name, size in zip(("left", "right"), matrix.shape, strict=True):
            vector = F.normalize(torch.randn(size, generator=generator), dim=0)
            self.register_buffer(name, vector.to(matrix))

    def forward(self, weight: Tensor) -> Tensor:
        matrix = weight.flatten(1)
        if self.training:
            with torch.no_grad():
                self.right = F.normalize(matrix.T @ self.left, dim=0)
                self.left = F.normalize(matrix @ self.right, dim=0)
        return weight / torch.dot(self.left, matrix @ self.right)


def spectral_norm(module: nn.Module, generator: Generator) -> nn.Module:
    """Normalise the linear maps and convolutions of `module` spectrally, in place."""
    for layer in list(module.modules()):
        if isinstance(layer, nn.Linear | nn.Conv2d):
            norm = SpectralNorm(layer.weight, generator)
            parametrize.register_parametrization(layer, "weight", norm)
    return module


def batch_norm(module: nn.Module) -> nn.Sequential:
    """Return the same layers with batch normalisation after each activation."""
    if not isinstance(module, nn.Sequential):
        raise TypeError(
            "batch normalisation is put between the layers of an nn.Sequential; "
            f"got a {type(module).__name__}."
        )
    layers: list[nn.Module] = []
    norm: nn.Module = nn.Identity()
    for layer in module:
        layers.append(layer)
        if isinstance(layer, nn.Linear):
            norm = nn.BatchNorm1d(layer.out_features)
        elif isinstance(layer, nn.ConvTranspose2d):
            norm = nn.BatchNorm2d(layer.out_channels)
        elif isinstance(layer, ACTIVATIONS):
            layers.append(norm)
    return type(module)(*layers)
