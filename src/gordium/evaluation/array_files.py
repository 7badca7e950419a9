"""Scores of a file of arrays, whatever software wrote it."""

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.evaluation.scoring import scored
from gordium.files import sha256, write_json
from gordium.metrics import check_names

_UNPACKED, _PACKED = 2**28, 50  # bytes that any file may unpack to, and times its size
_NEEDED, _OPTIONAL = ("codes", "factors"), ("log_variances", "kinds")


def evaluate_arrays(
    path: Path, *, metrics: Sequence[str] = ("mig",), seed: int = 0, out: Path | None = None
) -> dict[str, Any]:
    """Score the arrays `codes` and `factors` of an .npz file, and write what was found.

    It goes beside the file as `name.scores.json`, unless `out` says where. `log_variances`, and
    the `kinds` of factors as words, are used where the file has them.
    """
    check_names(metrics)
    arrays = load_arrays(path)
    kinds = arrays.pop("kinds", None)
    document = {
        **scored(arrays, metrics, seed, None if kinds is None else kinds.tolist()),
        "n_samples": len(arrays["codes"]),
        "n_codes": arrays["codes"].shape[1],
        "n_factors": arrays["factors"].shape[1],
        "source": {"file": path.name, "sha256": sha256(path)},
    }
    write_json(out or path.with_suffix(".scores.json"), document)
    return document


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays to score, by name; nothing in the file is run."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}.")
    if not zipfile.is_zipfile(path):
        raise ValueError(
            f"{path} is not an .npz file, or was cut short; write it again with "
            "numpy.savez(path, codes=..., factors=...)."
        )
    with np.load(path, allow_pickle=False) as file:
        missing = [name for name in _NEEDED if name not in file.files]
        if missing:
            raise ValueError(
                f"{path} has no array {' and no array '.join(missing)}; it has "
                f"{', '.join(file.files) or 'none'}. Both codes and factors are needed."
            )
        _check_size(path)
        return {n: _read(path, file, n) for n in _NEEDED + _OPTIONAL if n in file.files}


def _check_size(path: Path) -> None:
    """A small file may unpack to more than there is room for; codes and labels do not."""
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
    if unpacked > max(_UNPACKED, _PACKED * path.stat().st_size):
        raise ValueError(
            f"{path} would unpack to {unpacked / 1e9:.1f} GB, {unpacked // path.stat().st_size} "
            "times its size; no codes do. Write it again with numpy.savez."
        )


def _read(path: Path, file: Any, name: str) -> NDArray[Any]:
    try:
        array: NDArray[Any] = file[name]
    except (ValueError, EOFError, OSError, zipfile.BadZipFile, zlib.error) as error:
        if "allow_pickle" in str(error):
            raise ValueError(
                f"{name} in {path} holds Python objects, which are not loaded because that can "
                "run code; convert it to an array of numbers and write it again."
            ) from error
        raise ValueError(f"{name} in {path} is damaged: {error}. Write it again.") from error
    if not isinstance(array, np.ndarray):  # the bytes of something else
        raise ValueError(f"{name} in {path} is damaged: it is no array. Write it again.")
    if name == "kinds":
        return _words(path, array)
    if array.ndim != 2:
        raise ValueError(
            f"{name} in {path} must have a row for each sample and a column for each of {name}; "
            f"got shape {array.shape}."
        )
    return array


def _words(path: Path, array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim != 1 or array.dtype.kind != "U":
        raise ValueError(
            f"kinds in {path} must be a word for each factor, e.g. numpy.array(['ordered', "
            f"'nominal']); got {array.dtype} {array.shape}."
        )
    return array
