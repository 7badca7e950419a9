"""From a run, or a model, and a data set to scores, in one call."""

from typing import Any

from gordium.datasets import Dataset
from gordium.evaluation.representation import N_IMAGES, encode
from gordium.lookup import answer_wrong_calls
from gordium.metrics import Asked, check_names, score


@answer_wrong_calls
def evaluate(
    encoder: Any,
    dataset: Dataset,
    *,
    metrics: Asked = "mig",
    n: int | None = N_IMAGES,
    seed: int = 0,
    device: str | None = None,
) -> dict[str, float]:
    """Encode `n` images, each at most once, and score them: `gordium evaluate`, to the bit.

    `encoder` is a run, a model, or whatever else `encode` takes. This returns what `score` does
    and writes nothing; `metrics` may be "all". `device` is where networks compute, as in `encode`.
    """
    check_names(metrics)
    representation = encode(encoder, dataset, n=n, seed=seed, device=device)
    return score(**representation._asdict(), metrics=metrics, seed=seed)
