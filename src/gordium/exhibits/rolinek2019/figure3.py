"""Rolinek et al. 2019, Figure 3: a lower distance to orthogonality goes with a higher score."""

from dataclasses import replace
from typing import Any

from gordium.datasets import split
from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.number_text import mean_and_spread
from gordium.exhibits.rolinek2019 import claims, models
from gordium.methods import BetaVAE
from gordium.report.figures import scores as score_figures

# Of training, in epochs or (below `paper`) steps.
LENGTHS = {"smoke": (5, 20), "laptop": (1000, 2500, 5000), "paper": (10, 30, 50)}
RESTARTS = {"smoke": 2, "laptop": 10, "paper": 10}  # of each length
SCORES = ("dto", "disentanglement")
HALF = range(8, 24)  # of the 32 positions along x


def make(place: Place) -> Made:
    """Train restarts of every length and plot their two scores against each other."""
    unit = _unit(place.scale)
    found = models.measure_runs(place, declare_plans(place.scale), title="Figure 3")
    groups = {}
    for length in LENGTHS[place.scale]:
        scores = (models.list_values(found, score, **{unit: length}) for score in SCORES)
        groups[f"{length} {unit}"] = list(zip(*scores, strict=True))
    table = [
        (name, *(mean_and_spread(values) for values in zip(*points, strict=True)))
        for name, points in groups.items()
    ]
    picture = score_figures.scatter(
        groups, x="distance to orthogonality", y="disentanglement score"
    )
    notes = ["The figure is published without numbers. Every point is a run of its own."]
    if place.scale != "paper":
        notes.append(
            "Reduced at this scale: dSprites of one shape at one orientation, with half of the "
            "range of x (3,072 images), three latent units, hidden layers of 200 in place of "
            "1,200, batches of 64. Training is a hundredth of the published one. With equal ranges "
            "x and y move the images alike, so that orthogonal columns need not lie along them "
            "(compare 9.2), and no relation was seen in 15 restarts; nor in 16 pixels and 300 to "
            "1,500 steps."
        )
    head = ("training", "distance to orthogonality", "disentanglement")
    return Made(head, table, found, {"restarts.png": picture}, notes)


def declare_plans(scale: str) -> list[models.Plan]:
    """Restarts of every length, each with its own seed; lengths take turns."""
    unit, whole = _unit(scale), models.make_dsprites(scale)
    some = whole if scale == "paper" else _narrow(whole)
    method = BetaVAE(beta=some.beta)
    none: dict[str, Any] = {"steps": None, "epochs": None}
    setups = {
        length: replace(some, settings=replace(some.settings, **{**none, unit: length}))
        for length in LENGTHS[scale]
    }
    return [
        models.Plan({unit: length}, setup, method, 100 * k + restart)
        for restart in range(RESTARTS[scale])
        for k, (length, setup) in enumerate(setups.items(), start=1)
    ]


def _unit(scale: str) -> str:
    return "epochs" if scale == "paper" else "steps"


def _narrow(setup: models.Setup) -> models.Setup:
    """The setup with half of the range of x, so that moves along x and y differ in strength."""
    whole = setup.whole.narrow(x=HALF)
    train, _, test = split(whole)
    return replace(setup, whole=whole, train=train, test=test, n_test=300)


figure3 = Exhibit(
    "Figure 3",
    "Distance to orthogonality against disentanglement over restarts",
    make,
    claims.figure3,
)
