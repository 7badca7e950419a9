"""A data set's part of a page: images on sheets, factor values, lines, principal components."""

from dataclasses import dataclass

import numpy as np

from gordium.datasets import Dataset
from gordium.explorer.blob import Blob, Content
from gordium.explorer.components import components_at
from gordium.explorer.sheets import sheet
from gordium.explorer.stored import Stored
from gordium.fields import Declaration

POINT_BYTES, KEPT_BYTES = 600_000, 800_000


@dataclass(frozen=True)
class Shown:
    """A data set with the images that the page holds of it."""

    dataset: Dataset
    stored: Stored


def describe_data(about: Shown, blob: Blob) -> Content:
    """JSON for the page; arrays go into the blob."""
    data, stored = about.dataset, about.stored
    kept, points = (data.images(at) for at in (stored.kept, stored.points))
    found = {
        "name": data_name(data.declaration),
        "shape": list(data.image_shape),
        "size": len(data),
        "factors": [{"name": f.name, "size": f.size, "kind": f.kind} for f in data.factors],
        "whole": stored.whole,
        "examples": stored.examples.tolist(),
        "lines": stored.lines,
        "stops": stored.stops,
        "points": blob.put(data.factors_at(stored.points), "f4"),
        "kept": blob.put(data.factors_at(stored.kept), "f4"),
        "components": _components(about, blob),
    }
    if about.dataset.is_vector:
        pair = {"kept_rows": kept, "point_rows": points}
        return found | {k: blob.put(v.reshape(len(v), -1), "f4") for k, v in pair.items()}
    kept_sheet = sheet(kept, most=KEPT_BYTES, largest=128)
    return found | {"kept_sheet": kept_sheet, "point_sheet": sheet(points, most=POINT_BYTES)}


def data_name(declared: Declaration) -> str:
    """The name of a data set, followed by its variants."""
    variants = []
    while "name" not in declared and "base" in declared:
        variants.append(str(declared.get("variant", "changed")))
        declared = declared["base"]
    name = str(declared.get("name", "a data set"))
    return f"{name} ({', '.join(reversed(variants))})" if variants else name


def _components(about: Shown, blob: Blob) -> Content | None:
    """Principal components as whole numbers up to 127; the page gives them length 1 again."""
    examples = about.stored.kept[about.stored.examples]
    found = components_at(about.dataset, examples)
    if found is None:
        return None
    directions = found["directions"]
    largest = np.maximum(np.abs(directions).max(axis=2, keepdims=True), 1e-12)
    return {
        "directions": blob.put(np.rint(127 * directions / largest), "i1"),
        "deviations": blob.put(found["deviations"], "f4"),
    }
