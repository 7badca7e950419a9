"""Any encoder encodes: functions of arrays, modules of tensors, transformers of rows."""

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA
from torch import nn

import gordium as gd
from gordium.networks import Linear


def pixels(data, found):
    """The images behind a representation, as floats in [0, 1]."""
    return data.images(data.index_of(found.factors)).astype(np.float32) / np.float32(255)


def test_a_function_gets_float32_images_between_0_and_1(room):
    seen = []

    def encoder(images):
        seen.append((images.dtype, images.shape[1:], images.min() >= 0, 0.5 < images.max() <= 1))
        return images.mean(axis=(2, 3))

    found = gd.encode(encoder, room)
    assert set(seen) == {(np.dtype(np.float32), (3, 16, 16), True, True)}
    assert found.log_variances is None
    np.testing.assert_allclose(found.codes, pixels(room, found).mean(axis=(2, 3)), rtol=1e-6)


def test_a_function_may_give_codes_and_log_variances(room):
    found = gd.encode(lambda x: (x[:, :2, 0, 0], x[:, :2, 0, 1] - 3), room, n=50)
    np.testing.assert_array_equal(found.log_variances, pixels(room, found)[:, :2, 0, 1] - 3)
    assert gd.active_units(found.log_variances).tolist() == [True, True]


def test_a_module_gets_a_tensor_at_rest_and_is_left_as_it_was(room):
    module = nn.Sequential(nn.Flatten(), nn.Dropout(0.5), nn.Linear(3 * 16 * 16, 4)).train()
    one, same = gd.encode(module, room), gd.encode(module, room)
    assert module.training
    assert one.codes.shape == (120, 4)
    np.testing.assert_array_equal(one.codes, same.codes)  # no dropout
    with torch.no_grad():
        expected = module.eval()(torch.from_numpy(pixels(room, one)))
    np.testing.assert_allclose(one.codes, expected, rtol=1e-4, atol=1e-5)


def test_a_transformer_gets_rows(room):
    rows = room.images(np.arange(120)).reshape(120, -1) / 255
    pca = PCA(3, svd_solver="full").fit(rows)
    found = gd.encode(pca, room)
    expected = pca.transform(pixels(room, found).reshape(120, -1))
    np.testing.assert_allclose(found.codes, expected, rtol=1e-6)


def test_a_run_encodes_as_its_model_does(room):
    run = gd.train(gd.methods.BetaVAE(), room, steps=2, latent_dim=2, architecture=Linear())
    np.testing.assert_array_equal(gd.encode(run, room).codes, gd.encode(run.model, room).codes)


def test_any_encoder_is_evaluated(room):
    def encoder(images):
        return images.reshape(len(images), -1)[:, :300:100]

    found = gd.encode(encoder, room)
    expected = gd.score(found.codes, found.factors, metrics=["mig", "mcc"])
    assert gd.evaluate(encoder, room, metrics=["mig", "mcc"]) == expected
    with pytest.raises(ValueError, match="mig_aggregate_posterior needs log_variances"):
        gd.evaluate(encoder, room, metrics="mig_aggregate_posterior")


BAD = {
    "class": (nn.Linear, TypeError, "Linear is a class: give an instance"),
    "path": ("runs/a", TypeError, "'runs/a' encodes nothing. Give a run"),
    "array": (np.zeros((3, 2)), TypeError, "a ndarray encodes nothing"),
    "images": (lambda x: x, ValueError, r"real codes \(120, d\) for 120 images"),
    "rows": (lambda x: x[:5, 0, 0], ValueError, r"it gave float32 \(5, 16\)"),
    "a number each": (lambda x: x[:, 0, 0, 0], ValueError, "Flatten what it gives"),
    "unlike": (lambda x: (x[:, 0, 0], x[:, 0, :2, 0]), ValueError, "must have one shape"),
    "words": (lambda x: np.full((len(x), 2), "a"), ValueError, "it gave <U1"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_encodes_nothing_is_told_what_would(case, room):
    encoder, error, text = BAD[case]
    with pytest.raises(error, match=text):
        gd.encode(encoder, room)


def test_what_needs_log_variances_says_that_there_are_none(room):
    found = gd.encode(lambda x: x[:, 0, 0], room)
    with pytest.raises(ValueError, match="let it give a pair"):
        gd.over_pruned(found)


def test_a_network_is_asked_on_the_device_that_is_named(room):
    network = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.LazyLinear(3))
    network(torch.zeros(1, *room.image_shape))
    there = gd.encode(network, room, n=20, device="cpu")
    np.testing.assert_array_equal(there.codes, gd.encode(network, room, n=20).codes)
    by_name = gd.evaluate(network, room, n=100, device="cpu")
    assert by_name == gd.evaluate(network, room, n=100)
