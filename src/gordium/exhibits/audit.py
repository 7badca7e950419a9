"""The audit of a data set, written down: a page with pictures, and the numbers as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gordium._version import __version__
from gordium.datasets import Dataset, Table
from gordium.files import write_bytes, write_json
from gordium.geometry.audit import Audit, Pair, audit
from gordium.geometry.examples import examples
from gordium.geometry.places import steps_within
from gordium.geometry.posterior_radius import posterior_radius
from gordium.report import audit_figures, page
from gordium.report.audit_words import headline, verdict
from gordium.representation import as_floats
from gordium.training import load_run
from gordium.training.folder import read_config

SUMMARY, PAGE = "audit.json", "audit.html"
PAIR_HEAD = ("factors", "score", "overlap", "angle", "ratio", "tied")
LEGEND = (
    "Score: as for all factors, of the pair alone. Overlap: mean |cosine| between the changes of "
    "the image that they make. Angle: mean turn of the pair's principal directions, 0 to 45 "
    "degrees. Ratio: of the standard deviations that they induce. Tied: share of points at which "
    "these are within 10 %."
)


def run_audit(
    dataset: Dataset,
    out: Path,
    *,
    command: str,
    n: int = 2000,
    seed: int = 0,
    steps: Sequence[int] | None = None,
) -> Audit:
    """Audit the data set and write `audit.json`, `audit.html` and its pictures into `out`."""
    found = audit(dataset, n=n, seed=seed, steps=steps)
    pictures = _pictures(dataset, found, seed)
    for name, (png, _) in pictures.items():
        write_bytes(out / name, png)
    write_json(out / SUMMARY, summary(dataset, found, command=command, seed=seed))
    page.write_page(
        out / PAGE, "Audit: " + label(dataset), _parts(dataset, found, pictures, command)
    )
    return found


def steps_of_run(dataset: Dataset, folder: Path) -> tuple[int, ...]:
    """Grid steps that a trained run's posterior noise reaches along each factor."""
    model = load_run(folder).model
    if tuple(read_config(folder)["declaration"]["image_shape"]) != dataset.image_shape:
        raise ValueError(f"{folder} was trained on images of another shape than this data set's.")

    @torch.no_grad()
    def posterior(images: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        found = model.encode(as_floats(images, torch.device("cpu")))
        return found.mean.numpy(), torch.exp(found.log_variance / 2).numpy()

    return steps_within(dataset, posterior_radius(posterior, dataset).tolist())


def summary(dataset: Dataset, found: Audit, *, command: str, seed: int) -> dict[str, Any]:
    """All numbers with where they come from."""
    return {
        "score": found.score,
        "interval": list(found.interval),
        "verdict": verdict(found),
        "distance": float(found.distances.mean()),
        "chance": found.chance,
        "n_points": len(found.distances),
        "n_places": found.n_places,
        "steps": None if found.steps is None else list(found.steps),
        "deviations": dict(zip(found.names, found.deviations.tolist(), strict=True)),
        "pairs": [pair._asdict() for pair in found.pairs],
        "noise": found.noise,
        "preference": {"gain": found.gain, "lost": found.lost},
        "dataset": dataset.declaration,
        "seed": seed,
        "command": command,
        "version": __version__,
    }


def pair_row(pair: Pair) -> list[str]:
    return [
        f"{pair.first}, {pair.second}",
        f"{pair.score:.2f}",
        f"{pair.overlap:.2f}",
        f"{pair.angle:.1f}°",
        f"{pair.ratio:.2f}",
        f"{pair.tied:.0%}",
    ]


def label(dataset: Dataset) -> str:
    """What a person calls the data set: its name and what was done to it."""
    return _label(dataset.declaration)


def _label(declared: dict[str, Any]) -> str:
    if "variant" not in declared:
        return str(declared["name"])
    base = _label(declared["base"])
    if declared["variant"] == "held":
        held = ", ".join(f"{name} {value}" for name, value in declared["values"].items())
        return f"{base} with {held}"
    if declared["variant"] == "noisy":
        return f"{base}, noise {declared['epsilon']:g}"
    return f"{base}, {declared['variant']}"


def _pictures(dataset: Dataset, found: Audit, seed: int) -> dict[str, tuple[bytes, str]]:
    k = len(found.names)
    scores = np.full((k, k), np.nan)
    for pair in found.pairs:
        i, j = found.names.index(pair.first), found.names.index(pair.second)
        scores[i, j] = scores[j, i] = pair.score
    histogram = audit_figures.distance_histogram(found.distances, found.chance)
    made = {
        "pairs.png": (
            audit_figures.pair_matrix(found.names, scores),
            "The score of each pair of factors on its own: 1 is aligned, 0 is chance.",
        ),
        "distances.png": (
            histogram,
            "Each point's distance; the score is 1 minus their mean over chance.",
        ),
    }
    if not isinstance(dataset, Table):
        shown = examples(dataset, steps=found.steps, seed=seed)
        made["changes.png"] = (
            audit_figures.change_grid(found.names, shown),
            "Three points: what each factor changes in the image (grey is nothing), and below it "
            "the nearest local principal component. Where the two rows differ, a model that "
            "follows principal components does not find the factor.",
        )
    return made


def _parts(
    dataset: Dataset, found: Audit, pictures: dict[str, tuple[bytes, str]], command: str
) -> list[str]:
    deviations = zip(found.names, found.deviations, strict=True)
    looked = _looked(found)
    return [
        page.paragraph(
            f"Alignment of the factors with local principal components: {headline(found)}"
        ),
        *(page.paragraph(sentence) for sentence in verdict(found)),
        page.heading("Pairs of factors"),
        page.table(PAIR_HEAD, [pair_row(pair) for pair in found.pairs]),
        page.paragraph(LEGEND, small=True),
        page.heading("What each factor changes"),
        page.table(
            ("factor", "change per standard deviation"), [(a, f"{b:.3g}") for a, b in deviations]
        ),
        *(page.picture(png, caption) for png, caption in pictures.values()),
        page.heading("Run it again"),
        page.paragraph(looked, small=True),
        page.code(command),
    ]


def _looked(found: Audit) -> str:
    how = (
        "nearest neighbours in the space of the factors"
        if found.steps is None
        else "grid steps along "
        + ", ".join(f"{name} {step}" for name, step in zip(found.names, found.steps, strict=True))
    )
    return f"{len(found.distances):,} of {found.n_places:,} points; {how}."
