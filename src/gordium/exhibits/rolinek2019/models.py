"""The models of Rolinek et al. 2019: the settings of Table S3, and what is measured of a run."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from gordium.datasets import Dataset, SyntheticLinear, SyntheticNonlinear, load_dataset, split
from gordium.datasets.variants.split import Split
from gordium.exhibits.base import Place, Row, Value
from gordium.exhibits.runs import train_all
from gordium.geometry import distance_to_orthogonality
from gordium.geometry.activity import active_units
from gordium.methods import AE, VAE, BetaVAE, BetaVAEFull, Method
from gordium.metrics import disentanglement_score
from gordium.networks import Linear, Mlp
from gordium.optimisers import SGD, AdaGrad, Adam
from gordium.spec import RunSpec
from gordium.training import Settings, load_run
from gordium.training.pixels import as_floats

TEST_SHARE = 10  # one sample in ten is for testing
N_JACOBIANS = 500
NETWORK = Mlp((60, 40, 20), (60, 40, 20), "tanh", "tanh")
DIGIT_EPOCHS = {"mnist": 400, "fashion-mnist": 500}  # the data sets that are read from files
DIGIT_FILES = {"smoke": "test", "laptop": "test", "paper": "all"}
DIGIT_TESTED = {"smoke": 100, "laptop": 1000, "paper": 7000}  # at paper scale all of a tenth
DIGIT_BETA = 1.0


@dataclass(frozen=True)
class Setup:
    """A data set, the eight tenths of it to train on, and how models are trained and tested.

    Images are tested in the `test` part of a split, tables in their last tenth.
    """

    whole: Dataset
    train: Dataset
    settings: Settings
    beta: float
    n_test: int
    test: Split | None = None

    def test_indices(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The samples to test: the last ones of a table, a draw from the test split of images."""
        if self.test is not None:
            return np.random.default_rng(0).choice(self.test.rows, self.n_test, replace=False)
        n = len(self.whole)
        return np.arange(n - n // TEST_SHARE, n)[: self.n_test]


def make_linear(scale: str, *, ratio: float = 2.0) -> Setup:
    """Synth. Lin. of Table S3; below `paper`, a larger beta and momentum make training short."""
    n = {"smoke": 1000, "laptop": 10_000, "paper": 50_000}[scale]
    whole = SyntheticLinear(n=n, ratio=ratio)
    settings = {
        "smoke": _vectors(Linear(), SGD(0.1, momentum=0.9), steps=60, batch_size=256),
        "laptop": _vectors(Linear(), SGD(0.06, momentum=0.9), steps=4500, batch_size=4096),
        "paper": _vectors(Linear(), Adam(1e-3), epochs=600),
    }[scale]
    beta = 1e-4 if scale == "paper" else 0.05
    return Setup(whole, replace(whole, n=n * 8 // 10), settings, beta, n_test=5000)


def make_nonlinear(scale: str) -> Setup:
    """Synth. Non-Lin. of Table S3."""
    n = {"smoke": 1000, "laptop": 10_000, "paper": 50_000}[scale]
    whole = SyntheticNonlinear(n=n)
    settings = {
        "smoke": _vectors(NETWORK, Adam(3e-3), steps=40, batch_size=256),
        "laptop": _vectors(NETWORK, Adam(3e-3), steps=4000, batch_size=256),
        "paper": _vectors(NETWORK, Adam(1e-3), epochs=600),
    }[scale]
    return Setup(whole, replace(whole, n=n * 8 // 10), settings, 1e-3, n_test=5000)


def make_dsprites(scale: str) -> Setup:
    """dSprites of Table S3; below `paper`, one shape at one orientation and narrower layers.

    The reconstruction loss is a sum over pixels, so in fewer pixels the same beta prunes.
    """
    if scale == "paper":
        whole = load_dataset("dsprites")
        settings = Settings(latent_dim=5, epochs=50, architecture=Mlp(), optimiser=AdaGrad(1e-2))
        return _split(whole, settings, 4.0, len(whole) // TEST_SHARE)
    size, steps, n_test = (16, 20, 500) if scale == "smoke" else (64, 5000, 600)
    whole = load_dataset("dsprites", size=size).hold(shape=0, orientation=0)
    small = Mlp((200, 200), (200, 200, 200))
    settings = Settings(latent_dim=3, steps=steps, architecture=small, optimiser=AdaGrad(1e-2))
    return _split(whole, settings, 4.0, n_test)


def make_digits(name: str, scale: str) -> Setup:
    """MNIST or Fashion-MNIST of Table S3, trained on eight tenths and tested on one."""
    whole = load_dataset(name, split=DIGIT_FILES[scale])
    return _split(whole, digit_settings(name, scale), DIGIT_BETA, DIGIT_TESTED[scale])


def _split(whole: Dataset, settings: Settings, beta: float, n_test: int) -> Setup:
    train, _, test = split(whole)
    return Setup(whole, train, settings, beta, n_test, test)


def digit_settings(name: str, scale: str) -> Settings:
    """The settings for digits; their files are not needed."""
    steps = {"smoke": 5, "laptop": 4000, "paper": None}[scale]
    return Settings(
        latent_dim=6,
        steps=steps,
        epochs=DIGIT_EPOCHS[name] if steps is None else None,
        architecture=Mlp((400,), (500, 500)) if scale != "smoke" else Mlp((16,), (16,)),
        optimiser=AdaGrad(1e-2),
    )


SETUPS: dict[str, Callable[[str], Setup]] = {
    "synthetic-linear": make_linear,
    "synthetic-nonlinear": make_nonlinear,
    "dsprites": make_dsprites,
    **{name: partial(make_digits, name) for name in DIGIT_EPOCHS},
}


def list_available(names: Iterable[str], scale: str) -> dict[str, Setup]:
    """The setups of the data sets that are built in or whose files are on this machine."""
    found = {}
    for name in names:
        try:
            found[name] = SETUPS[name](scale)
        except FileNotFoundError:
            if name not in DIGIT_EPOCHS:
                raise
    return found


def _vectors(architecture: Linear | Mlp, optimiser: Adam | SGD, **given: Any) -> Settings:
    return Settings(
        latent_dim=2, architecture=architecture, optimiser=optimiser, likelihood="gaussian", **given
    )


def list_methods(beta: float) -> dict[str, Method]:
    """The methods in the columns of Table 2."""
    return {
        "beta-vae": BetaVAE(beta=beta),
        "vae": VAE(),
        "ae": AE(),
        "beta-vae-full": BetaVAEFull(beta=beta),
    }


class Plan(NamedTuple):
    """A run to train, and the labels of its row."""

    labels: Mapping[str, Value]
    setup: Setup
    method: Method
    seed: int


def train_plans(place: Place, plans: Sequence[Plan], *, title: str) -> list[Path]:
    """Train all planned runs that are not finished; return their folders."""
    runs = [
        RunSpec.of(plan.method, plan.setup.train, plan.setup.settings).with_seed(plan.seed)
        for plan in plans
    ]
    return train_all(place, runs, title=title, metrics=("disentanglement_score",))


def measure_runs(place: Place, plans: Sequence[Plan], *, title: str) -> list[Row]:
    """Train and measure each planned run."""
    folders = train_plans(place, plans, title=title)
    return [measure(plan, folder) for plan, folder in zip(plans, folders, strict=True)]


def list_values(rows: Iterable[Row], column: str, **labels: Value) -> list[float]:
    """The numbers in a column of the rows that have it, and these labels."""
    own = (row for row in rows if labels.items() <= row.items())
    return [float(row[column]) for row in own if column in row]


@torch.no_grad()
def measure(plan: Plan, folder: Path) -> Row:
    """Measure disentanglement, distance to orthogonality and active units on test samples.

    The row lacks what is not defined.
    """
    run, setup = load_run(folder), plan.setup
    indices = setup.test_indices()
    x = as_floats(setup.whole.images(indices), torch.device("cpu"))
    posterior = run.model.encode(x)
    nominal = [k for k, factor in enumerate(setup.whole.factors) if factor.kind == "nominal"]
    factors = setup.whole.factors_at(indices)
    codes = posterior.mean.numpy()
    orthogonality = distance_to_orthogonality(run.model.decode, posterior.mean[:N_JACOBIANS])
    row: Row = {**plan.labels, "seed": plan.seed}
    # "The one categorical label cannot serve as replacement" for factors.
    if len(setup.whole.factors) > 1:
        for name, bounded in (("disentanglement", False), ("bounded", True)):
            row[name] = disentanglement_score(codes, factors, nominal=nominal, bounded=bounded)
    row |= {"dto": orthogonality.distance, "near_degenerate": orthogonality.n_near_degenerate}
    if plan.method.stochastic:  # others do not train their variances
        row["active_units"] = int(active_units(posterior.log_variance.numpy()).sum())
    return {**row, "run": folder.name}
