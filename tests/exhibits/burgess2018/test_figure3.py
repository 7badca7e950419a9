"""Figure 3 of Burgess et al. 2018: its order from curves that are known, and at its smallest."""

import numpy as np
import pandas as pd
import pytest
import torch

from gordium.exhibits.base import Place
from gordium.exhibits.burgess2018 import claims
from gordium.exhibits.burgess2018.factor_channels import FactorEncoder, train_channels
from gordium.exhibits.burgess2018.figure3 import choose_channels, make
from gordium.report.statistics.verdicts import settle


def curves(starts):
    """Each factor's KL rises by a nat a nat once the capacity is past its start."""
    rows = []
    for capacity in np.arange(0, 25, 0.25):
        kls = {f"kl_{name}": max(0.0, capacity - start) for name, start in starts.items()}
        rows.append({"capacity": capacity, "kl": capacity, **kls})
    return rows


def gap(starts):
    [claim] = claims.figure3(pd.DataFrame(curves(starts)))
    return claim.lines[0].estimate


def test_the_gap_is_between_the_later_of_x_and_y_and_scale():
    starts = {"x": 0, "y": 1, "scale": 5, "shape": 10, "orientation": 20}
    assert gap(starts) == 4
    assert gap({**starts, "y": 6}) == -1
    assert gap({**starts, "scale": 30}) == float("inf")


def test_one_run_is_inconclusive():
    starts = {"x": 0, "y": 1, "scale": 5, "shape": 10, "orientation": 20}
    [verdict] = settle(claims.figure3(pd.DataFrame(curves(starts))), exhibit="x", scale="laptop")
    assert verdict.outcome == "inconclusive"


def test_a_channel_carries_its_own_factor_only():
    encoder = FactorEncoder([3, 4])
    factors = torch.tensor([[0, 0], [2, 0], [0, 3]])
    mean, log_variance, _ = encoder(factors)
    assert mean[0, 1] == mean[1, 1]
    assert mean[0, 0] == mean[2, 0]
    assert mean[0, 0] < mean[1, 0]
    torch.testing.assert_close(log_variance, torch.zeros(3, 2))


def test_smoke_is_made_and_kept(tmp_path):
    made = make(Place("smoke", tmp_path, 1))
    assert made.head[2:] == ("KL of shape", "KL of scale", "KL of orientation", "sum")
    assert all(len(line) == len(made.head) for line in made.table)
    assert all(picture.startswith(b"\x89PNG") for picture in made.pictures.values())
    again = make(Place("smoke", tmp_path, 1, finished=True))
    assert again.rows == made.rows
    with pytest.raises(ValueError, match="leave --finished out"):
        make(Place("smoke", tmp_path / "new", 1, finished=True))


def test_the_capacity_is_used_as_it_rises(tmp_path):
    channels = choose_channels("smoke")
    history, seen = train_channels(channels, tmp_path / "a")
    assert history[-1]["kl"] > history[0]["kl"]
    assert [images.shape for images in seen] == [(8, 16, 16, 1)] * 4
    assert channels.step_of(25.0) == channels.method.warmup_steps - 1
