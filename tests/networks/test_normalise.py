"""Spectral and batch normalisation: what they divide by, and whose chance they use."""

import pytest
import torch
from torch import nn

from gordium.networks import Convolutional, batch_norm, build, spectral_norm


def chance(seed=0):
    return torch.Generator().manual_seed(seed)


def test_a_weight_is_divided_by_its_greatest_singular_value():
    layer = build(lambda: nn.Linear(7, 5), chance())
    plain = layer.weight.detach().clone()
    spectral_norm(layer, chance(1))
    for _ in range(200):
        layer(torch.zeros(1, 7))
    expected = plain / torch.linalg.svdvals(plain)[0]
    torch.testing.assert_close(layer.eval().weight, expected, atol=1e-5, rtol=1e-4)


def test_its_vectors_move_in_training_only_and_come_from_the_generator():
    before = torch.get_rng_state()
    first, second = (
        spectral_norm(build(lambda: nn.Conv2d(2, 3, 2), chance()), chance(seed)) for seed in (1, 2)
    )
    again = spectral_norm(build(lambda: nn.Conv2d(2, 3, 2), chance()), chance(1))
    assert torch.equal(before, torch.get_rng_state())
    assert all(map(torch.equal, first.state_dict().values(), again.state_dict().values()))
    assert not all(map(torch.equal, first.state_dict().values(), second.state_dict().values()))
    first.eval()(torch.ones(1, 2, 4, 4))
    assert all(map(torch.equal, first.state_dict().values(), again.state_dict().values()))
    first.train()(torch.ones(1, 2, 4, 4))
    assert not all(map(torch.equal, first.state_dict().values(), again.state_dict().values()))


def test_gradients_are_those_of_the_ratio():
    layer = spectral_norm(build(lambda: nn.Linear(3, 2), chance()).double(), chance())
    for _ in range(300):
        layer.weight  # noqa: B018 - each look is a power iteration
    plain = layer.parametrizations.weight.original.detach().clone().requires_grad_()
    (plain / torch.linalg.svdvals(plain)[0]).pow(3).sum().backward()
    layer.eval().weight.pow(3).sum().backward()
    torch.testing.assert_close(layer.parametrizations.weight.original.grad, plain.grad)


def test_outputs_of_activations_are_standardised():
    decoder = batch_norm(build(lambda: Convolutional(0.25).decoder(3, (1, 16, 16)), chance()))
    norms = [m for m in decoder if isinstance(m, nn.BatchNorm1d | nn.BatchNorm2d)]
    assert [m.num_features for m in norms] == [64, 16, 16, 8, 8]
    seen = []
    norms[3].register_forward_hook(lambda _, inputs, output: seen.append(output))
    decoder(torch.randn(32, 3, generator=chance()))
    torch.testing.assert_close(seen[0].mean(dim=(0, 2, 3)), torch.zeros(8), atol=1e-5, rtol=0)


def test_batch_norm_of_another_module_is_refused():
    with pytest.raises(TypeError, match=r"layers of an nn\.Sequential; got a Linear"):
        batch_norm(nn.Linear(2, 2))
