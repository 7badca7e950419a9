"""Units that fall asleep are noticed while they are trained, and nothing else is changed by it."""

import warnings

import numpy as np
import pytest

import gordium as gd
from gordium.networks import Mlp
from gordium.training import Adam, SleepingUnits

SMALL = Mlp(encoder_widths=(32,), decoder_widths=(32,))


def trained(method, steps=300, **fields):
    data = gd.load_dataset("shapes3d", size=16).hold(wall_hue=5, object_hue=0, scale=4, shape=0)
    settings = dict(latent_dim=2, architecture=SMALL, optimiser=Adam(learning_rate=2e-3))
    return gd.train(method, data, steps=steps, report=lambda *_: None, **settings, **fields)


def test_too_much_strength_is_told_with_what_to_do():
    with pytest.warns(SleepingUnits, match=r"2 factors.*smaller beta \(now 1000\)") as told:
        trained(gd.methods.BetaVAE(beta=1000))
    assert len(told) == 1
    assert "suggest_strengths(dataset, 2)" in str(told[0].message)


def test_a_unit_that_was_awake_is_named(monkeypatch):
    from gordium.training.sleeping_units import Watch

    data = gd.load_dataset("linear-gaussian")
    model = trained(gd.methods.BetaVAE(beta=0.1)).model
    watch = Watch(gd.methods.BetaVAE(), model, data, 100)
    seen = iter([[True, True], [False, True]])
    monkeypatch.setattr(Watch, "_find_awake", lambda self: np.array(next(seen)))
    watch(10)
    with pytest.warns(SleepingUnits, match="unit 0 fell asleep by step 20. 1 of 2"):
        watch(20)
    watch(30)  # it is said once


@pytest.mark.parametrize(
    ("method", "steps"),
    [
        (gd.methods.BetaVAE(beta=0.1), 300),
        (gd.methods.AE(), 100),  # whose units have no noise
        (gd.methods.BetaVAE(beta=1000), 99),  # too short to say
    ],
)
def test_nothing_is_said_where_all_is_well(method, steps):
    with warnings.catch_warnings():
        warnings.simplefilter("error", SleepingUnits)
        trained(method, steps)


def test_a_look_changes_no_bit(monkeypatch):
    looked = trained(gd.methods.BetaVAE(beta=4), steps=100)
    monkeypatch.setattr("gordium.training.runs.watch_units", lambda *_: None)
    left_alone = trained(gd.methods.BetaVAE(beta=4), steps=100)
    assert looked.history == left_alone.history
