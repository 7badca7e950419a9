"""The checks of networks and data sets pass ours, and say what is wrong with broken ones."""

from dataclasses import dataclass
from math import prod

import numpy as np
import pytest
import torch
from torch import nn

from gordium.datasets import FromArrays, Noisy, load_dataset
from gordium.networks import ARCHITECTURES, build
from gordium.testing import check_dataset, check_network


@pytest.mark.parametrize("network", [kind() for kind in ARCHITECTURES.values()])
def test_our_networks_pass(network):
    check_network(network)


def layers(n_in, n_out):
    return nn.Sequential(nn.Flatten(), nn.Linear(n_in, n_out))


@dataclass(frozen=True)
class Own:
    """Right, unless a fault is asked for."""

    fault: str = ""

    def encoder(self, image_shape, n_outputs):
        made = layers(prod(image_shape), n_outputs + (self.fault == "outputs"))
        if self.fault == "unused":
            made[1].never = nn.Parameter(torch.zeros(2, 2))
        if self.fault == "norm":
            made.append(nn.BatchNorm1d(n_outputs))
        if self.fault == "mixing":
            made.append(Centred())
        return made

    def decoder(self, n_inputs, image_shape):
        flat = self.fault == "flat"
        made = layers(n_inputs, prod(image_shape))
        return made if flat else nn.Sequential(made, nn.Unflatten(1, tuple(image_shape)))


class Centred(nn.Module):
    def forward(self, x):
        return x - x.mean(dim=0)


def test_a_network_of_the_users_passes():
    check_network(Own())
    check_network(Own("norm"))


def test_norms_start_as_their_layer_says_and_the_global_generator_is_left_alone():
    before = torch.random.get_rng_state()
    made = build(lambda: Own("norm").encoder((1, 2, 2), 3), torch.Generator())
    assert torch.equal(torch.random.get_rng_state(), before)
    assert made[2].weight.tolist() == [1, 1, 1]
    assert made[2].running_var.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("outputs", r"encodes \(4, 1, 32, 32\) as \(4, 7\), not \(4, 6\)"),
        ("flat", r"decodes to \(4, 1024\), not"),
        ("unused", "has weights that nothing depends on: encoder.1.never"),
        ("mixing", "in evaluation mode rows must not mix"),
    ],
)
def test_a_broken_network_is_told_what_is_wrong(fault, text):
    with pytest.raises(AssertionError, match=text):
        check_network(Own(fault))


def test_what_is_no_network_is_told():
    with pytest.raises(AssertionError, match="Own is a class: give an instance"):
        check_network(Own)
    with pytest.raises(AssertionError, match="must be a frozen dataclass"):
        check_network(object())


@pytest.mark.parametrize("name", ["dsprites", "synthetic-linear"])
def test_our_data_sets_pass(name):
    check_dataset(load_dataset(name))
    if name == "dsprites":
        check_dataset(Noisy(load_dataset(name, size=16).hold(shape=0), 0.1))


def test_arrays_pass_but_are_not_found_again():
    data = FromArrays(np.zeros((6, 4, 4), np.uint8), np.arange(6))
    check_dataset(data, is_found_again=False)
    with pytest.raises(AssertionError, match="FromArrays is not made again by its declaration"):
        check_dataset(data)
