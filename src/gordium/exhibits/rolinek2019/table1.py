"""Rolinek et al. 2019, Table 1: how much of training runs in the polarised regime."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, final

from torch import Tensor

from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.published import read_published
from gordium.exhibits.rolinek2019 import claims
from gordium.exhibits.rolinek2019.models import SETUPS, Setup, list_available, note_left_out
from gordium.exhibits.runs import make_all
from gordium.geometry import polarised_share
from gordium.geometry.activity import ACTIVE_BELOW
from gordium.methods import Method
from gordium.methods.base import Context, Forward, Loss, weighted_sum
from gordium.methods.terms import mean_kl, reconstruction
from gordium.optimisers import Adam
from gordium.report.figures import scores as score_figures
from gordium.spec import RunSpec
from gordium.study.tasks import Wanted
from gordium.training import load_run

BELOW = 0.03
WIDE = 10
UNITS = ("dep", "10")  # as many latent units as the data set depends on, or ten


class Size(NamedTuple):
    """Data sets, and every how many batches the regime is judged."""

    data: tuple[str, ...]
    every: int


SIZES = {
    "smoke": Size(("synthetic-linear",), 10),
    "laptop": Size(tuple(SETUPS), 50),
    "paper": Size(tuple(SETUPS), 500),
}


class Record(NamedTuple):
    """The approximation's error at a step of a run, and the share of the run below the level."""

    data: str
    latent: str
    step: float
    delta_kl: float
    share: float


@final
@dataclass(frozen=True, kw_only=True)
class Watched(Method):
    """The beta-VAE, with the approximation (10) of its KL term recorded and not minimised."""

    beta: float

    def __call__(self, out: Forward, context: Context) -> Loss:
        return weighted_sum(
            reconstruction=(1.0, reconstruction(out)),
            kl=(self.beta, mean_kl(out)),
            approximate_kl=(0.0, approximate_kl(out.mean, out.log_variance)),
        )


def approximate_kl(means: Tensor, log_variances: Tensor) -> Tensor:
    """(10) of a batch: active are the units whose mean variance in it is below 0.8."""
    is_active = log_variances.detach().exp().mean(dim=0) < ACTIVE_BELOW
    units = 0.5 * (means.detach().square() - log_variances.detach() - 1)
    return (units * is_active).sum(dim=1).mean()


def make(place: Place) -> Made:
    size = SIZES[place.scale]
    names = list(list_available(size.data, place.scale))
    runs = {(name, units): _declare(place, name, units) for name in names for units in UNITS}
    wanted = Wanted(metrics=(), record_every=size.every)
    folders = make_all(place, list(runs.values()), title="Table 1", wanted=wanted)
    records: list[Record] = []
    lines = {}
    for (name, units), folder in zip(runs, folders, strict=True):
        steps, deltas = _deltas(folder)
        lines[f"{name}, {_width(name, units, place)} units"] = (steps, deltas)
        share = 100 * polarised_share(steps, deltas, below=BELOW)
        records += [Record(name, units, s, d, share) for s, d in zip(steps, deltas, strict=True)]
    shares = {(record.data, record.latent): record.share for record in records}
    picture = score_figures.draw_falling(lines, level=BELOW, y="Δ_KL (30)")
    return Made(
        ("data", "latent units", "published", "here"),
        [_line(name, units, share) for (name, units), share in shares.items()],
        [record._asdict() for record in records],
        {"delta_kl.png": picture},
        [*_notes(place.scale, size.every), *note_left_out(size.data, names)],
    )


def _width(name: str, units: str, place: Place) -> int:
    return WIDE if units == "10" else SETUPS[name](place.scale).settings.latent_dim


def _declare(place: Place, name: str, units: str) -> RunSpec:
    setup = _setup(place.scale, name)
    settings = replace(setup.settings, latent_dim=_width(name, units, place))
    return RunSpec.of(Watched(beta=setup.beta), setup.train, settings)


def _setup(scale: str, name: str) -> Setup:
    """That of the other exhibits; at laptop scale with the small beta that the regime needs."""
    setup = SETUPS[name](scale)
    if scale != "laptop" or not name.startswith("synthetic"):
        return setup
    settings = replace(setup.settings, optimiser=Adam(3e-3), steps=5000, batch_size=256)
    return replace(setup, settings=settings, beta=1e-3)


def _deltas(folder: Path) -> tuple[list[float], list[float]]:
    """(30) at every record, of both terms' means over the batches since the last one."""
    history = load_run(folder).history
    return (
        [row["step"] for row in history],
        [abs(row["kl"] - row["approximate_kl"]) / row["kl"] for row in history],
    )


def _line(name: str, units: str, share: float) -> tuple[str, ...]:
    theirs = read_published("rolinek2019-table1")[name][units]
    return (
        name,
        "as many as factors" if units == "dep" else units,
        f"{theirs} %",
        f"{share:.1f} %",
    )


def _notes(scale: str, every: int) -> list[str]:
    notes = [
        f"Share of training in which Δ_KL < 3 % until its end, judged every {every} batches from "
        "the means of both losses over these batches; one run each. A unit is active if its mean "
        "variance is below 0.8.",
    ]
    if scale != "paper":
        notes.append(
            "Reduced at this scale. Synthetic sets: 10,000 samples, beta 1e-3, Adam at 3e-3, 5,000 "
            "batches of 256 in place of 600 epochs (375,000 batches of 64). Images: as in "
            "rolinek2019-table2 at this scale, 5,000 or 4,000 batches of 64. The regime is reached "
            "after a number of steps that does not grow with the length of training, so "
            "short training has lower shares."
        )
    return notes


EXHIBIT = Exhibit(
    "rolinek2019-table1",
    "Rolinek et al. 2019, Table 1",
    "How much of training runs in the polarised regime",
    make,
    claims.table1,
)
