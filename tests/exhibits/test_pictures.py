"""Pictures of a model whose codes and images are known by heart."""

from types import SimpleNamespace

import torch
from torch import nn

from gordium.datasets import load_dataset
from gordium.methods import VAE
from gordium.networks import Posterior
from gordium.study.pictures import traversals


class Known(nn.Module):
    """Codes (0.5, 0.25) with variances 0.9 and 0.1; an image is the two codes, side by side."""

    def __init__(self):
        super().__init__()
        self.variances = nn.Parameter(torch.tensor([0.9, 0.1]))

    def encode(self, x):
        means = torch.tensor([0.5, 0.25]).expand(len(x), 2)
        return Posterior(means, self.variances.log().expand(len(x), 2))

    forward = encode  # a module that is not one of the package's own is called

    def decode(self, z):
        return z[:, None, None, :]


OF_A_VAE = SimpleNamespace(method=VAE())


def test_the_most_precise_unit_moves_first_and_the_others_stay():
    data = load_dataset("dsprites", size=16).hold(shape=0, scale=0, orientation=0)
    rows = traversals(SimpleNamespace(model=Known(), spec=OF_A_VAE), data, 3, n=3, reach=1.0)
    # From -1 to 1 in three steps, cut to [0, 1] and in 256 levels; 0.5 and 0.25 are 128 and 64.
    shown = [[picture[0, :, 0].tolist() for picture in row] for row in rows]
    assert shown == [[[128, 0], [128, 0], [128, 255]], [[0, 64], [0, 64], [255, 64]]]
