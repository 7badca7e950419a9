"""Run the audit of a data set and write its numbers, its pictures and its page."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gordium._version import __version__
from gordium.audit.around_run import RunBeside, measure_run
from gordium.audit.page import audit_pictures, write_audit_page
from gordium.audit.words import farther_words, verdict
from gordium.datasets import Dataset
from gordium.fields import Declaration
from gordium.files import write_bytes, write_json
from gordium.geometry.audit import Audit, audit
from gordium.geometry.examples import examples
from gordium.geometry.places import steps_within

SUMMARY, PAGE = "audit.json", "audit.html"
FAR = (0.5, 1.0)  # standard deviations
FAR_POINTS = 500


@dataclass(frozen=True)
class Audited:
    """An audit, the same over longer steps, and a trained run beside it if one was given."""

    audit: Audit
    farther: dict[float, Audit]
    run: RunBeside | None

    @property
    def sentences(self) -> list[str]:
        """The audit in sentences, the verdict first."""
        beside_it = [] if self.run is None else [self.run.sentence]
        return [*verdict(self.audit), *farther_words(self.farther), *beside_it]


def run_audit(  # noqa: PLR0913 - what an audit may be given, all by keyword
    dataset: Dataset,
    out: Path,
    *,
    command: str,
    n: int = 2000,
    seed: int = 0,
    radius: float | None = None,
    run: Path | None = None,
    device: str = "cpu",
) -> Audited:
    """Audit the data set and write `audit.json`, `audit.html` and its pictures into `out`.

    Each factor is varied by one grid step, or by `radius` standard deviations, or as far as the
    posterior noise of the `run` reaches; then also by half and by a whole standard deviation.
    """
    trained = None if run is None else measure_run(dataset, run, seed=seed, device=device)
    steps = None if trained is None else trained.steps
    if radius is not None:
        steps = steps_within(dataset, [radius] * len(dataset.factors))
    found = audit(dataset, n=n, seed=seed, steps=steps)
    made = Audited(found, _audit_farther(dataset, found, seed), trained)
    _write(dataset, made, out, command=command, seed=seed)
    return made


def _audit_farther(dataset: Dataset, found: Audit, seed: int) -> dict[float, Audit]:
    """Audit at longer radii, if the grid has steps for them that differ from those before."""
    if not dataset.is_grid:
        return {}
    audits, seen = {}, {found.steps}
    for radius in FAR:
        steps = steps_within(dataset, [radius] * len(dataset.factors))
        if steps not in seen:
            audits[radius] = audit(dataset, n=FAR_POINTS, seed=seed, steps=steps)
        seen.add(steps)
    return audits


def _write(dataset: Dataset, made: Audited, out: Path, *, command: str, seed: int) -> None:
    found = made.audit
    shown = examples(dataset, steps=found.steps, seed=seed) if dataset.is_grid else []
    pictures = audit_pictures(found, shown)
    for name, (png, _) in pictures.items():
        write_bytes(out / name, png)
    write_json(out / SUMMARY, summary(dataset, made, command=command, seed=seed))
    title = "Audit: " + label(dataset.declaration)
    write_audit_page(out / PAGE, title, found, made.sentences, pictures, command)


def summary(dataset: Dataset, made: Audited, *, command: str, seed: int) -> Mapping[str, object]:
    """All numbers of the audit and what they depend on, as `audit.json` holds them."""
    found = made.audit
    return {
        **_numbers(found),
        "verdict": made.sentences,
        "chance": found.chance,
        "deviations": dict(zip(found.names, found.deviations.tolist(), strict=True)),
        "pairs": [pair._asdict() for pair in found.pairs],
        "noise": found.noise,
        "preference": {"gain": found.gain, "lost": found.lost},
        "farther": [{"radius": r, **_numbers(a)} for r, a in made.farther.items()],
        "run": None if made.run is None else made.run.numbers,
        "dataset": dataset.declaration,
        "seed": seed,
        "command": command,
        "version": __version__,
    }


def _numbers(found: Audit) -> dict[str, object]:
    return {
        "score": found.score,
        "interval": list(found.interval),
        "distance": float(found.distances.mean()),
        "n_points": len(found.distances),
        "n_places": found.n_places,
        "steps": None if found.steps is None else list(found.steps),
    }


def label(declared: Declaration) -> str:
    """The title of a declared data set: its name and what was done to it."""
    if "variant" not in declared:
        return str(declared["name"])
    base = label(declared["base"])
    if declared["variant"] == "held":
        held = ", ".join(f"{name} {value}" for name, value in declared["values"].items())
        return f"{base} with {held}"
    if declared["variant"] == "narrowed":
        return f"{base} with {len(declared['values'])} values of {declared['factor']}"
    if declared["variant"] == "noisy":
        return f"{base}, noise {declared['epsilon']:g}"
    return f"{base}, {declared['variant']}"
