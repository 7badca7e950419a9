"""A trained run's codes and scores, stored in its folder, and numbers at the end of training."""

import io
from pathlib import Path
from typing import cast, final

import numpy as np

from gordium.arrays import Floats, list_arrays, read_arrays
from gordium.datasets import Dataset
from gordium.evaluation.representation import N_IMAGES, Representation, encode, over_pruned
from gordium.evaluation.scoring import ScoredArrays, score_arrays
from gordium.fields import Declaration
from gordium.files import read_sealed, write_bytes, write_sealed
from gordium.geometry.activity import active_units
from gordium.history import read_history
from gordium.metrics import check_names, gaussian_total_correlation
from gordium.training import Run
from gordium.training.machine import PYTORCH

_LAST = 10  # the last tenth of the recorded steps
SCORES, REPRESENTATION = "scores.json", "representation.npz"
_BEFORE = (  # the fields that a file of scores had before files carried a checksum
    *("scores", "left_out", "estimators", "seed", "versions", "kinds"),
    *("active_units", "over_pruned", "n_images", "sampling", "run", "declaration"),
)


@final
class RunScores(ScoredArrays):
    """The scores file of a run; what is said of units is None where no posterior was trained."""

    active_units: int | None
    over_pruned: bool | None
    n_images: int
    sampling: str
    run: str
    declaration: Declaration


def evaluate_run(
    run: Run,
    dataset: Dataset,
    *,
    metrics: tuple[str, ...] = ("mig",),
    n: int | None = N_IMAGES,
    seed: int = 0,
    out: Path | None = None,
) -> RunScores:
    """Encode once, score, and write both into the run's folder, the scores to `out` if given.

    The metric "all" stands for every metric that the representation allows. Without metrics the
    run is encoded and not scored.
    """
    if metrics:
        check_names(metrics)
    representation = encode(run.model, dataset, n=n, seed=seed)
    arrays = representation._asdict()
    kinds = arrays.pop("kinds")
    scored = score_arrays(arrays, metrics, seed, kinds)
    scored["versions"]["kernels"] = run.config.get("machine", {}).get("kernels", PYTORCH)
    stochastic = run.spec.method.stochastic
    document: RunScores = {
        **scored,
        "active_units": _count_active(representation) if stochastic else None,
        "over_pruned": over_pruned(representation) if stochastic else None,
        "n_images": len(representation.codes),
        "sampling": _sampling(len(representation.codes), len(dataset), seed),
        "run": run.spec.key,
        "declaration": run.spec.to_json(),
    }
    if run.folder is not None:
        write_bytes(run.folder / REPRESENTATION, _npz(representation))
    place = run.folder / SCORES if out is None and run.folder is not None else out
    if place is not None:
        write_sealed(place, document)
    return document


def is_scored(folder: Path, metrics: tuple[str, ...] = ()) -> bool:
    """Whether the run in `folder` has been encoded and scored by all `metrics`."""
    if not (folder / SCORES).exists() or not (folder / REPRESENTATION).exists():
        return False
    return set(metrics) <= set(read_scores(folder).get("estimators", ()))


def read_scores(folder: Path) -> RunScores:
    """Read the scores file of the run in `folder`; older files may lack fields."""
    document = read_sealed(folder / SCORES, _BEFORE)
    if not isinstance(document.get("scores"), dict):
        raise ValueError(f"{folder / SCORES} is damaged: it has no scores.")
    return cast(RunScores, document)


def load_representation(folder: Path) -> Representation:
    """Read the representation in a run's folder; older files lack the kinds of factors."""
    path, known = folder / REPRESENTATION, Representation._fields
    held = list_arrays(path)
    if unknown := [name for name in held if name not in known]:
        raise ValueError(f"{path} is damaged: it holds {unknown[0]!r}. Write it again.")
    found = read_arrays(path, known if "kinds" in held else known[:3])
    kinds = found.pop("kinds", None)
    return Representation(**found, kinds=None if kinds is None else tuple(map(str, kinds)))


def _sampling(n: int, n_images: int, seed: int) -> str:
    drawn = "every image once" if n == n_images else f"{n} of {n_images} images, each once"
    return f"{drawn}, shuffled, seed {seed}"


def _count_active(representation: Representation) -> int:
    return int(active_units(representation.require_log_variances()).sum())


def _npz(representation: Representation) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **representation._asdict())
    return buffer.getvalue()


def closing_numbers(folder: Path, *, stochastic: bool = True) -> dict[str, float]:
    """Reconstruction loss, KL, ELBO and total correlation at the end of training.

    `reconstruction` is the mean over the last tenth of the recorded steps; `kl` is that of the
    posteriors of the scored images to the standard normal; `elbo` is minus their sum;
    `total_correlation` is that of a Gaussian fitted to one sample of each posterior. What the
    files or the method (`stochastic`: has posteriors) cannot give is left out.
    """
    found: dict[str, float] = {}
    history = read_history(folder)
    if history and "reconstruction" in history[-1]:
        rows = history[-max(1, len(history) // _LAST) :]
        found["reconstruction"] = float(np.mean([row["reconstruction"] for row in rows]))
    if stochastic and (folder / REPRESENTATION).exists():
        arrays = read_arrays(folder / REPRESENTATION, ("codes", "log_variances"))
        means, log_variances = (array.astype(np.float64) for array in arrays.values())
        found["kl"] = kl_to_standard_normal(means, log_variances)
        if "reconstruction" in found:
            found["elbo"] = -found["reconstruction"] - found["kl"]
        drawn = np.random.default_rng(0).standard_normal(means.shape)
        samples = means + np.exp(log_variances / 2) * drawn
        found["total_correlation"] = gaussian_total_correlation(samples)
    return {name: value for name, value in found.items() if np.isfinite(value)}


def kl_to_standard_normal(means: Floats, log_variances: Floats) -> float:
    """The KL of each posterior in nats, summed over units and averaged over images."""
    each = (means**2 + np.exp(log_variances) - 1 - log_variances) / 2
    return float(each.sum(axis=1).mean())
