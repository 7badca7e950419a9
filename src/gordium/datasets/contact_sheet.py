"""A picture of a data set at a glance: one row per factor, the others at rest."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw

from gordium.datasets.base import Dataset, Images
from gordium.factors import Factor
from gordium.files import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 10
GAP = 2
LABEL_WIDTH = 84
INK, PAPER = (30, 30, 30), (255, 255, 255)


def contact_sheet(dataset: Dataset, path: str | Path) -> None:
    """Write a PNG with a row per factor; a factor of many values shows some, evenly spaced."""
    with write_whole(Path(path)) as beside:
        beside.write_bytes(sheet_png(dataset))


def sheet_png(dataset: Dataset) -> bytes:
    """The same as bytes."""
    file = BytesIO()
    draw_sheet(dataset).quantize(256).save(file, format="PNG", optimize=True)
    return file.getvalue()


def plot_sheet(dataset: Dataset) -> "Figure":
    """The same as a matplotlib figure."""
    from matplotlib.figure import Figure  # takes a while to load, and only notebooks need it

    sheet = draw_sheet(dataset)
    figure = Figure(figsize=(sheet.width / 80, sheet.height / 80), layout="constrained")
    axes = figure.add_subplot()
    axes.imshow(np.asarray(sheet))
    axes.set_axis_off()
    return figure


def draw_sheet(dataset: Dataset) -> Image.Image:
    """A row per factor, named."""
    if dataset.image_shape[1:] == (1, 1):
        raise ValueError("a data set of vectors has no pictures to show.")
    _, height, width = dataset.image_shape
    columns = min(COLUMNS, max(factor.size or COLUMNS for factor in dataset.factors))
    size = (LABEL_WIDTH + columns * (width + GAP), len(dataset.factors) * (height + GAP))
    sheet = Image.new("RGB", size, PAPER)
    draw = ImageDraw.Draw(sheet)
    for row, factor in enumerate(dataset.factors):
        top = row * (height + GAP)
        draw.text((GAP, top + height // 2 - 6), factor.name.replace("_", " "), fill=INK)
        for column, image in enumerate(_walk(dataset, row, factor)):
            sheet.paste(_picture(image), (LABEL_WIDTH + column * (width + GAP), top))
    return sheet


def _walk(dataset: Dataset, position: int, factor: Factor) -> Images:
    """Images along one factor."""
    if not dataset.is_grid:
        return _gather(dataset, position)
    shown = np.linspace(0, factor.size - 1, min(COLUMNS, factor.size)).round().astype(np.int64)
    values = np.tile([_choose_rest(i, f) for i, f in enumerate(dataset.factors)], (len(shown), 1))
    values[:, position] = shown
    return dataset.images(dataset.index_of(values))


def _gather(dataset: Dataset, position: int) -> Images:
    """Images of a set that is not a grid: the first of some values of one factor, evenly spaced.

    The other factors are what they happen to be.
    """
    column = dataset.factors_at(np.arange(len(dataset)))[:, position]
    _, first = np.unique(column, return_index=True)
    shown = np.linspace(0, len(first) - 1, min(COLUMNS, len(first))).round().astype(np.int64)
    images = dataset.images(first[shown])
    return images if dataset.itemsize == 1 else np.rint(255 * images).astype(np.uint8)


def _choose_rest(position: int, factor: Factor) -> int:
    """The value of a factor in the rows of others; circular ones differ, so that hues do."""
    resting = {"circular": 3 * position % factor.size, "nominal": factor.size - 1}
    return resting.get(factor.kind, factor.size // 2)


def _picture(image: Images) -> Image.Image:
    return Image.fromarray(np.broadcast_to(image, (3, *image.shape[1:])).transpose(1, 2, 0).copy())
