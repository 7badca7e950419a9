"""The polarised regime, against torch.distributions and by hand."""

from math import log

import numpy as np
import pytest
import torch
from torch.distributions import Normal, kl_divergence

from gordium.geometry import polarised_regime, polarised_share


def test_the_whole_loss_is_the_divergence_from_the_prior():
    rng = np.random.default_rng(0)
    means, log_variances = rng.standard_normal((2, 50, 4))
    posterior = Normal(torch.tensor(means), torch.tensor(log_variances).mul(0.5).exp())
    expected = kl_divergence(posterior, Normal(0.0, 1.0)).sum(dim=1).mean()
    assert polarised_regime(means, log_variances).kl == pytest.approx(expected.item(), abs=1e-12)


def test_one_active_and_one_passive_unit_by_hand():
    # Unit 0: mean 2 or -2, variance 0.01; unit 1 is the prior. (4) is (4 + 0.01 + log 100 - 1) / 2
    # and (10) lacks the 0.01.
    means = [[2.0, 0.0], [-2.0, 0.0]]
    log_variances = [[log(0.01), 0.0], [log(0.01), 0.0]]
    found = polarised_regime(means, log_variances)
    kl = (4 + 0.01 + log(100) - 1) / 2
    assert found.is_active.tolist() == [True, False]
    assert found.kl == pytest.approx(kl, abs=1e-12)
    assert found.approximate_kl == pytest.approx(kl - 0.005, abs=1e-12)
    assert found.delta_kl == pytest.approx(0.005 / kl, abs=1e-12)


def test_a_unit_in_between_is_not_polarised():
    # Variance 0.5, mean 0: (4) is (0.5 + log 2 - 1) / 2 and (10) is (log 2 - 1) / 2 < 0.
    found = polarised_regime([[0.0]], [[log(0.5)]])
    assert found.delta_kl == pytest.approx(0.5 / (log(2) - 0.5), abs=1e-12)


def test_the_line_between_active_and_passive_can_be_moved():
    log_variances = np.log([[0.3, 0.9]])
    assert polarised_regime([[0, 0]], log_variances).is_active.tolist() == [True, False]
    strict = polarised_regime([[0, 0]], log_variances, threshold=0.2)
    assert strict.is_active.tolist() == [False, False]
    assert strict.approximate_kl == 0
    assert strict.delta_kl == 1


def test_a_collapsed_model_is_polarised():
    assert polarised_regime(np.zeros((3, 2)), np.zeros((3, 2))).delta_kl == 0


@pytest.mark.parametrize(
    ("deltas", "share"),
    [
        ([0.5, 0.01, 0.01, 0.01], 0.5),  # from step 500 of 1000
        ([0.01, 0.01, 0.01, 0.01], 0.75),  # from the first record on
        ([0.01, 0.01, 0.5, 0.01], 0.0),  # from the last record on
        ([0.01, 0.03, 0.0299, 0.01], 0.25),  # 3 % itself is not below
        ([0.01, 0.01, 0.01, 0.5], 0.0),
        ([0.01, float("nan"), 0.01, 0.01], 0.25),
    ],
)
def test_the_share_of_training_until_the_end(deltas, share):
    assert polarised_share([250, 500, 750, 1000], deltas) == pytest.approx(share)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match=r"got \(2, 2\) and \(2, 3\)"):
        polarised_regime(np.zeros((2, 2)), np.zeros((2, 3)))
    with pytest.raises(ValueError, match="must be finite"):
        polarised_regime([[np.nan]], [[0.0]])
    with pytest.raises(ValueError, match="two lists of one length"):
        polarised_share([1, 2], [0.1])
    with pytest.raises(ValueError, match="steps must rise"):
        polarised_share([2, 1], [0.1, 0.1])
