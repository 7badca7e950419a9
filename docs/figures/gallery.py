"""The explorer's pages in the documentation, from models of the zoo, and a card for each method.

They are written when the site is built; `python docs/figures/gallery.py FOLDER` writes the pages.
"""

import sys
from base64 import b64encode
from html import escape
from io import BytesIO
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

import gordium as gd
from gordium.evaluation.representation import encode
from gordium.explain.subject import kind_of
from gordium.manipulation import load_declared_dataset
from gordium.methods import METHODS
from gordium.report.figures.images import to_png
from gordium.study.pictures import some_indices, traversals
from gordium.training import Run

SIDE_BY_SIDE = {
    "headline": ("original-0", "modified-0", "noise-0"),
    "methods": ("ae", "vae", "beta-vae", "factor-vae"),
}
POINTS = 200
LARGEST = 4_000_000  # bytes of a page
TILE = 36  # pixels of an image on a card


def methods_of_the_zoo() -> list[str]:
    """The models of the zoo that are named after their method."""
    return [name for name in gd.zoo.list_models() if name in METHODS]


def write_pages(folder: Path) -> None:
    """One page for each method of the zoo, and one for each group of models side by side."""
    alone = {name: (name,) for name in methods_of_the_zoo()}
    for name, models in {**SIDE_BY_SIDE, **alone}.items():
        page = gd.explore(*map(gd.zoo.get, models), points=POINTS).save(folder / f"{name}.html")
        if page.stat().st_size > LARGEST:
            raise ValueError(f"{page} has {page.stat().st_size} bytes; at most {LARGEST}.")


def show_cards() -> str:
    """HTML with a card for each method: a picture that links to its page, and its score."""
    cards = "".join(map(_card, methods_of_the_zoo()))
    style = "display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:1.2rem"
    return f'<div style="{style}">{cards}</div>'


def _card(name: str) -> str:
    run, model = gd.zoo.load(name), gd.zoo.describe(name)
    has_decoder = kind_of(run).has_decoder
    png = _draw_traversals(run) if has_decoder else _draw_codes(run)
    what = "what each unit changes" if has_decoder else "codes of images, coloured by each factor"
    source = f"data:image/png;base64,{b64encode(png).decode()}"
    picture = f'<img src="{source}" alt="{escape(name)}: {what}" style="max-width:100%">'
    words = f"<strong>{escape(name)}</strong>, MIG {model.scores['mig']:.2f}: {what}"
    return f'<div><a href="explorer/{escape(name)}.html">{picture}<br>{words}</a></div>'


def _draw_traversals(run: Run) -> bytes:
    """A row of decoded images for each unit, which moves from -2 to 2; the most important first."""
    data = load_declared_dataset(run.config["declaration"]["dataset"])
    rows = traversals(run, data, int(some_indices(data, 1)[0]))
    sheet = np.concatenate([np.concatenate(row, axis=1) for row in rows])
    height, width = len(rows) * TILE, len(rows[0]) * TILE
    file = BytesIO()
    Image.fromarray(sheet).resize((width, height), Image.Resampling.LANCZOS).save(file, "png")
    return file.getvalue()


def _draw_codes(run: Run) -> bytes:
    """The first two codes of images, in a panel for each factor; for runs without a decoder."""
    data = load_declared_dataset(run.config["declaration"]["dataset"])
    found = encode(run.model, data, n=300)
    figure = Figure(figsize=(3.3, 1.3), layout="constrained")
    panels = figure.subplots(1, len(data.factors))
    for axis, factor, values in zip(panels, data.factors, found.factors.T, strict=True):
        axis.scatter(*found.codes[:, :2].T, c=values, s=4, cmap="viridis", linewidths=0)
        axis.set_title(factor.name.replace("_", " "), fontsize=8)
        axis.set_xticks([])
        axis.set_yticks([])
    return to_png(figure)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
