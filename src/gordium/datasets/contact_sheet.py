"""A picture of a data set: in each row one factor varies and the others stay as they are."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw

from gordium.datasets.base import Dataset, Images
from gordium.factors import Factor
from gordium.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 10
GAP = 2
LABEL_WIDTH = 84
INK, PAPER = (30, 30, 30), (255, 255, 255)


def contact_sheet(dataset: Dataset, path: str | Path) -> None:
    """Write a PNG with a row per factor; of many values, evenly spaced ones are shown."""
    write_bytes(Path(path), sheet_png(dataset))


def sheet_png(dataset: Dataset) -> bytes:
    """The contact sheet as the bytes of a PNG file."""
    file = BytesIO()
    draw_sheet(dataset).quantize(256).save(file, format="PNG", optimize=True)
    return file.getvalue()


def plot_sheet(dataset: Dataset) -> "Figure":
    """The contact sheet as a matplotlib figure."""
    from matplotlib.figure import Figure  # takes a while to load, and only notebooks need it

    sheet = draw_sheet(dataset)
    figure = Figure(figsize=(sheet.width / 80, sheet.height / 80), layout="constrained")
    axes = figure.add_subplot()
    axes.imshow(np.asarray(sheet))
    axes.set_axis_off()
    return figure


def draw_sheet(dataset: Dataset) -> Image.Image:
    """The contact sheet as a picture, with the factors' names on the left."""
    if dataset.is_vector:
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
    """Images along one factor, of whose values evenly spaced ones are shown.

    On a grid the others rest; elsewhere each is the first image with its value.
    """
    if dataset.is_grid:
        rest = [_choose_rest(i, f) for i, f in enumerate(dataset.factors)]
        values = np.tile(rest, (factor.size, 1))
        values[:, position] = np.arange(factor.size)
        along = dataset.index_of(values)
    else:
        column = dataset.factors_at(np.arange(len(dataset)))[:, position]
        _, along = np.unique(column, return_index=True)
    shown = np.linspace(0, len(along) - 1, min(COLUMNS, len(along))).round().astype(np.int64)
    return dataset.images(along[shown])


def _choose_rest(position: int, factor: Factor) -> int:
    """The value at which a factor rests; circular ones rest apart, so that hues differ."""
    resting = {"circular": 3 * position % factor.size, "nominal": factor.size - 1}
    return resting.get(factor.kind, factor.size // 2)


def _picture(image: Images) -> Image.Image:
    """One or three channels are shown as they are; of other numbers the mean is shown, in grey."""
    if len(image) not in (1, 3):
        image = image.mean(axis=0, keepdims=True, dtype=np.float32).astype(image.dtype)
    if image.dtype != np.uint8:
        image = np.rint(255 * image).astype(np.uint8)
    return Image.fromarray(np.broadcast_to(image, (3, *image.shape[1:])).transpose(1, 2, 0).copy())
