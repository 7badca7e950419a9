"""Encode once, score everything: codes, their log-variances and the factors behind them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.datasets import Dataset, check_is_dataset
from gordium.evaluation.encoders import as_encoder
from gordium.factors import list_scored
from gordium.geometry.activity import ACTIVE_BELOW, active_units
from gordium.lookup import answer_wrong_calls
from gordium.progress import progress

Floats = NDArray[Any]  # float32, unless a user's encoder gives doubles

N_IMAGES = 10_000  # how many are encoded unless told otherwise


class Representation(NamedTuple):
    """The result of one encode pass; rows are images.

    `log_variances` is None for an encoder without noise. `kinds` are the kinds of the columns of
    `factors`, as `score` takes them.
    """

    codes: Floats
    log_variances: Floats | None
    factors: NDArray[Any]
    kinds: tuple[str, ...] | None = None

    def require_log_variances(self) -> Floats:
        """The log-variances, or a ValueError if the encoder gave none."""
        if self.log_variances is None:
            raise ValueError(
                "this encoder gives codes alone; let it give a pair of codes and log-variances."
            )
        return self.log_variances


def choose_rows(size: int, *, n: int | None = N_IMAGES, seed: int = 0) -> NDArray[np.int64]:
    """Draw `n` of the numbers 0 to `size` - 1 without repeats, in random order; None draws all.

    Metrics hold out the last rows to test a predictor. So no row may come twice, and the order
    must be random: in grid order the last rows have factor values that the first ones lack.
    """
    if n is not None and (not isinstance(n, int | np.integer) or n < 1):
        raise ValueError(f"n must be at least 1, or None for the whole data set; got {n!r}.")
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"seed must be a whole number from 0 on; got {seed!r}.")
    chance = np.random.default_rng(seed)
    if n is None or n >= size:
        return chance.permutation(size)
    return chance.choice(size, size=n, replace=False)


@answer_wrong_calls
def encode(
    encoder: Any,
    dataset: Dataset,
    *,
    n: int | None = N_IMAGES,
    seed: int = 0,
    batch_size: int = 256,
    device: str | None = None,
) -> Representation:
    """Encode the images that `choose_rows` draws; return codes, log-variances and factors.

    `encoder` is a run, a model, a `torch.nn.Module`, a scikit-learn transformer or any function
    of images (see `as_encoder`); where it gives codes alone, `log_variances` is None. A network
    computes on its own device or on `device`: "auto", "cpu", "cuda", "mps".
    """
    check_is_dataset(dataset)
    if not isinstance(batch_size, int) or batch_size < 1:
        raise ValueError(f"batch_size must be a whole number from 1 on; got {batch_size!r}.")
    encode_batch = as_encoder(encoder, device=device)
    indices = choose_rows(len(dataset), n=n, seed=seed)
    codes, log_variances = [], []
    with progress("encoding", len(indices)) as advance:
        for start in range(0, len(indices), batch_size):
            images = dataset.images(indices[start : start + batch_size])
            found = encode_batch(images)
            codes.append(found[0])
            log_variances.append(found[1])
            advance(len(images))
    known = [part for part in log_variances if part is not None]
    factors = dataset.factors_at(indices)[:, list_scored(dataset.factors)]
    kinds = tuple(factor.kind for factor in dataset.scored_factors)
    noise = np.concatenate(known) if known else None
    return Representation(np.concatenate(codes), noise, factors, kinds)


@answer_wrong_calls
def over_pruned(representation: Representation, *, threshold: float = ACTIVE_BELOW) -> bool:
    """Whether fewer units are active than there are factors (Zietlow et al. 2021, 5.3)."""
    if not isinstance(representation, Representation):
        raise TypeError(
            f"give a representation, as gordium.encode does; got {type(representation).__name__}."
        )
    n_active = int(active_units(representation.require_log_variances(), threshold=threshold).sum())
    return n_active < representation.factors.shape[1]
