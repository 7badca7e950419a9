"""The weakly supervised GAN: each loss by itself, its networks and their chance."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from gordium.datasets import load_dataset
from gordium.methods import Batch, Context, Networks, Size, WeakGAN
from gordium.methods.terms import logistic_loss
from gordium.methods.weak_gan import draw_paired_latents, gaussian_nll
from gordium.networks import Mlp, Posterior, autoencoder
from gordium.optimisers import Adam
from gordium.pairs import FullSharing

SMALL = WeakGAN(critic_width=0.125)
SHAPE = (1, 16, 16)


def chance(seed=0):
    return torch.Generator().manual_seed(seed)


@pytest.fixture
def networks():
    model = autoencoder(Mlp((8,), (8,)), SHAPE, 3, likelihood="bernoulli", generator=chance())
    SMALL.prepare(model, chance())
    return Networks(model, SMALL.critic(Size(3, SHAPE, 2), chance()))


@pytest.fixture
def batch():
    shared = torch.tensor([[True, False], [False, True], [False, True], [True, False]])
    return Batch(torch.rand(8, *SHAPE, generator=chance(1)), shared)


def test_latent_pairs_share_one_unit_and_redraw_the_others():
    z, shared = draw_paired_latents((50_000, 4, 3), chance())
    same = z[:50_000] == z[50_000:]
    assert (same.sum(dim=1) == 1).all()
    assert torch.equal(same.byte().argmax(dim=1), shared)
    assert not same[:, 3].any()  # a unit beyond the factors is never shared
    torch.testing.assert_close(
        torch.bincount(shared) / 50_000, torch.full((3,), 1 / 3), atol=0.01, rtol=0
    )
    torch.testing.assert_close(torch.cov(z.T), torch.eye(4), atol=0.03, rtol=0)


def test_the_critics_loss_is_logistic_regression():
    real, fake = torch.randn(2, 6, generator=chance(), dtype=torch.float64)
    labels = torch.cat([torch.ones(6), torch.zeros(6)]).double()
    expected = F.binary_cross_entropy_with_logits(torch.cat([real, fake]), labels)
    torch.testing.assert_close(logistic_loss(real, fake), expected)


def test_the_encoders_loss_is_a_gaussian_log_likelihood():
    mean, log_variance, z = torch.randn(3, 6, 2, generator=chance(), dtype=torch.float64)
    q = torch.distributions.Normal(mean, (0.5 * log_variance).exp())
    expected = -q.log_prob(z).sum(dim=1).mean()
    torch.testing.assert_close(gaussian_nll(Posterior(mean, log_variance), z), expected)


def test_a_step_is_critic_then_encoder_then_generator_on_new_latents(networks, batch):
    names, losses = zip(*SMALL.losses(networks, batch, Context(0, noise=chance(7))), strict=True)
    assert names == ("critic", "encoder", "decoder")
    assert [set(loss.terms) for loss in losses] == [{"critic"}, {"encoder"}, {"generator"}]


def test_each_loss_reaches_its_own_network(networks, batch):
    model, critic = networks
    for name, loss in SMALL.losses(networks, batch, Context(0, noise=chance(7))):
        for part in (model.encoder, model.decoder, critic):
            part.zero_grad()
        loss.total.backward()
        own = {"critic": critic, "encoder": model.encoder, "decoder": model.decoder}[name]
        assert all(p.grad is not None and p.grad.isfinite().all() for p in own.parameters())
        if name != "decoder":  # the generator is only judged, not changed, in the first two
            assert all(p.grad is None for p in model.decoder.parameters())


def test_the_encoder_never_sees_a_real_image(networks, batch):
    seen = []
    networks.model.encoder.register_forward_hook(lambda _, inputs, output: seen.append(inputs[0]))
    list(SMALL.losses(networks, batch, Context(0, noise=chance(7))))
    z, _ = draw_paired_latents((4, 3, 2), chance(7))
    networks.model.decoder.train()
    assert len(seen) == 1
    torch.testing.assert_close(seen[0], networks.model.decode(z)[:4].detach())


def test_the_critic_is_told_which_factor_is_shared(networks, batch):
    critic = networks.critic.eval()
    scores = [critic(batch.x, torch.full((4,), factor)) for factor in (0, 1)]
    features = critic.neck(torch.cat(critic.body(batch.x).chunk(2), dim=1))
    weight = critic.factors.weight
    unit = weight / weight.square().sum(dim=0).sqrt()
    torch.testing.assert_close(scores[0] - scores[1], features @ (unit[0] - unit[1]))


def test_a_critic_that_compares_sees_how_far_apart_the_features_are(batch):
    critic = replace(SMALL, compare=True).critic(Size(3, SHAPE, 2), chance()).eval()
    first, second = critic.body(batch.x).chunk(2)
    features = critic.neck(torch.cat([first, second, (first - second).abs()], dim=1))
    vectors = F.normalize(critic.factors.weight, dim=0)[0]
    expected = critic.head(features)[:, 0] + features @ vectors
    torch.testing.assert_close(critic(batch.x, torch.zeros(4, dtype=torch.int64)), expected)


@pytest.mark.parametrize(("compare", "learns"), [(True, True), (False, False)])
def test_comparing_is_how_sharing_is_soon_learned(compare, learns):
    """Real pairs that share one of two coordinates, against pairs that share none by design."""
    dataset = load_dataset("dsprites", size=16).hold(shape=2, scale=5, orientation=0)
    method = replace(SMALL, critic_width=0.25, compare=compare)
    critic = method.critic(Size(2, dataset.image_shape, 2), chance())
    optimiser = torch.optim.Adam(critic.parameters(), 1e-3, betas=(0.5, 0.999))
    rng, losses = np.random.default_rng(0), []
    for _ in range(150):
        pairs = FullSharing().draw(dataset.factors, 32, rng)
        alike = dataset.index_of(np.concatenate([pairs.first, pairs.second]))
        shared = torch.from_numpy(pairs.shared).byte().argmax(dim=1)
        x, y = (
            torch.from_numpy(dataset.images(indices)) / 255
            for indices in (alike, rng.integers(len(dataset), size=64))
        )
        loss = logistic_loss(critic(x, shared), critic(y, shared))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert (np.mean(losses[-30:]) < 0.5) == learns, np.mean(losses[-30:])  # chance is log 2 = 0.69


def test_weights_of_critic_and_encoder_have_spectral_norm_one(networks, batch):
    for _ in range(60):  # power iterations
        networks.critic(batch.x, torch.zeros(4, dtype=torch.int64))
        networks.model.encode(batch.x)
    for part in (networks.model.encoder, networks.critic):
        weights = [m.weight for m in part.eval().modules() if isinstance(m, nn.Linear | nn.Conv2d)]
        assert weights
        for weight in weights:
            top = torch.linalg.matrix_norm(weight.detach().flatten(1), ord=2)
            assert top.item() == pytest.approx(1, abs=0.02)


def test_the_decoder_is_normalised_after_each_activation_if_asked(networks):
    kinds = [type(layer) for layer in networks.model.decoder]
    assert kinds == [nn.Linear, nn.Tanh, nn.BatchNorm1d, nn.Linear, nn.Unflatten]
    plain = autoencoder(Mlp((8,), (8,)), SHAPE, 3, likelihood="bernoulli", generator=chance())
    names = list(plain.state_dict())
    WeakGAN(normalise=False).prepare(plain, chance())
    assert list(plain.state_dict()) == names


def test_settings_are_the_published_ones():
    assert WeakGAN().pairing == FullSharing()
    assert set(WeakGAN().optimisers.values()) == {Adam(1e-3, 0.5, 0.999, 1e-8)}
    assert WeakGAN(critic_rate=2e-3).optimisers["encoder"] == Adam(2e-3, 0.5, 0.999, 1e-8)


def test_errors_say_what_to_do(networks, batch):
    with pytest.raises(ValueError, match="critic_width must be a number above 0; got 0"):
        WeakGAN(critic_width=0)
    with pytest.raises(ValueError, match="a latent unit for each of the 3 factors; got latent_dim"):
        SMALL.critic(Size(2, SHAPE, 3), chance())
    with pytest.raises(ValueError, match="pairs with a known shared factor"):
        list(SMALL.losses(networks, Batch(batch.x), Context(0, noise=chance())))


def test_the_encoder_learns_what_a_generator_that_stands_still_generates(networks, batch):
    encoder = networks.model.encoder
    optimiser = SMALL.optimisers["encoder"].build(encoder.parameters())
    noise, history = chance(7), []
    for _ in range(60):
        losses = dict(SMALL.losses(networks, batch, Context(0, noise=noise)))
        optimiser.zero_grad()
        losses["encoder"].total.backward()
        optimiser.step()
        history.append(losses["encoder"].total.item())
    assert sum(history[-10:]) < sum(history[:10])


def test_the_critic_learns_to_tell_generated_pairs(small_run):
    history = small_run(SMALL, steps=40, every=10).history
    assert history[-1]["critic"] < history[0]["critic"] < 0.8  # chance is log 2 = 0.69


def test_a_cut_run_goes_on_to_the_same_bits(assert_resumes):
    assert_resumes(SMALL)
