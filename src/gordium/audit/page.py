"""The page of an audit: its verdict, its table of pairs and its pictures."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from gordium.audit import figures as audit_figures
from gordium.audit.words import describe_points
from gordium.geometry.audit import Audit, Pair
from gordium.geometry.examples import Example
from gordium.report.pages import html as page

PAIR_HEAD = ("factors", "score", "overlap", "angle", "ratio", "tied")
LEGEND = (
    "Score: as for all factors, of the pair alone. Overlap: mean |cosine| between the changes of "
    "the image that they make. Angle: mean turn of the pair's principal directions, 0 to 45 "
    "degrees. Ratio: of the standard deviations that they induce. Tied: share of points at which "
    "the two principal deviations are within 10 %."
)
CAPTIONS = {
    "pairs.png": "The score of each pair of factors on its own: 1 is aligned, 0 is chance.",
    "distances.png": "Each point's distance; the score is 1 minus their mean over chance.",
    "changes.png": "Some points: what each factor changes in the image (grey is nothing), and "
    "below it the nearest local principal component. Where the two rows differ, a model that "
    "follows principal components does not find the factor.",
}
Pictures = Mapping[str, tuple[bytes, str]]


def pair_row(pair: Pair) -> list[str]:
    """A line of the table of pairs."""
    return [
        f"{pair.first}, {pair.second}",
        f"{pair.score:.2f}",
        f"{pair.overlap:.2f}",
        f"{pair.angle:.1f}°",
        f"{pair.ratio:.2f}",
        f"{pair.tied:.0%}",
    ]


def audit_pictures(audit: Audit, examples: Sequence[Example]) -> dict[str, tuple[bytes, str]]:
    """Draw each picture as PNG with its caption, by file name; `examples` may be empty."""
    k = len(audit.names)
    scores = np.full((k, k), np.nan)
    for pair in audit.pairs:
        i, j = audit.names.index(pair.first), audit.names.index(pair.second)
        scores[i, j] = scores[j, i] = pair.score
    drawn = {
        "pairs.png": audit_figures.pair_matrix(audit.names, scores),
        "distances.png": audit_figures.distance_histogram(audit.distances, audit.chance),
    }
    if examples:
        drawn["changes.png"] = audit_figures.change_grid(audit.names, examples)
    return {name: (png, CAPTIONS[name]) for name, png in drawn.items()}


def write_audit_page(
    path: Path, title: str, audit: Audit, sentences: Sequence[str], pictures: Pictures, command: str
) -> None:
    """Write the page of an audit: its sentences, its pairs of factors, its pictures."""
    changes = [(a, f"{b:.3g}") for a, b in zip(audit.names, audit.deviations, strict=True)]
    parts = [
        *(page.paragraph(sentence) for sentence in sentences),
        page.heading("Pairs of factors"),
        page.table(PAIR_HEAD, [pair_row(pair) for pair in audit.pairs]),
        page.paragraph(LEGEND, small=True),
        page.heading("What each factor changes"),
        page.table(("factor", "change of the image per standard deviation"), changes),
        *(page.picture(png, caption) for png, caption in pictures.values()),
        page.heading("Run it again"),
        page.paragraph(describe_points(audit), small=True),
        page.code(command),
    ]
    page.write_page(path, title, parts)
