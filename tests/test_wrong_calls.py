"""Calls that users try by mistake: each is answered with what to do."""

import pickle
from inspect import isabstract, isfunction, signature
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset

import gordium as gd
from gordium.methods import BetaVAE
from gordium.networks import Convolutional, Linear, Mlp

TENSORS = TensorDataset(torch.zeros(4, 1, 8, 8))
IMAGES = np.zeros((4, 8, 8), np.uint8)
CODES = np.random.default_rng(0).standard_normal((60, 2))
FACTORS = np.random.default_rng(1).integers(3, size=(60, 2))
SMALL = {"steps": 1, "architecture": Linear()}

CALLS = {
    # What is trained.
    "unknown method": (lambda d: gd.train("beta_vae", d, **SMALL), "Did you mean beta-vae"),
    "class of a method": (lambda d: gd.train(BetaVAE, d, **SMALL), r"give an instance, BetaVAE\("),
    "network as method": (lambda d: gd.train(Linear(), d, **SMALL), "is not a method. Give a name"),
    "no method": (lambda d: gd.train(None, d, **SMALL), "a NoneType is not a method"),
    "unknown hyperparameter": (
        lambda d: gd.train("beta-vae", d, bta=8, **SMALL),
        "setting of beta-vae or of the training 'bta'. Did you mean beta",
    ),
    "hyperparameter beside the object": (
        lambda d: gd.train(BetaVAE(), d, beta=8, **SMALL),
        r"beta belongs to the method: give BetaVAE\(beta=8\)",
    ),
    "neither steps nor epochs": (lambda d: gd.train("vae", d), "give either steps or epochs"),
    "steps in words": (lambda d: gd.train("vae", d, steps="9"), "steps must be a whole number"),
    "half a unit": (
        lambda d: gd.train("vae", d, latent_dim=1.5, **SMALL),
        "latent_dim must be a whole number; got 1.5",
    ),
    "class of a network": (
        lambda d: gd.train("vae", d, steps=1, architecture=Mlp),
        "architecture is the class Mlp: give an instance",
    ),
    "unknown network": (
        lambda d: gd.train("vae", d, steps=1, architecture="mpl"),
        "Did you mean mlp",
    ),
    "module as network": (
        lambda d: gd.train("vae", d, steps=1, architecture=torch.nn.Linear(1, 1)),
        "a frozen dataclass with encoder and decoder",
    ),
    "torch optimiser": (
        lambda d: gd.train("vae", d, steps=1, optimiser=torch.optim.Adam),
        "optimiser is the class Adam",
    ),
    "unknown device": (lambda d: gd.train("vae", d, device="gpu", **SMALL), "use auto, cpu, cuda"),
    "settings twice": (
        lambda d: gd.train(
            "vae", d, settings=gd.training.Settings(steps=1, latent_dim=1), batch_size=2
        ),
        "give settings= or batch_size, not both",
    ),
    "hyperparameter in words": (
        lambda d: gd.train("beta-vae", d, beta="8", **SMALL),
        "beta must be a number; got '8'",
    ),
    "learning rate of the training": (
        lambda d: gd.train("vae", d, lr=1e-3, **SMALL),
        r"lr belongs to the optimiser: give optimiser=gordium.training.Adam\(learning_rate=0.001",
    ),
    "no seed": (lambda d: gd.train("vae", d, seed=None, **SMALL), "seed must be a whole number"),
    "measure is a number": (
        lambda d: gd.train("vae", d, measure=3, **SMALL),
        "measure must be a function of the model",
    ),
    "folder is a number": (lambda d: gd.train("vae", d, folder=3, **SMALL), "must be a path"),
    # What it is trained on.
    "unknown data": (lambda d: gd.train("vae", "shapes", **SMALL), "Did you mean shapes3d"),
    "data by path": (
        lambda d: gd.train("vae", Path("mine.npz"), **SMALL),
        r"Open it first: gordium.datasets.open_path\('mine.npz'\)",
    ),
    "torch data set": (lambda d: gd.train("vae", TENSORS, **SMALL), "from_torch"),
    "data loader": (
        lambda d: gd.train("vae", DataLoader(TENSORS), **SMALL),
        r"from_torch\(loader.dataset",
    ),
    "array": (lambda d: gd.train("vae", IMAGES, **SMALL), r"FromArrays\(images, factors\)"),
    "tensor": (lambda d: gd.train("vae", torch.zeros(4, 1, 8, 8), **SMALL), "FromArrays"),
    "class of a data set": (
        lambda d: gd.train("vae", gd.datasets.DSprites, **SMALL),
        r"Give an instance of it: DSprites\(",
    ),
    "list": (lambda d: gd.train("vae", [1], **SMALL), "a list is not a data set. Give a data set"),
    # Encoding and scoring.
    "folder to encode": (lambda d: gd.encode("runs/a", d), "encodes nothing. Give a run"),
    "data to encode by name": (
        lambda d: gd.encode(lambda x: x, "shapes3d"),
        r"Load it first: gordium.load_dataset\('shapes3d'\)",
    ),
    "encoder and data in turn": (
        lambda d: gd.encode(d, lambda x: x),
        "a function is not a data set",
    ),
    "no images": (lambda d: gd.encode(lambda x: x, d, n=0), "n must be at least 1, or None"),
    "all images in words": (lambda d: gd.encode(lambda x: x, d, n="all"), "or None for the whole"),
    "no batch": (lambda d: gd.encode(lambda x: x, d, batch_size=0), "batch_size must be a whole"),
    "seed below 0": (lambda d: gd.encode(lambda x: x, d, seed=-1), "seed must be a whole number"),
    "no metrics": (lambda d: gd.score(CODES, FACTORS, metrics=[]), "give a name such as 'mig'"),
    "metric of nothing": (
        lambda d: gd.score(CODES, FACTORS, metrics=lambda codes, factors: None),
        "must give a number; it gave None",
    ),
    "pruning of codes": (lambda d: gd.over_pruned(CODES), "give a representation"),
    "activity of a row": (lambda d: gd.active_units([0.5, 1]), r"must be \(n_samples, n_units\)"),
    "unknown metric": (lambda d: gd.evaluate(lambda x: x, d, metrics="MIG"), "Known: mig"),
    "metric is a number": (lambda d: gd.score(CODES, FACTORS, metrics=3), "metrics must be a name"),
    "codes transposed": (lambda d: gd.score(CODES.T, FACTORS), "a row for each sample"),
    "codes alone": (lambda d: gd.score(CODES[:, 0], FACTORS), "n_samples, n_codes"),
    "unlike lengths": (lambda d: gd.metrics.mig(CODES[:9], FACTORS), "from one encode pass"),
    "codes in words": (
        lambda d: gd.metrics.mig(CODES.astype(str), FACTORS),
        "must be real numbers",
    ),
    "no noise": (
        lambda d: gd.over_pruned(gd.encode(lambda x: x[:, 0, 0], d)),
        "let it give a pair",
    ),
    # Data of one's own.
    "factors missing": (lambda d: gd.datasets.FromArrays(IMAGES), "FromArrays\\(images, factors"),
    "factors too few": (
        lambda d: gd.datasets.FromArrays(IMAGES, [0, 1]),
        "one value for each of the 4 images",
    ),
    "factor held unknown": (lambda d: d.hold(size=1), "Did you mean|unknown factor 'size'"),
    "nothing to hold": (lambda d: d.hold(), r"say what to hold, e.g. hold\(scale=0\)"),
    "item by name": (lambda d: d["scale"], "indexed by whole numbers, slices or lists"),
    "no name": (lambda d: gd.load_dataset(None), r"give a name from gordium.list_datasets\(\)"),
    "file as name": (
        lambda d: gd.load_dataset("mine.npz"),
        r"open it with gordium.datasets.open_path\('mine.npz'\)",
    ),
    "registered under a number": (
        lambda d: gd.register(lambda codes, factors: 0.0, name=3),
        "name must be text; got 3",
    ),
    "option unknown": (lambda d: gd.load_dataset("shapes3d", sise=32), "has no option sise"),
    # Runs, changes, geometry.
    "run of a run": (lambda d: gd.load_run(gd), "give the folder of a run"),
    "saving a model": (
        lambda d: gd.save_run(torch.nn.Linear(1, 1), "a"),
        "give a run, as train and load_run do; got a Linear",
    ),
    "unknown precision": (
        lambda d: gd.train("vae", d, precision="half", **SMALL),
        "unknown precision 'half'. Known: float32, bfloat16",
    ),
    "factor held between values": (lambda d: d.hold(scale=0.5), "held at a whole number from 0"),
    "real factor held": (
        lambda d: gd.datasets.FromArrays(IMAGES, [0.5, 0, 1, 2]).hold(factor_0=0.5),
        "cut it into bins",
    ),
    "loader to read": (
        lambda d: gd.datasets.from_torch(DataLoader(TENSORS)),
        r"from_torch\(loader.dataset",
    ),
    "folder of no run": (lambda d: gd.load_run("nowhere"), "nowhere is not a run"),
    "change of no runs": (
        lambda d: gd.manipulate(d, disentangled="a", entangled=[], epsilon=0.1, folder="m"),
        "disentangled must be a list of runs",
    ),
    "change of an array": (
        lambda d: gd.manipulate(IMAGES, disentangled=[], entangled=[], epsilon=0.1, folder="m"),
        "FromArrays",
    ),
    "audit of a name": (lambda d: gd.geometry.audit("dsprites"), "gordium.load_dataset"),
    "decoder by name": (
        lambda d: gd.geometry.jacobian("decoder", torch.zeros(2, 3)),
        "must be a function of latent points, e.g. run.model.decode",
    ),
    "one latent point": (
        lambda d: gd.geometry.jacobian(lambda z: z, torch.zeros(3)),
        r"z must be \(n, d\), one latent point a row",
    ),
    "image as latent points": (
        lambda d: gd.geometry.jacobian(lambda z: z, [[1.0]]),
        "z must be a tensor or a NumPy array",
    ),
    # What nobody thought of: other names, too few, too many.
    "device misspelt": (
        lambda d: gd.evaluate(Linear(), d, devise="cpu"),
        r"evaluate: there is no devise \(did you mean device\?\). It takes encoder, dataset",
    ),
    "evaluation of nothing": (
        lambda d: gd.evaluate(Linear()),
        "required argument: 'dataset'. It t",
    ),
    "metrics in turn": (
        lambda d: gd.evaluate(Linear(), d, "mig"),
        "by name: metrics, n, seed, dev",
    ),
    "function on a device": (
        lambda d: gd.encode(lambda x: x, d, device="cpu"),
        "`device` for PyTorch networks only",
    ),
    "unknown device to encode on": (
        lambda d: gd.encode(torch.nn.Flatten(), d, device="gpu"),
        "use auto, cpu, cuda",
    ),
    "training on nothing": (lambda d: gd.train("vae"), "It takes method, dataset; by name: folder"),
    "scores of codes alone": (lambda d: gd.score(CODES), "It takes codes, factors; by name"),
    "one metric": (lambda d: gd.score(CODES, FACTORS, metric="mig"), "did you mean metrics"),
    "one bin": (lambda d: gd.metrics.mig(CODES, FACTORS, bin=3), "did you mean bins"),
    "bins in words": (lambda d: gd.metrics.mig(CODES, FACTORS, bins="20"), "at least 2; got '20'"),
    "one size": (
        lambda d: gd.metrics.downstream(CODES, FACTORS, sizes=10),
        r"\(100, 1000\); got 10",
    ),
    "one number of seeds": (
        lambda d: gd.training.train_seeds("vae", d, seeds=3, **SMALL),
        r"e.g. range\(3\); got 3",
    ),
    "no data set's name": (lambda d: gd.load_dataset(), "It takes name"),
    "number for a path": (lambda d: gd.datasets.open_path(3), "path must be a path"),
    "nothing registered": (lambda d: gd.register(), "It takes member; by name: name, properties"),
    "manipulation's number": (lambda d: gd.load_manipulation(3), "folder must be a path"),
    "explorer's option": (lambda d: gd.explore("a", pts=3), "did you mean points.* It takes runs"),
    "threshold cut short": (lambda d: gd.active_units(CODES, thresh=1), "did you mean threshold"),
    "chunk in words": (
        lambda d: gd.geometry.jacobian(lambda z: z, torch.zeros(2, 3), chunk="a"),
        "chunk must be at least 1; got 'a'",
    ),
    "hyperparameter without its name": (
        lambda d: BetaVAE(8),
        r"BetaVAE: too many arguments without a name. It takes nothing .*; by name: beta",
    ),
    "settings of nothing": (
        lambda d: gd.training.Settings(),
        r"Settings: missing a required argument: 'latent_dim'. It takes latent_dim=\.\.\.; by name",
    ),
    "settings without names": (lambda d: gd.training.Settings(6), r"takes latent_dim=\.\.\.;"),
    "rows at another name": (
        lambda d: gd.training.Recording(every=3),
        r"no every \(did you mean record_every\?\)",
    ),
    "factor held without a value": (
        lambda d: d.hold("scale"),
        "hold: too many arguments without a name. It takes nothing .*; by name: any values",
    ),
    "list of some methods": (
        lambda d: gd.list_methods("vae"),
        r"list_methods: too many arguments without a name. It takes nothing\.",
    ),
    "decoder alone": (
        lambda d: gd.geometry.jacobian(lambda z: z),
        "jacobian: missing a required argument: 'z'. It takes decoder, z; by name: chunk",
    ),
    "network's option": (lambda d: Convolutional(widht=1), "did you mean width"),
    "data set's option": (lambda d: gd.datasets.DSprites(sise=32), "did you mean size"),
    "model of the zoo unnamed": (lambda d: gd.zoo.load(), "It takes name; by name: source"),
    "one width": (lambda d: Mlp(3, 3), r"e\.g\. \(256, 256\); got 3"),
    "width in words": (
        lambda d: Convolutional(width="a"),
        "a number above 0, at most 256; got 'a'",
    ),
}


def test_there_are_sixty():
    assert len(CALLS) >= 60


def test_a_name_that_is_nearly_there_is_suggested():
    with pytest.raises(AttributeError, match="no attribute 'trian'; did you mean train"):
        gd.trian  # noqa: B018


def is_contract(member):
    return isabstract(member) or getattr(member, "_is_protocol", False)


def public_callables():
    """Every public function, and every public class with fields or an `__init__` of its own."""
    for module in (getattr(gd, name) for name in gd.__all__ if name != "__version__"):
        for member in [getattr(module, name) for name in getattr(module, "__all__", ())] or [
            module
        ]:
            is_class = isinstance(member, type) and isfunction(vars(member).get("__init__"))
            if (is_class and not is_contract(member)) or isfunction(member):
                yield member


def test_every_public_name_says_how_it_is_called():
    called = {f"{member.__module__}.{member.__name__}": member for member in public_callables()}
    assert len(called) > 150
    takes_any = {"explore", "weighted_sum", "check_positive"}
    for member in called.values():
        if member.__name__ not in takes_any:
            with pytest.raises(TypeError, match=f"{member.__name__}: .* It takes "):
                member(*range(60))


def test_what_answers_is_copied_and_sent_as_before():
    for value in (BetaVAE(beta=8), gd.training.Settings(latent_dim=1, steps=1), gd.list_methods):
        assert pickle.loads(pickle.dumps(value)) == value
    assert next(iter(signature(BetaVAE).parameters)) == "beta"


@pytest.mark.parametrize("case", CALLS)
def test_a_wrong_call_is_answered_with_what_to_do(case, room, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, text = CALLS[case]
    with pytest.raises((TypeError, ValueError, FileNotFoundError), match=text):
        call(room)
    assert list(tmp_path.iterdir()) == []


def test_names_make_the_run_that_objects_make(room):
    named = gd.train("beta-vae", room, beta=8, steps=2, architecture="linear", optimiser="sgd")
    made = gd.train(
        BetaVAE(beta=8),
        room,
        steps=2,
        latent_dim=2,
        architecture=Linear(),
        optimiser=gd.training.SGD(),
    )
    assert named.config == made.config
    assert named.history == made.history
    declaration = gd.train("ae", "linear-gaussian", steps=1, architecture="linear").config
    assert declaration["declaration"]["dataset"]["name"] == "linear-gaussian"
