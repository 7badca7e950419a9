"""Rolinek et al. 2019, Table 1: how much of training runs in the polarised regime."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple, final

from torch import Tensor

from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.number_text import mean_and_std
from gordium.exhibits.published import read_published
from gordium.exhibits.rolinek2019 import claims
from gordium.exhibits.rolinek2019.kept import KeptRow, keep_rows, note_absent
from gordium.exhibits.rolinek2019.models import SETUPS, Setup, list_available
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
        "synthetic-linear": Size(pick_seeds(10), 500),
        "synthetic-nonlinear": Size(pick_seeds(10), 500),
        "dsprites": Size((0,), 50),
        "mnist": Size((0,), 50),
        "fashion-mnist": Size((0,), 50),
    },
    "paper": dict.fromkeys(SETUPS, Size(pick_seeds(10), 500)),
}


class Record(NamedTuple):
    """The error `delta_kl` of the approximation at a step, and the share of the run below 3 %."""

    data: str
    latent: str
    seed: int
    step: float
    delta_kl: float
    share: float


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
    records = [record for name in names for record in _watch(place, name, sizes[name])]
    records += [_record(row) for row in kept]
    found: dict[tuple[str, str], dict[int, list[Record]]] = {}
    for record in records:
        own = found.setdefault((record.data, record.latent), {})
        own.setdefault(record.seed, []).append(record)
    first = {
        f"{name}, {_width(name, units, place)} units": _curve(next(iter(own.values())))
        for (name, units), own in found.items()
        if name in names
    }
    table = [
        _line(name, units, [rows[0].share for rows in own.values()])
        for (name, units), own in found.items()
    ]
    picture = score_figures.draw_falling(first, level=BELOW, y="Δ_KL (30)")
    return Made(
        ("data", "latent units", "published", "here", "runs"),
        table,
        [record._asdict() for record in records],
        {"delta_kl.png": picture},
        [*_notes(place.scale), *note_absent(place, absent, kept)],
    )


def _watch(place: Place, name: str, size: Size) -> list[Record]:
    """Train all runs on a data set, both widths of a seed together; return their records."""
    runs = {(seed, units): _declare(place, name, units, seed)
            for seed in size.seeds for units in UNITS}  # fmt: skip
    wanted = Wanted(metrics=(), record_every=size.every)
    folders = make_all(place, list(runs.values()), title=f"Table 1, {name}", wanted=wanted)
    records: list[Record] = []
    for (seed, units), folder in zip(runs, folders, strict=True):
        steps, deltas = _deltas(folder)
        share = 100 * polarised_share(steps, deltas, below=BELOW)
        both = zip(steps, deltas, strict=True)
        records += [Record(name, units, seed, step, delta, share) for step, delta in both]
    return sorted(records, key=lambda record: UNITS.index(record.latent))


def _record(row: KeptRow) -> Record:
    numbers = (float(row[name]) for name in ("delta_kl", "share"))
    return Record(row["data"], row["latent"], int(row["seed"]), int(row["step"]), *numbers)


def _curve(rows: Sequence[Record]) -> tuple[list[float], list[float]]:
    return [row.step for row in rows], [row.delta_kl for row in rows]


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


EXHIBIT = Exhibit(
    "rolinek2019-table1",
    "Table 1",
    "How much of training runs in the polarised regime",
    make,
    claims.table1,
)
