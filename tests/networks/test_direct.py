"""Direct convolutions give what PyTorch's give in double precision, or leave it to PyTorch."""

import copy
import warnings

import pytest
import torch
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from torch import nn
from torch.func import jvp, vmap
from torch.nn import functional as F

from gordium.networks import (
    Convolutional,
    PairCritic,
    batch_norm,
    build,
    direct,
    kernels,
    spectral_norm,
)
from gordium.networks._calls import Convolution, images_inside
from gordium.networks.direct import Layers, use_pytorch_alone
from gordium.networks.layers import Crop, HalvingConv
from gordium.networks.likelihoods import bernoulli_nll, squared_error

pytestmark = pytest.mark.skipif(kernels().library is None, reason="no compiler")


def chance(seed=0):
    return torch.Generator().manual_seed(seed)


def close(found, exact, scale=0.0):
    """To 1e-5 of the largest."""
    scale = max(scale, exact.abs().max().item(), 1e-30)
    assert (found.double() - exact.double()).abs().max().item() <= 1e-5 * scale


def results(network, x, weights_of_output):
    """Output, and gradients of its weighted sum with respect to x and all parameters."""
    out = network(x)
    loss = (out * weights_of_output[..., : out.shape[-2], : out.shape[-1]]).sum()
    return [out, *torch.autograd.grad(loss, [x, *network.parameters()])]


def check(network, shape, seed=0):
    x = torch.randn(shape, generator=chance(seed)).requires_grad_()
    with torch.no_grad():
        size = network(x).shape
    weights = torch.randn(size, generator=chance(seed + 1))
    found = results(network, x, weights)
    assert "_ConvolutionsBackward" in nodes(found[0].grad_fn)
    network, x, weights = network.double(), x.detach().double(), weights.double()
    exact = results(network, x.requires_grad_(), weights)
    for a, b in zip(found[:2], exact[:2], strict=True):
        close(a, b)
    # A gradient may be what is left of images' large ones: its scale is the sum of their sizes.
    images = zip(x.detach().split(1), weights.split(1), strict=True)
    each = [results(network, one.requires_grad_(), weight)[2:] for one, weight in images]
    for a, b, *parts in zip(found[2:], exact[2:], *each, strict=True):
        close(a, b, sum(part.abs() for part in parts).max().item())


def nodes(node):
    """The names of all nodes of the graph behind one."""
    behind = [n for n, _ in node.next_functions if n is not None]
    return {type(node).__name__}.union(*map(nodes, behind))


@st.composite
def networks(draw):
    """One to three convolutions of any kind that fit the image, and activations."""
    channels, size = draw(st.integers(1, 6)), draw(st.integers(3, 11))
    start, layers, sides = channels, [], (size, draw(st.integers(3, 11)))
    first = (channels, *sides)
    for _ in range(draw(st.integers(1, 3))):
        kernel, stride = draw(st.integers(1, 4)), draw(st.integers(1, 3))
        padding, filters = draw(st.integers(0, kernel - 1)), draw(st.integers(1, 9))
        kind = draw(st.sampled_from([nn.Conv2d, nn.ConvTranspose2d, HalvingConv]))
        bias = draw(st.booleans())
        if kind is HalvingConv:
            layer = HalvingConv(start, filters, draw(st.sampled_from([2, 4])))
        else:
            layer = kind(start, filters, kernel, stride, padding, bias=bias)
        after = [[], [nn.ReLU(inplace=True)], [nn.LeakyReLU(0.2)], [Crop(5, 4)]]
        layers += [layer, *draw(st.sampled_from(after))]
        start = filters
    return nn.Sequential(*layers), first


@given(networks(), st.sampled_from([16, 48, 64, 80]), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_any_run_of_convolutions_has_pytorchs_values_and_gradients(made, n, seed):
    network, x = fitting(made, n, seed)
    check(network, x.shape, seed)


def fitting(made, n, seed):
    """The drawn network with drawn weights, and images of which it leaves something."""
    layers, shape = made
    try:
        with use_pytorch_alone():
            # In double precision, which is what the values are compared with: some of PyTorch's
            # kernels for single precision return an empty image where this one refuses.
            layers.double()(torch.zeros(n, *shape, dtype=torch.float64))
    except RuntimeError:
        reject()  # nothing is left of the image
    layers.float()
    network = build(lambda: Layers(*layers), chance(seed))
    for parameter in network.parameters():
        nn.init.normal_(parameter, generator=chance(seed))
    return network, torch.randn(n, *shape, generator=chance(seed))


@pytest.mark.parametrize("size", [16, 17, 30])
@pytest.mark.parametrize("width", [0.1, 0.25])
def test_the_reference_network_at_even_and_odd_sizes(size, width):
    architecture = Convolutional(width)
    encoder = build(lambda: architecture.encoder((3, size, size), 8), chance())
    decoder = build(lambda: architecture.decoder(4, (1, size, size)), chance())
    check(encoder, (64, 3, size, size))
    check(decoder, (32, 4))


def test_the_critic_of_the_gan_with_its_normalised_weights():
    critic = spectral_norm(build(lambda: PairCritic((3, 16, 16), 2, 0.25), chance()), chance())
    check(critic.body.eval(), (32, 3, 16, 16))


def test_the_critic_is_trained_as_by_pytorch():
    """In training, each pass takes a step of the power iteration that normalises the weights."""
    critic = spectral_norm(build(lambda: PairCritic((3, 18, 18), 2, 0.25), chance()), chance())
    x, shared = torch.rand(64, 3, 18, 18, generator=chance()), torch.arange(32) % 2

    def trained(network):
        for _ in range(3):
            network.zero_grad()
            network.train()(x, shared).square().sum().backward()
        return {
            **{f"of {n}": p.grad for n, p in network.named_parameters()},
            **network.state_dict(),
        }

    with use_pytorch_alone():
        expected = trained(copy.deepcopy(critic))
    found = trained(copy.deepcopy(critic))
    assert "_ConvolutionsBackward" in nodes(critic(x, shared).grad_fn)
    assert found.keys() == expected.keys()
    for name, tensor in found.items():
        close(tensor, expected[name])


def test_batch_normalisation_between_the_layers():
    decoder = build(lambda: Convolutional(0.25).decoder(4, (3, 16, 16)), chance())
    normalised = batch_norm(decoder)
    assert type(normalised) is Layers
    check(normalised.eval(), (32, 4))


def test_names_of_weights_are_those_of_a_plain_sequence():
    encoder = Convolutional(0.25).encoder((3, 16, 16), 4)
    assert list(encoder.state_dict()) == list(nn.Sequential(*encoder).state_dict())


def convolutions():
    layers = [nn.Conv2d(2, 3, 3, 2, 1), nn.LeakyReLU(0.1), nn.ConvTranspose2d(3, 2, 4, 2, 1)]
    return build(lambda: Layers(*layers, Crop(5, 5)), chance())


@given(networks(), st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_a_second_derivative_is_that_of_pytorch(made, seed):
    network, x = fitting(made, 16, seed)

    def twice(dtype):
        start = x.to(dtype).requires_grad_()
        out = network.to(dtype)(start)
        (first,) = torch.autograd.grad(out.square().sum(), start, create_graph=True)
        inputs = [start, *network.parameters()]
        return torch.autograd.grad(first.square().sum(), inputs, allow_unused=True)

    found, exact = twice(torch.float32), twice(torch.float64)
    largest = max(gradient.abs().max().item() for gradient in exact if gradient is not None)
    for a, b in zip(found, exact, strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            close(a, b, 0.1 * largest)


def test_mapped_and_forward_derivatives_take_pytorchs_path():
    network, x = convolutions(), torch.randn(2, 32, 2, 6, 6, generator=chance())
    mapped = vmap(network)(x)
    assert torch.allclose(mapped[1], network(x[1]), atol=1e-6)
    _, along = jvp(network, (x[0],), (torch.ones_like(x[0]),))
    by_steps = (network.double()((x[0] + 1e-3).double()) - network(x[0].double())) / 1e-3
    assert along.shape == by_steps.shape
    network.float()
    with warnings.catch_warnings(action="ignore"):
        traced = torch.jit.trace(network, x[0])
    assert torch.allclose(traced(x[0]), network(x[0]), atol=1e-6)


def test_other_batches_types_and_layers_take_pytorchs_path(monkeypatch):
    def refuse(*_):
        raise AssertionError("the kernels were called")

    monkeypatch.setattr(direct.calls, "convolve", refuse)
    network = convolutions()
    for n in (1, 15, 33):
        network(torch.zeros(n, 2, 6, 6))
    network.double()(torch.zeros(32, 2, 6, 6, dtype=torch.float64))
    for layer in (
        nn.Conv2d(2, 2, (3, 1)),
        nn.Conv2d(2, 2, 3, dilation=2),
        nn.Conv2d(2, 2, 3, groups=2),
        nn.Conv2d(2, 2, 3, padding="same"),
        nn.Conv2d(2, 2, 3, padding=1, padding_mode="circular"),
    ):
        Layers(layer)(torch.zeros(32, 2, 6, 6))
    for part, tensor in {
        "bias": torch.zeros(8)[::2],
        "weight": torch.zeros(4, 2, 3, 2),
    }.items():
        layer = nn.Conv2d(2, 4, 3)
        setattr(layer, part, nn.Parameter(tensor))
        assert Layers(layer)(torch.zeros(32, 2, 6, 6)).shape[1] == 4
    for part, size in {"bias": (4,), "weight": (4, 2, 3, 3)}.items():
        layer = nn.Conv2d(2, 4, 3)
        setattr(layer, part, nn.Parameter(torch.zeros(size, dtype=torch.float64)))
        with pytest.raises(RuntimeError, match="type"):
            Layers(layer)(torch.zeros(32, 2, 6, 6))
    with pytest.raises(RuntimeError, match="channels"):
        convolutions()(torch.zeros(32, 3, 6, 6))
    with pytest.raises(AssertionError, match="were called"):
        convolutions()(torch.zeros(32, 2, 6, 6))


def test_a_hook_on_a_layer_is_called():
    network, seen = convolutions(), []
    network[2].register_forward_hook(lambda module, inputs, output: seen.append(output.shape))
    network(torch.zeros(32, 2, 6, 6))
    assert seen == [(32, 2, 6, 6)]


def test_a_number_that_is_none_is_not_hidden_by_an_activation():
    network = build(lambda: Layers(nn.Conv2d(1, 1, 1), nn.ReLU()), chance())
    assert network(torch.full((32, 1, 2, 2), torch.nan)).isnan().all()


@given(
    st.one_of(st.integers(1, 40), st.sampled_from([16, 32, 1600])),  # the kernels' are 16 k
    st.integers(0, 9),
    st.sampled_from([1.0, 0.5, 30.0]),
)
@settings(max_examples=40, deadline=None)
def test_losses_and_their_gradients_are_exact(numbers, seed, scale):
    output = (scale * torch.randn(3, numbers, generator=chance(seed))).requires_grad_()
    x = torch.rand(3, numbers, generator=chance(seed + 1)).requires_grad_()
    double, target = (t.detach().double().requires_grad_() for t in (output, x))

    found = squared_error(output, x)
    exact = F.mse_loss(double, target, reduction="sum") / 3
    close(found, exact)
    pairs = zip(
        torch.autograd.grad(found, [output, x]),
        torch.autograd.grad(exact, [double, target]),
        strict=True,
    )
    for a, b in pairs:
        close(a, b)

    found = bernoulli_nll(output, x.detach())
    exact = F.binary_cross_entropy_with_logits(double, target.detach(), reduction="sum") / 3
    close(found, exact)
    first, exact_first = (
        torch.autograd.grad(3 * loss, at, create_graph=True)[0]
        for loss, at in ((found, output), (exact, double))
    )
    close(first, exact_first)
    if scale <= 1:  # beyond, 1 - sigmoid is lost in floats
        pairs = ((first, output), (exact_first, double))
        close(*(torch.autograd.grad(slope.sum(), at)[0] for slope, at in pairs))
    close(torch.autograd.grad(bernoulli_nll(output, x.detach()), output)[0], exact_first / 3)


def test_losses_do_not_depend_on_the_layout():
    x, output = (torch.rand(4, 3, 4, 8, generator=chance(seed)) for seed in (0, 1))
    other = output.to(memory_format=torch.channels_last)
    assert bernoulli_nll(other, x).item() == pytest.approx(
        bernoulli_nll(output, x).item(), rel=1e-6
    )
    cut = output[..., :4]
    assert bernoulli_nll(cut, x[..., :4]).item() == pytest.approx(
        bernoulli_nll(cut.clone(), x[..., :4].clone()).item(), rel=1e-6
    )


TILED = {  # layers that take fewer products, if there are at least 1,024 weights a tap
    "inputs": st.sampled_from([26, 32, 37]),
    "outputs": st.sampled_from([40, 41, 43]),
    "size": st.tuples(st.sampled_from([4, 6]), st.sampled_from([4, 8])),
    "n": st.sampled_from([16, 48, 64]),
    "slope": st.sampled_from([0.0, 0.3, 1.0]),
}


@settings(max_examples=20, deadline=None)
@given(halves=st.booleans(), bias=st.booleans(), **TILED)
def test_halving_and_doubling_many_channels_has_pytorchs_values_and_gradients(
    halves, bias, inputs, outputs, size, n, slope
):
    kind = nn.Conv2d if halves else nn.ConvTranspose2d
    layers = [kind(inputs, outputs, 4, 2, 1, bias=bias), nn.LeakyReLU(slope)]
    # The gradient of the input of the tiled layer is masked by the activation before it.
    before = [nn.Conv2d(2, inputs, 1), nn.LeakyReLU(slope)]
    sides = [(2 if halves else 1) * side for side in size]
    check(build(lambda: Layers(*before, *layers), chance()), (n, 2, *sides))


@settings(max_examples=20, deadline=None)
@given(**TILED)
def test_derivatives_go_through_a_doubling_as_values_do_without_its_bias(
    inputs, outputs, size, n, slope
):
    step = Convolution(True, 4, 2, 1, size, (2 * size[0], 2 * size[1]), slope)
    x, values = torch.randn(n, inputs, *size), torch.randn(n, outputs, *step.to)
    weight = torch.randn(inputs, outputs, 4, 4)
    layouts = images_inside(x), weight, None, images_inside(values)
    found = direct.calls.convolve(step, *layouts)
    exact = F.conv_transpose2d(x.double(), weight.double(), stride=2, padding=1)
    close(found, exact * torch.where(values > 0, 1, slope))
    taken = torch.empty(n, 2, *exact.shape[1:])
    direct.calls.take_out(found, taken[:, 1])
    assert torch.equal(taken[:, 1], found)


def test_bytes_become_floats_in_the_direct_layout():
    images = torch.randint(256, (32, 3, 5, 6), generator=chance(), dtype=torch.uint8)
    x = direct.as_floats(images.numpy(), Layers(nn.Conv2d(3, 1, 1)))
    assert torch.equal(x, images / 255)
    assert x.stride() == (1, 32, 6 * 3 * 32, 3 * 32)
    assert direct.as_floats(images.numpy(), Layers(nn.Flatten())) is None


@pytest.mark.parametrize("width", [0.25, 0.5, 1.0])
def test_the_number_of_threads_does_not_change_a_bit(width):
    network = build(lambda: Convolutional(width).encoder((3, 16, 16), 4), chance())
    x = torch.rand(64, 3, 16, 16, generator=chance())
    before = torch.get_num_threads()
    found = []
    try:
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            loss = network[:8](x).square().sum()
            found.append(torch.autograd.grad(loss, list(network[:8].parameters())))
    finally:
        torch.set_num_threads(before)
    for other in found[1:]:
        assert all(torch.equal(a, b) for a, b in zip(found[0], other, strict=True))


@pytest.mark.parametrize("flushed", [False, True])
def test_threads_treat_tiny_floats_as_their_caller_does_whatever_it_did_before(flushed):
    step = Convolution(False, 1, 1, 0, (2, 2), (2, 2))
    x, weight = images_inside(torch.full((64, 1, 2, 2), 1e-20)), torch.full((1, 1, 1, 1), 1e-20)
    before = torch.get_num_threads()
    direct.calls._pool.cache_clear()
    try:
        torch.set_num_threads(2)
        torch.set_flush_denormal(not flushed)
        direct.calls.convolve(step, x, weight, None)  # starts the threads
        torch.set_flush_denormal(flushed)
        found = direct.calls.convolve(step, x, weight, None)
    finally:
        torch.set_flush_denormal(False)
        torch.set_num_threads(before)
    assert found.count_nonzero() == (0 if flushed else found.numel())
