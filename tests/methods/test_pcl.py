"""PCL: its score by hand, and sources found again in nonlinear mixtures."""

import importlib.util
from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

from gordium.methods import PCL, Batch, Context, Networks
from gordium.methods.pcl import PairScore, contrast
from gordium.networks import Linear, autoencoder
from gordium.pairs import LAP, UNI


@pytest.fixture(scope="module")
def sources():
    path = Path(__file__).parents[2] / "docs" / "figures" / "pcl_sources.py"
    spec = importlib.util.spec_from_file_location("pcl_sources", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def randn(*shape, seed=0):
    chance = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=chance, dtype=torch.float64)


def filled_score(n):
    score = PairScore(n).double()
    for seed, parameter in enumerate(score.parameters()):
        parameter.data = randn(*parameter.shape, seed=seed)
    return score


def test_the_score_is_the_formula_component_by_component():
    score, later, earlier = filled_score(3), randn(5, 3, seed=8), randn(5, 3, seed=9)
    u, v, b, a, c = score.later, score.earlier, score.shift, score.square, score.constant
    for row in range(5):
        expected = c.clone()
        for i in range(3):
            expected -= abs(u[i] * later[row, i] + v[i] * earlier[row, i] + b[i])
            expected += abs(a[i]) * later[row, i] ** 2
        torch.testing.assert_close(score(later, earlier)[row], expected)


def test_components_do_not_mix():
    # Identifiability rests on it: what a feature adds to the score depends on no other feature.
    score, old, new = filled_score(3), randn(2, 1, 3, seed=8), randn(2, 1, 3, seed=9)
    for i in range(3):
        mine = torch.arange(3) == i
        alone = score(*torch.where(mine, new, old)) - score(*old)
        among_others = score(*new) - score(*torch.where(mine, old, new))
        torch.testing.assert_close(alone, among_others)


def test_the_contrast_is_logistic_regression_on_true_and_permuted_pairs():
    score, later, earlier = filled_score(2), randn(7, 2, seed=1), randn(7, 2, seed=2)
    found = contrast(score, later, earlier, torch.Generator().manual_seed(3))
    order = torch.randperm(7, generator=torch.Generator().manual_seed(3))
    logits = torch.cat([score(later, earlier), score(later, earlier[order])])
    labels = torch.cat([torch.ones(7), torch.zeros(7)]).double()
    torch.testing.assert_close(found, F.binary_cross_entropy_with_logits(logits, labels))


def test_features_are_means_of_the_second_view_after_the_first():
    chance = torch.Generator().manual_seed(0)
    model = autoencoder(Linear(), (1, 2, 3), 2, likelihood="gaussian", generator=chance)
    model.parts = PCL().parts(2, chance)
    x = torch.rand(8, 1, 2, 3, generator=chance)
    context = Context(0, noise=torch.Generator().manual_seed(4))
    [(name, loss)] = PCL().losses(Networks(model), Batch(x), context)
    mean = model.encode(x).mean
    again = torch.Generator().manual_seed(4)
    assert name == "encoder"
    assert torch.equal(loss.total, contrast(model.parts, mean[4:], mean[:4], again))


def test_sources_are_found_in_a_nonlinear_mixture(sources):
    found = sources.recover(sources.Ground(sources=4, log_length=14), steps=600, batch_size=128)
    assert found.before < 0.8
    assert found.after > 0.9


def test_sources_without_memory_are_not_found(sources):
    # Permuted pairs are then distributed like true ones: there is nothing to learn from.
    found = sources.recover(
        sources.Ground(sources=4, log_length=14, memory=0.0), steps=150, batch_size=128
    )
    assert found.after < 0.8


def test_a_fixed_square_is_not_trained():
    assert dict(PCL(fixed_square=True).parts(2, None).named_buffers())["square"].tolist() == [1, 1]
    assert "square" in dict(PCL().parts(2, None).named_parameters())


def test_pairs_are_chosen_by_name():
    assert PCL().pairing == LAP()
    assert PCL(pairs="uni").pairing == UNI()
    with pytest.raises(ValueError, match="unknown pairs 'tri'"):
        PCL(pairs="tri")


def test_chance_must_be_given():
    chance = torch.Generator().manual_seed(0)
    model = autoencoder(Linear(), (1, 2, 3), 2, likelihood="gaussian", generator=chance)
    model.parts = PCL().parts(2, chance)
    with pytest.raises(ValueError, match="give its context a generator"):
        list(PCL().losses(Networks(model), Batch(torch.rand(4, 1, 2, 3)), Context(0)))


def test_training_lowers_the_loss_and_leaves_the_decoder(small_run):
    short, long = small_run(PCL(), steps=1), small_run(PCL(), steps=60, every=15)
    assert long.history[-1]["loss"] < long.history[0]["loss"]
    for name, tensor in long.model.decoder.state_dict().items():
        assert torch.equal(tensor, short.model.decoder.state_dict()[name])


@pytest.mark.parametrize("fixed", [False, True])
def test_a_cut_run_goes_on_to_the_same_bits(assert_resumes, fixed):
    assert_resumes(PCL(fixed_square=fixed))
