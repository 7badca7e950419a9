"""Anything but a data set is refused, with the call that makes a data set of it."""

from os import PathLike
from pathlib import Path
from typing import Any

from gordium.datasets.base import Dataset

WANTED = "a data set, e.g. gordium.load_dataset('shapes3d') or gordium.datasets.FromArrays(...)"

# What to do, by the module of the argument's class; the first entry that fits is used.
_REMEDIES = {
    "torch.utils.data.dataloader": "Give its data set: gordium.datasets.from_torch("
    "loader.dataset, factors=...).",
    "torch.utils.data": "Wrap it: gordium.datasets.from_torch(dataset, factors=...).",
    "datasets.": "Wrap it: gordium.datasets.from_hf(dataset, image=..., factors=[...]).",
    "pandas.": "Give images with it: gordium.datasets.FromArrays(images, factors=frame).",
    "numpy.": "Give the factors with it: gordium.datasets.FromArrays(images, factors).",
    "torch.": "Give the factors with it: gordium.datasets.FromArrays(images, factors).",
}


def check_is_dataset(data: Any) -> Dataset:
    """Raise TypeError for anything but a `Dataset`, with the call that makes one of it."""
    if isinstance(data, Dataset):
        return data
    what, remedy = _explain(data)
    raise TypeError(f"{what} is not a data set. {remedy}")


def _explain(data: Any) -> tuple[str, str]:
    """Say what was given instead of a data set, and how to make a data set of it."""
    if isinstance(data, type):
        return f"the class {data.__name__}", f"Give an instance of it: {data.__name__}(...)."
    if isinstance(data, str) and not Path(data).exists() and not Path(data).suffix:
        return repr(data), f"Load it first: gordium.load_dataset({data!r})."
    if isinstance(data, str | PathLike):
        return repr(str(data)), f"Open it first: gordium.datasets.open_path({str(data)!r})."
    known = (remedy for module, remedy in _REMEDIES.items() if _is_from(data, module))
    return f"a {type(data).__name__}", next(known, f"Give {WANTED}.")


def _is_from(data: Any, module: str) -> bool:
    """Whether the data's class or a parent of it is from `module`, which is not imported here."""
    return any(f"{kind.__module__}.".startswith(module) for kind in type(data).__mro__)
