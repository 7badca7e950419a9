"""Reading data sets of PyTorch and of Hugging Face into memory."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.own.from_arrays import FromArrays
from gordium.progress import track


def from_torch(
    dataset: Any,
    factors: Any = None,
    *,
    kinds: Mapping[str, str] | None = None,
    labels: Mapping[str, Sequence[str]] | None = None,
) -> FromArrays:
    """Read a map-style `torch.utils.data.Dataset`, with the factors behind its images.

    Its items are images, or (image, target), images being tensors, arrays or PIL pictures.
    `factors` are the names of the target's columns, or the values themselves as for `FromArrays`.
    Without them the target is one factor, `label`, with the data set's `classes` as its labels.
    """
    if hasattr(dataset, "batch_size") and hasattr(dataset, "dataset"):
        raise TypeError(
            "a DataLoader holds batches: give its data set, from_torch(loader.dataset)."
        )
    if not hasattr(dataset, "__len__") or not hasattr(dataset, "__getitem__"):
        raise TypeError(
            f"a {type(dataset).__name__} has no length or cannot be indexed: give a map-style "
            "torch Dataset, or collect the items of an iterable one in arrays."
        )
    items = [dataset[i] for i in track("reading items", range(len(dataset)))]
    images = stack_images([item[0] if isinstance(item, tuple | list) else item for item in items])
    if factors is None or _are_names(factors):
        names = ["label"] if factors is None else list(factors)
        factors = _read_targets(items, names)
        classes = getattr(dataset, "classes", None)
        if len(names) == 1 and classes and not (labels or {}).get(names[0]):
            kinds = {names[0]: "nominal", **(kinds or {})}
            labels = {**(labels or {}), names[0]: [str(word) for word in classes]}
    return FromArrays(images, factors, kinds=kinds, labels=labels)


def from_hf(
    dataset: Any,
    *,
    image: str = "image",
    factors: Sequence[str] = ("label",),
    kinds: Mapping[str, str] | None = None,
    labels: Mapping[str, Sequence[str]] | None = None,
) -> FromArrays:
    """Read a split of a Hugging Face data set: a column of images and columns of factors.

    Columns of class labels become nominal factors with these labels.
    """
    columns = getattr(dataset, "column_names", None)
    if not isinstance(columns, list):
        raise TypeError(
            f"a {type(dataset).__name__} is not a split of a Hugging Face data set: give one, e.g. "
            "load_dataset(...)['train']."
        )
    for name in (image, *factors):
        if name not in columns:
            raise ValueError(f"there is no column {name!r}; columns are {', '.join(columns)}.")
    words = {name: getattr(dataset.features[name], "names", None) for name in factors}
    known = {name: list(found) for name, found in words.items() if found}
    return FromArrays(
        stack_images(list(dataset[image])),
        {name: np.asarray(list(dataset[name])) for name in factors},
        kinds={**dict.fromkeys(known, "nominal"), **(kinds or {})},
        labels={**known, **(labels or {})},
    )


def stack_images(images: Sequence[Any]) -> NDArray[Any]:
    """Stack tensors, arrays or PIL pictures into one array; they must have one shape."""
    arrays = [np.asarray(image) for image in images]
    shapes = {array.shape for array in arrays}
    if len(shapes) != 1:
        shown = ", ".join(map(str, sorted(shapes)[:3])) or "no image at all"
        raise ValueError(f"images must have one shape; there are {shown}. Resize them first.")
    return np.stack(arrays)


def _are_names(factors: Any) -> bool:
    return isinstance(factors, list | tuple) and all(isinstance(name, str) for name in factors)


def _read_targets(items: Sequence[Any], names: Sequence[str]) -> dict[str, NDArray[Any]]:
    if not all(isinstance(item, tuple | list) and len(item) > 1 for item in items):
        raise ValueError(
            "its items are images without a target; give the values as factors=, an array "
            "(n_images, n_factors) or columns by name."
        )
    targets = [item[1] if len(item) == 2 else item[1:] for item in items]
    if all(isinstance(target, Mapping) for target in targets):
        common = [key for key in targets[0] if all(key in target for target in targets)]
        for name in names:
            if name not in common:
                raise ValueError(
                    f"not every target has {name!r}; give as factors=[...] names that all targets "
                    f"have: {', '.join(map(str, common)) or 'none'}."
                )
        return {name: np.asarray([target[name] for target in targets]) for name in names}
    table = np.stack([np.atleast_1d(np.asarray(target)) for target in targets])
    if table.ndim != 2 or table.shape[1] != len(names):
        raise ValueError(
            f"targets have {table.shape[1:]} values; give as many names as factors=[...], not "
            f"{list(names)}."
        )
    return dict(zip(names, table.T, strict=True))
