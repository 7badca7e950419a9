"""Rolinek et al. 2019, Table 1: how much of training runs in the polarised regime."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple, final

from torch import Tensor

from gordium.exhibits.base import Exhibit, Made, Place, Row, Value
from gordium.exhibits.number_text import mean_and_std
from gordium.exhibits.published import read_published
from gordium.exhibits.rolinek2019 import claims
from gordium.exhibits.rolinek2019.kept import keep_rows, note_absent
from gordium.exhibits.rolinek2019.models import SETUPS, Setup, list_available, list_values
from gordium.exhibits.runs import make_all, pick_seeds
from gordium.geometry import polarised_share
from gordium.geometry.activity import ACTIVE_BELOW
from gordium.methods import Method
from gordium.methods.base import Context, Forward, Loss, weighted_sum
from gordium.methods.terms import mean_kl, reconstruction
from gordium.report.figures import scores as score_figures
from gordium.spec import RunSpec
from gordium.study.tasks import Wanted
from gordium.training import load_run

BELOW = 0.03
WIDE = 10
UNITS = ("dep", "10")  # as many latent units as the data set depends on, or ten
LONG = 50_000  # batches of the synthetic sets at laptop scale


class Size(NamedTuple):
    """The seeds of a data set, and after how many batches each the regime is judged."""

    seeds: Sequence[int]
    every: int


SIZES: dict[str, Mapping[str, Size]] = {
    "smoke": {"synthetic-linear": Size((0,), 10)},
    "laptop": {
        name: Size(pick_seeds(10), 500) if name.startswith("synthetic") else Size((0,), 50)
        for name in SETUPS
    },
    "paper": dict.fromkeys(SETUPS, Size(pick_seeds(10), 500)),
}


@final
@dataclass(frozen=True, kw_only=True)
class Watched(Method):
    """The beta-VAE, which also records the approximation (10) of its KL without minimising it."""

    beta: float

    def __call__(self, out: Forward, context: Context) -> Loss:
        return weighted_sum(
            reconstruction=(1.0, reconstruction(out)),
            kl=(self.beta, mean_kl(out)),
            approximate_kl=(0.0, approximate_kl(out.mean, out.log_variance)),
        )


def approximate_kl(means: Tensor, log_variances: Tensor) -> Tensor:
    """Equation (10) of a batch; a unit is active if its mean variance there is below 0.8."""
    is_active = log_variances.detach().exp().mean(dim=0) < ACTIVE_BELOW
    units = 0.5 * (means.detach().square() - log_variances.detach() - 1)
    return (units * is_active).sum(dim=1).mean()


def make(place: Place) -> Made:
    """Train with few and with ten units and count how much of training is polarised."""
    sizes = SIZES[place.scale]
    names = list(list_available(sizes, place.scale))
    absent = [name for name in sizes if name not in names]
    kept = keep_rows(place, absent)
    rows = [row for name in names for row in _watch(place, name, sizes[name])] + kept
    first = {
        f"{name}, {_width(name, units, place)} units": (
            list_values(rows, "step", data=name, latent=units, seed=sizes[name].seeds[0]),
            list_values(rows, "delta_kl", data=name, latent=units, seed=sizes[name].seeds[0]),
        )
        for name in names
        for units in UNITS
    }
    shares: dict[tuple[str, str], dict[Value, float]] = {}  # by data, units and seed
    for row in rows:
        own = shares.setdefault((str(row["data"]), str(row["latent"])), {})
        own[row["seed"]] = float(row["share"])
    picture = score_figures.draw_falling(first, level=BELOW, y="Δ_KL (30)")
    return Made(
        ("data", "latent units", "published", "here", "runs"),
        [_line(*key, list(own.values())) for key, own in shares.items()],
        rows,
        {"delta_kl.png": picture},
        [*_notes(place.scale), *note_absent(place, absent, kept)],
    )


def _watch(place: Place, name: str, size: Size) -> list[Row]:
    """Train all runs on a data set, both widths of a seed together; return their rows.

    A row has the error `delta_kl` of the approximation at a step, and the `share` of the run in
    which it is below 3 %.
    """
    runs = {(seed, units): _declare(place, name, units, seed)
            for seed in size.seeds for units in UNITS}  # fmt: skip
    wanted = Wanted(metrics=(), record_every=size.every)
    folders = make_all(place, list(runs.values()), title=f"Table 1, {name}", wanted=wanted)
    rows: list[Row] = []
    for (seed, units), folder in zip(runs, folders, strict=True):
        labels: Row = {"data": name, "latent": units, "seed": seed}
        steps, deltas = _deltas(folder)
        share = 100 * polarised_share(steps, deltas, below=BELOW)
        rows += [
            {**labels, "step": step, "delta_kl": delta, "share": share}
            for step, delta in zip(steps, deltas, strict=True)
        ]
    return sorted(rows, key=lambda row: UNITS.index(str(row["latent"])))


def _width(name: str, units: str, place: Place) -> int:
    return WIDE if units == "10" else SETUPS[name](place.scale).settings.latent_dim


def _declare(place: Place, name: str, units: str, seed: int) -> RunSpec:
    setup = choose_setup(place.scale, name)
    settings = replace(setup.settings, latent_dim=_width(name, units, place))
    return RunSpec.of(Watched(beta=setup.beta), setup.train, settings).with_seed(seed)


def choose_setup(scale: str, name: str) -> Setup:
    """The setup of the other exhibits; at laptop scale, for synthetic sets, a shorter `paper`."""
    if scale != "laptop" or not name.startswith("synthetic"):
        return SETUPS[name](scale)
    setup = SETUPS[name]("paper")
    return replace(setup, settings=replace(setup.settings, steps=LONG, epochs=None))


def _deltas(folder: Path) -> tuple[list[float], list[float]]:
    """The steps at which the history was recorded, and (30) of the means recorded there."""
    history = load_run(folder).history
    return (
        [row["step"] for row in history],
        [abs(row["kl"] - row["approximate_kl"]) / row["kl"] for row in history],
    )


def _line(name: str, units: str, shares: Sequence[float]) -> tuple[str, ...]:
    theirs = read_published("rolinek2019-table1")[name][units]
    spread = stdev(shares) if len(shares) > 1 else nan
    return (
        name,
        "as many as factors" if units == "dep" else units,
        f"{theirs} %",
        f"{mean_and_std(fmean(shares), spread, 1)} %",
        str(len(shares)),
    )


def _notes(scale: str) -> list[str]:
    notes = [
        "Share of training in which Δ_KL < 3 % until its end, judged every 500 batches from the "
        "means of both losses over these batches; mean and standard deviation over seeds, of which "
        "the picture has the first. A unit is active if its mean variance is below 0.8."
    ]
    if scale != "paper":
        notes.append(
            "Reduced at this scale. Synthetic sets: 50,000 batches of 64 in place of 600 epochs, "
            "all else as published (a batch's size is not). Images: as in rolinek2019-table2 at "
            "this scale, one run of 5,000 or 4,000 batches of 64, judged every 50. The regime is "
            "reached after a number of steps that does not grow with the length of training, so "
            "short training has lower shares."
        )
    return notes


table1 = Exhibit(
    "Table 1", "How much of training runs in the polarised regime", make, claims.table1
)
