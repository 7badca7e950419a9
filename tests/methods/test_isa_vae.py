"""ISA-VAE: Eq. 12 against other libraries' densities, learned exponents in runs."""

import numpy as np
import pytest
import torch
from scipy import stats

import gordium as gd
from gordium.fields import declare_fields
from gordium.methods import ISATCVAE, ISAVAE, Context, Networks, forward
from gordium.methods.terms import kl_to_standard_normal
from gordium.networks import Convolutional, Linear, autoencoder
from gordium.training import Adam, Recording

SMALL = {"latent_dim": 3, "architecture": Convolutional(0.125), "optimiser": Adam(1e-2)}


def noise(seed=2):
    return torch.Generator().manual_seed(seed)


def forward_pass(method, n=8):
    model = autoencoder(Linear(), (1, 2, 3), 3, likelihood="gaussian", generator=noise(0))
    model.parts = method.parts(3, noise())
    x = torch.rand(1, 1, 2, 3, generator=noise(1)).repeat(n, 1, 1, 1)
    return forward(Networks(model.double()), x.double(), noise())


def log_posterior(out):
    normal = torch.distributions.Normal(out.mean, (0.5 * out.log_variance).exp())
    return normal.log_prob(out.z).sum(dim=1)


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0, 2.2])
def test_equation_12_term_by_term_with_equal_exponents(p):
    # Equal exponents make the prior a product of generalised Gaussians, which scipy has.
    method = ISAVAE(beta=3.0, layout=(2, 1), p0=p, p=p)
    out = forward_pass(method)
    loss = method(out, Context(0))
    z = out.z.detach().numpy()
    prior = stats.gennorm(p, scale=2.0 ** (1 / p)).logpdf(z).sum(axis=1).mean()
    kl = log_posterior(out).mean().item() - prior
    rec = ((out.output - out.x) ** 2).flatten(1).sum(dim=1).mean().item()
    assert loss.terms["kl"].item() == pytest.approx(kl, abs=1e-6)  # exponents are float32
    assert loss.terms["reconstruction"].item() == pytest.approx(rec, rel=1e-12)
    assert loss.total.item() == pytest.approx(rec + 3 * kl, abs=1e-5)
    assert set(loss.terms) == {"reconstruction", "kl"}


def test_equation_12_with_one_subspace_of_unequal_exponents():
    # f is the L^1 norm of one subspace, and p0 = 2: p(z) is proportional to exp(-|z|_1^2 / 2).
    # Its mass: S(1) of the L^1 sphere in 3-D is 2^3 / 2! = 4; times int R^2 exp(-R^2 / 2) dR.
    method = ISAVAE(layout=3, p0=2.0, p=1.0)
    out = forward_pass(method)
    log_mass = np.log(4 * np.sqrt(np.pi / 2))
    prior = -(out.z.abs().sum(dim=1) ** 2) / 2 - log_mass
    expected = (log_posterior(out) - prior).mean()
    torch.testing.assert_close(method(out, Context(0)).terms["kl"], expected, rtol=0, atol=1e-5)


def test_the_monte_carlo_kl_agrees_with_the_closed_form_for_the_normal_prior():
    method = ISAVAE(p0=2.0, p=2.0)
    out = forward_pass(method, n=40_000)
    found = method(out, Context(0)).terms["kl"].item()
    expected = kl_to_standard_normal(out.mean, out.log_variance).sum(dim=1).mean().item()
    spread = (log_posterior(out) + out.z.square().sum(dim=1) / 2).std().item() / 200
    assert found == pytest.approx(expected, abs=4 * spread)
    assert spread < 0.01


def test_defaults_are_the_papers():
    assert ISAVAE().parts(20, noise()).sizes == (4,) * 5
    fixed, learned = (ISAVAE(learn_p=learn).parts(20, noise()) for learn in (False, True))
    assert not fixed.read_learned()
    torch.testing.assert_close(fixed.density().p, torch.full((5,), 2.2))
    torch.testing.assert_close(
        torch.stack([*learned.read_learned().values()]), torch.full((5,), 2.0)
    )
    torch.testing.assert_close(learned.density().p0, torch.tensor(2.1))


def test_learned_exponents_are_trained_recorded_saved_and_loaded(tmp_path, room):
    method = ISAVAE(learn_p=True, layout=(2, 1))
    run = gd.train(method, room, steps=80, folder=tmp_path, recording=Recording(10), **SMALL)
    first, last = run.history[0], run.history[-1]
    assert last["loss"] < first["loss"]
    assert last["p1"] != last["p2"] != 2.0
    assert "p0" not in last
    loaded = gd.load_run(tmp_path).model.parts
    torch.testing.assert_close(loaded.density().p, run.model.parts.density().p, rtol=0, atol=0)
    assert abs(loaded.density().p[0].item() - last["p1"]) < 0.1
    both = gd.train(ISAVAE(learn_p=True, learn_p0=True, layout=3), room, steps=2, **SMALL)
    assert {"p0", "p1"} <= set(both.history[-1])


@pytest.mark.parametrize("rate", [None, 1e-4])
def test_the_first_step_of_adam_moves_an_exponent_by_its_own_rate(room, rate):
    # Adam's first step is the rate, whatever the gradient; what is moved is the logarithm.
    method = ISAVAE(learn_p=True, learn_p0=True, layout=3, p_rate=rate)
    run = gd.train(method, room, steps=1, **SMALL)
    prior = run.model.parts
    moved = torch.cat([prior.log_p - np.log(2.0), prior.log_p0[None] - np.log(2.1)]).abs()
    torch.testing.assert_close(moved.detach(), torch.full((2,), rate or 1e-2), rtol=0, atol=1e-6)
    other = gd.train(ISAVAE(learn_p=True, learn_p0=True, layout=3), room, steps=1, **SMALL)
    theirs = other.model.encoder.state_dict()
    for key, mine in run.model.encoder.state_dict().items():
        assert torch.equal(mine, theirs[key])


class Cut(Exception):
    pass


def test_a_cut_run_goes_on_to_the_same_bits(tmp_path, room):
    often = Recording(record_every=4, checkpoint_seconds=0, report_seconds=0)
    settings = {**SMALL, "steps": 9, "recording": often}
    method = ISAVAE(learn_p=True, layout=(2, 1), p_rate=5e-4)

    def cut(done, total, note):
        if done >= 5:
            raise Cut

    whole = gd.train(method, room, folder=tmp_path / "whole", **settings)
    with pytest.raises(Cut):
        gd.train(method, room, folder=tmp_path / "cut", report=cut, **settings)
    resumed = gd.train(method, room, folder=tmp_path / "cut", **settings)
    assert resumed.history == whole.history
    for key, tensor in resumed.model.state_dict().items():
        assert torch.equal(tensor, whole.model.state_dict()[key])


TREE = (2.1, (1.8, 1, (2.4, 1)), 1)


@pytest.mark.parametrize("isa", [ISAVAE, ISATCVAE])
def test_a_tree_of_two_levels_has_the_loss_of_the_flat_layout(isa):
    flat, tree = isa(layout=(2, 1), p=2.2), isa(tree=(2.1, (2.2, 2), (2.2, 1)))
    context = Context(0, 50)
    found = [method(forward_pass(method), context).total.item() for method in (flat, tree)]
    assert found[1] == pytest.approx(found[0], abs=1e-6)


@pytest.mark.parametrize("isa", [ISAVAE, ISATCVAE])
def test_a_run_with_a_tree_of_three_levels_goes_on_after_a_cut(tmp_path, room, isa):
    often = Recording(record_every=1, checkpoint_seconds=0, report_seconds=0)
    settings = {**SMALL, "steps": 2, "recording": often}
    method = isa(tree=TREE, learn_p=True, learn_p0=True)

    def cut(done, total, note):
        if done >= 1:
            raise Cut

    whole = gd.train(method, room, folder=tmp_path / "whole", **settings)
    assert {"p0", "p1", "p2"} <= set(whole.history[-1])
    assert whole.history[-1]["p2"] != 2.4
    with pytest.raises(Cut):
        gd.train(method, room, folder=tmp_path / "cut", report=cut, **settings)
    resumed = gd.train(method, room, folder=tmp_path / "cut", **settings)
    assert resumed.history == whole.history
    theirs = whole.model.state_dict()
    loaded = gd.load_run(tmp_path / "cut")
    assert loaded.spec.method == method
    for model in (resumed.model, loaded.model):
        assert all(torch.equal(tensor, theirs[key]) for key, tensor in model.state_dict().items())


@pytest.mark.parametrize("isa", [ISAVAE, ISATCVAE])
def test_a_tree_is_declared_only_where_there_is_one(isa):
    assert "tree" not in declare_fields(isa())
    assert declare_fields(isa(tree=TREE))["tree"] == [2.1, [1.8, 1, [2.4, 1]], 1]
    assert isa(tree=[2.1, [1.8, 1, [2.4, 1]], 1]) == isa(tree=TREE)
    assert hash(isa(tree=[2.1, [1.8, 3]])) == hash(isa(tree=(2.1, (1.8, 3))))


def test_a_tree_must_fill_the_latent_space(room):
    with pytest.raises(ValueError, match="tree has 4 coordinates, but latent_dim is 3"):
        gd.train(ISAVAE(tree=(2.1, (1.8, 4))), room, steps=1, **SMALL)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"tree": (2.1,)}, "tree must be an exponent and then its children"),
        ({"tree": (0.0, 3)}, "p must be a number above 0"),
        ({"tree": TREE, "layout": 3}, "leave out layout, p0 and p"),
        ({"tree": TREE, "p": 2.0}, "leave out layout, p0 and p"),
        ({"beta": -1}, "beta must be a number of at least 0; got -1"),
        ({"p0": 0.0}, "p0 must be a number above 0; got 0"),
        ({"p": float("nan")}, "p must be a number above 0; got nan"),
        ({"scale": -2.0}, "scale must be a number above 0; got -2"),
        ({"layout": (3, 0)}, "layout must be whole numbers of at least 1"),
        ({"p_rate": 0.0, "learn_p": True}, "p_rate must be a number above 0; got 0"),
        ({"p_rate": 1e-3}, "p_rate is for learned exponents"),
        ({"layout": 0}, "layout must be whole numbers of at least 1"),
    ],
)
def test_bad_hyperparameters_are_named(fields, text):
    with pytest.raises(ValueError, match=text):
        ISAVAE(**fields)


def test_a_layout_that_does_not_fill_the_latent_space_is_refused(room):
    with pytest.raises(ValueError, match=r"layout \(2, 2\) sums to 4, but latent_dim is 3"):
        gd.train(ISAVAE(layout=(2, 2)), room, steps=1, **SMALL)


def test_a_model_without_the_prior_is_refused():
    out = forward_pass(ISAVAE())
    out.model.parts = None
    with pytest.raises(TypeError, match="the model has no prior"):
        ISAVAE()(out, Context(0))
