"""Devices without having them: what a step would mix up or wait for, and who is put where."""

import pytest
import torch

import gordium as gd
from gordium.methods import METHODS, orthogonal_vae, weak_gan
from gordium.networks import Convolutional
from gordium.optimisers import SGD
from gordium.progress import DEVICES
from gordium.training import step, streams
from gordium.training.machine import pick_device

META = torch.device("meta")  # computes shapes alone; refuses tensors of other devices, and to wait


@pytest.fixture
def fake(monkeypatch):
    """The fake device has no generators: one of the CPU draws, and what it draws is moved."""
    there = streams._generator
    monkeypatch.setattr(streams, "_generator", lambda seeds, device=None: there(seeds))
    pairs, latents = orthogonal_vae.random_pairs, weak_gan.draw_paired_latents
    monkeypatch.setattr(orthogonal_vae, "random_pairs", lambda *given: pairs(*given).to(META))
    moved = lambda *given: tuple(part.to(META) for part in latents(*given))  # noqa: E731
    monkeypatch.setattr(weak_gan, "draw_paired_latents", moved)


@pytest.mark.parametrize("name", METHODS)
def test_a_step_mixes_no_devices_and_waits_for_none(name, room, fake):
    settings = gd.training.Settings(
        steps=2, latent_dim=4, batch_size=8, architecture=Convolutional(0.125), optimiser=SGD()
    )
    method = METHODS[name]()
    built = {part: SGD() for part in method.optimisers}  # Adam's fused step knows no fake device
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(method), "optimisers", built)
        model, task = step.training_task(method, room, settings, META)
        terms = [task.step(i) for i in range(2)][-1]
    assert {term.device for term in terms.values()} == {META}
    assert {parameter.device for parameter in model.parameters()} == {META}


def test_auto_is_the_device_that_a_worker_was_given(monkeypatch):
    monkeypatch.setenv(DEVICES, "cpu,cuda:1")
    assert pick_device() == torch.device("cpu")
    monkeypatch.setenv(DEVICES, "cuda:1")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert pick_device() == torch.device("cuda:1")
    assert pick_device("cpu") == torch.device("cpu")
    with pytest.raises(ValueError, match="'cuda:2' is not available here; there are cuda:0 to"):
        pick_device("cuda:2")
