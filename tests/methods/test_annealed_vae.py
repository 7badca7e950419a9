"""AnnealedVAE: the capacity's rise, the gap, and the KL of each unit."""

import pytest
import torch

import gordium as gd
from gordium.methods import AnnealedVAE, Context
from gordium.networks import Convolutional
from gordium.training import Adam, Recording


@pytest.mark.parametrize(
    ("step", "nats"), [(0, 0.0), (1, 0.00025), (40_000, 10.0), (100_000, 25.0), (300_000, 25.0)]
)
def test_capacity_rises_linearly_to_25_nats_in_100_000_steps_and_stays(step, nats):
    assert AnnealedVAE().target(step) == pytest.approx(nats, abs=1e-12)


@pytest.mark.parametrize("step", [0, 30, 1000])
def test_terms_are_reconstruction_gap_and_the_kl_of_each_unit(out, by_hand, step):
    loss = AnnealedVAE(gamma=7.0, capacity=5.0, warmup_steps=100)(out, Context(step))
    rec, kl = by_hand
    gap = (kl.sum(dim=1).mean() - min(5.0, 5.0 * step / 100)).abs()
    torch.testing.assert_close(loss.total, rec + 7 * gap)
    torch.testing.assert_close(loss.terms["reconstruction"], rec)
    torch.testing.assert_close(loss.terms["capacity_gap"], gap)
    torch.testing.assert_close(loss.terms["kl"], kl.sum(dim=1).mean())
    units = torch.stack([loss.terms[f"kl_{i}"] for i in range(3)])
    torch.testing.assert_close(units, kl.mean(dim=0))


def test_the_gradient_of_the_gap_turns_where_the_kl_passes_the_capacity(out, by_hand):
    kl = by_hand[1].sum(dim=1).mean().item()
    slopes = []
    for capacity in (0.5 * kl, 2 * kl):
        loss = AnnealedVAE(gamma=1.0, capacity=capacity, warmup_steps=1)(out, Context(1))
        gap = loss.terms["capacity_gap"]
        slopes.append(torch.autograd.grad(gap, out.posterior.mean, retain_graph=True)[0])
    torch.testing.assert_close(slopes[0], out.mean / len(out.mean))
    torch.testing.assert_close(slopes[1], -out.mean / len(out.mean))


def test_the_kl_follows_the_capacity_and_each_unit_is_in_the_history(room):
    run = gd.train(
        AnnealedVAE(capacity=4.0, warmup_steps=100),
        room,
        steps=300,
        latent_dim=3,
        architecture=Convolutional(0.125),
        optimiser=Adam(3e-3),
        recording=Recording(50),
    )
    last = run.history[-1]
    assert last["kl"] == pytest.approx(4.0, abs=0.4)
    assert last["kl"] == pytest.approx(last["kl_0"] + last["kl_1"] + last["kl_2"], rel=1e-5)
    assert run.history[0]["kl"] < 2.0


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"gamma": -1.0}, "gamma must be a number of at least 0; got -1"),
        ({"capacity": float("nan")}, "capacity must be a number of at least 0; got nan"),
        ({"warmup_steps": 0}, "warmup_steps must be a whole number of at least 1; got 0"),
        ({"warmup_steps": 2.5}, "warmup_steps must be a whole number of at least 1; got 2.5"),
    ],
)
def test_bad_hyperparameters_are_named(fields, text):
    with pytest.raises(ValueError, match=text):
        AnnealedVAE(**fields)
