"""Scores of a file of arrays, whatever software wrote it."""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

from numpy.typing import NDArray

from gordium.arrays import list_arrays, read_array
from gordium.evaluation.scoring import ScoredArrays, score_arrays
from gordium.files import sha256, write_sealed
from gordium.metrics import check_names

_NEEDED, _OPTIONAL = ("codes", "factors"), ("log_variances", "kinds")


@final
class FileScores(ScoredArrays):
    """The scores of a file of arrays."""

    n_samples: int
    n_codes: int
    n_factors: int
    source: dict[str, str]


def evaluate_arrays(
    path: Path, *, metrics: Sequence[str] = ("mig",), seed: int = 0, out: Path | None = None
) -> FileScores:
    """Score the arrays `codes` and `factors` of an .npz file, and write the scores.

    They go to `name.scores.json` beside the file, or to `out`. The arrays `log_variances` and
    `kinds` (one word for each factor) are used if the file has them.
    """
    check_names(metrics)
    arrays = load_arrays(path)
    kinds = arrays.pop("kinds", None)
    document: FileScores = {
        **score_arrays(arrays, metrics, seed, None if kinds is None else kinds.tolist()),
        "n_samples": len(arrays["codes"]),
        "n_codes": arrays["codes"].shape[1],
        "n_factors": arrays["factors"].shape[1],
        "source": {"file": path.name, "sha256": sha256(path)},
    }
    write_sealed(out or path.with_suffix(".scores.json"), document)
    return document


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read the arrays to score, by name, without running anything that the file holds."""
    if path.is_file() and not zipfile.is_zipfile(path):
        raise ValueError(
            f"{path} is not an .npz file, or was cut short; write it again with "
            "numpy.savez(path, codes=..., factors=...)."
        )
    held = list_arrays(path)
    missing = [name for name in _NEEDED if name not in held]
    if missing:
        raise ValueError(
            f"{path} has no array {' and no array '.join(missing)}; it has "
            f"{', '.join(held) or 'none'}. Both codes and factors are needed."
        )
    return {name: _read(path, name) for name in _NEEDED + _OPTIONAL if name in held}


def _read(path: Path, name: str) -> NDArray[Any]:
    array = read_array(path, name)
    if name == "kinds" and (array.ndim != 1 or array.dtype.kind != "U"):
        raise ValueError(
            f"kinds in {path} must be a word for each factor, e.g. numpy.array(['ordered', "
            f"'nominal']); got {array.dtype} {array.shape}."
        )
    if name != "kinds" and array.ndim != 2:
        raise ValueError(
            f"{name} in {path} must be a table with a row for each sample; "
            f"got an array of shape {array.shape}."
        )
    return array
