"""What is measured of a model while it is trained."""

import pytest

import gordium as gd
from gordium.geometry import polarised_regime
from gordium.methods import BetaVAE, WeakGAN
from gordium.networks import Linear
from gordium.training import Recording

SMALL = {"latent_dim": 2, "architecture": Linear(), "steps": 6, "device": "cpu"}
EVERY_2 = Recording(record_every=2, checkpoint_seconds=0, report_seconds=0)


def polarisation(dataset, n):
    """Delta_KL and the active units, on `n` images that are always the same."""

    def measure(model):
        found = gd.encode(model, dataset, n=n)
        regime = polarised_regime(found.codes, found.log_variances)
        return {"delta_kl": regime.delta_kl, "active_units": float(regime.is_active.sum())}

    return measure


def test_a_measure_adds_columns_and_changes_nothing_else(room, tmp_path):
    plain = gd.train(BetaVAE(), room, recording=EVERY_2, **SMALL)
    measured = gd.train(
        BetaVAE(), room, recording=EVERY_2, measure=polarisation(room, n=120), **SMALL
    )
    assert [row["step"] for row in measured.history] == [2, 4, 6]
    kept = [{name: row[name] for name in plain.history[0]} for row in measured.history]
    assert kept == plain.history
    found = gd.encode(measured.model, room, n=120)  # the same draws
    last = polarised_regime(found.codes, found.log_variances)
    assert measured.history[-1]["delta_kl"] == pytest.approx(last.delta_kl, rel=1e-4)
    assert measured.history[-1]["active_units"] == last.is_active.sum()


def test_a_cut_run_keeps_what_was_measured(room, tmp_path):
    def stop(done, total, note):
        if done == 3:
            raise KeyboardInterrupt

    options = {**SMALL, "recording": EVERY_2, "measure": polarisation(room, n=10)}
    whole = gd.train(BetaVAE(), room, **options)
    with pytest.raises(KeyboardInterrupt):
        gd.train(BetaVAE(), room, folder=tmp_path / "run", report=stop, **options)
    assert gd.train(BetaVAE(), room, folder=tmp_path / "run", **options).history == whole.history


def test_a_model_is_measured_at_rest_and_goes_on_training(room):
    # Batch norm in training mode would learn from what is measured.
    modes = []
    options = {**SMALL, "recording": EVERY_2}
    plain = gd.train(WeakGAN(), room, **options)
    measured = gd.train(
        WeakGAN(), room, measure=lambda model: modes.append(model.training) or {}, **options
    )
    assert modes == [False] * 3
    assert measured.history == plain.history
