"""Zietlow et al. 2021, Theorem 1: the linear VAE's optimum is PCA, in closed form and trained."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.decomposition import PCA

from gordium.arrays import Floats
from gordium.datasets import LinearGaussianSamples
from gordium.exhibits.base import Exhibit, Made, Place, Row
from gordium.exhibits.runs import pick_seeds, train_all
from gordium.exhibits.zietlow2021 import figure_claims, linear_models
from gordium.methods import AE, BetaVAE, Method
from gordium.networks import Linear
from gordium.report.figures import axes as axes_figures
from gordium.spec import RunSpec
from gordium.study.arm import Arm
from gordium.theory import linear_vae_loss, linear_vae_optimum, scales_of
from gordium.training import Adam, Settings

LATENTS = 3
HEAD = ("model", "largest angle to PCA", "V off a signed permutation", "noise off", "loss above")


@dataclass(frozen=True)
class Size:
    """How much is trained; the paper proves the theorem and trains nothing."""

    n: int
    steps: int
    betas: tuple[float, ...]
    seeds: Sequence[int]


SIZES = {
    "smoke": Size(1000, 300, (2.0,), pick_seeds(1)),
    "laptop": Size(10_000, 5000, (0.5, 1.0), pick_seeds(10)),
    "paper": Size(50_000, 50_000, (0.1, 0.2, 0.5, 1.0, 2.0), pick_seeds(10)),
}


def make(place: Place) -> Made:
    """Train linear models and compare their decoders and noise with the closed form."""
    size = SIZES[place.scale]
    dataset = LinearGaussianSamples(n=size.n)
    x = dataset.samples.points.astype(np.float64)
    pca = PCA(n_components=LATENTS).fit(x).components_
    runs = _runs(size, dataset)
    folders = train_all(place, runs, title="linear models", metrics=("mcc",))
    models = [linear_models.load_linear(folder) for folder in folders]
    trained = [_row(run, model, x, pca) for run, model in zip(runs, models, strict=True)]
    rows = [*(_closed_row(x, pca, beta) for beta in size.betas), *trained]
    tables = {
        _name(row): linear_models.cosines(pca, model.decoder)
        for row, model in zip(trained, models, strict=True)
        if row["seed"] == size.seeds[0]
    }
    pictures = {"theorem1.png": axes_figures.alignment(*_price_turn(x, pca), tables)}
    notes = [
        "Data: linear-gaussian, whose covariance has the eigenvalues 16.09, 4.09 and 1.09, then "
        "0.09. Angles are between decoder columns and the axes of scikit-learn's PCA, one to "
        "one. Noise off: largest relative error of a unit's mean variance. Loss above: how far "
        "the loss, its expectation taken, lies above the closed form's, relative to it. The nearer "
        "two variances are, the less a turn costs (left) and the longer training takes to align."
    ]
    return Made(HEAD, [_line(row) for row in rows], rows, pictures, notes)


def _runs(size: Size, dataset: LinearGaussianSamples) -> list[RunSpec]:
    settings = Settings(
        latent_dim=LATENTS,
        steps=size.steps,
        batch_size=256,
        architecture=Linear(),
        likelihood="gaussian",
        optimiser=Adam(learning_rate=1e-2),
    )
    methods: list[Method] = [AE(), *(BetaVAE(beta=beta) for beta in size.betas)]
    return [run for method in methods for run in Arm.of(method, settings).on(dataset, size.seeds)]


def _closed_row(x: Floats, pca: Floats, beta: float) -> Row:
    decoder = linear_vae_optimum(x, LATENTS, beta).decoder
    exact = {"noise_error": 0.0, "loss_above": 0.0}
    return {"model": "closed form", "beta": beta, **_measure(decoder, pca), **exact}


def _measure(decoder: Floats, pca: Floats) -> Row:
    return {
        "angle": linear_models.largest_angle(pca, decoder),
        "off_permutation": linear_models.off_permutation(decoder),
    }


def _row(run: RunSpec, model: linear_models.LinearModel, x: Floats, pca: Floats) -> Row:
    found = {"seed": run.seed, **_measure(model.decoder, pca)}
    if not isinstance(run.method, BetaVAE):
        return {"model": "trained AE", **found}
    beta = run.method.beta
    best = linear_vae_optimum(x, LATENTS, beta)
    variances = model.posteriors(x)[1].mean(axis=0)
    lowest = linear_vae_loss(best, x, beta)
    return {
        "model": "trained VAE",
        **found,
        "beta": beta,
        "noise_error": float(np.abs(np.sort(variances) / best.variances - 1).max()),
        "loss_above": linear_models.expected_loss(model, x, beta) / lowest - 1,
    }


def _price_turn(x: Floats, pca: Floats) -> tuple[Floats, Floats]:
    """The price of the best noise as the first two principal axes are turned.

    By Proposition 1 the best noise for given scales S_j costs k (prod S_j^2 sigma_j^2)^(1/k).
    """
    flat = (x - x.mean(axis=0)) @ pca.T
    angles = np.linspace(-100, 100, 201)
    prices = []
    for angle in np.deg2rad(angles):
        turn = np.eye(LATENTS)
        turn[:2, :2] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        prices.append(np.exp(2 * np.log(scales_of(flat, turn)).mean()))
    return angles, np.array(prices) / min(prices)


def _name(row: Row) -> str:
    return f"{row['model']}, β = {row['beta']:g}" if "beta" in row else str(row["model"])


def _line(row: Row) -> tuple[str, ...]:
    seed = f", seed {row['seed']}" if "seed" in row else ""
    shares = ("noise_error", "loss_above")
    rest = [f"{100 * float(row[name]):.1f} %" if name in row else "" for name in shares]
    return (_name(row) + seed, f"{row['angle']:.2f}°", f"{row['off_permutation']:.3f}", *rest)


theorem1 = Exhibit(
    "Theorem 1",
    "A linear VAE's optimum is principal component analysis",
    make,
    figure_claims.theorem1,
)
