"""How large the KL term wants a latent unit to be (Zietlow et al. 2021, Lemma 1)."""

import numpy as np
from numpy.typing import ArrayLike


def best_scale(means: ArrayLike, deviations: ArrayLike | None = None) -> float:
    """The factor c > 0 on one latent unit that makes its KL term smallest.

    Lemma 1 minimises sum_i (c^2 x_i^2 - log(c^2 y_i^2)) over c: c = sqrt(n / sum x_i^2), so
    that the means c x_i have mean square 1. (The paper prints sqrt(sum x_i^2).) The deviations
    y do not matter to it; give them to minimise the whole KL term of Eq. 4, which adds
    c^2 y_i^2: then means and noise together have mean square 1.
    """
    x = np.asarray(means, dtype=np.float64)
    y = np.zeros_like(x) if deviations is None else np.asarray(deviations, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(
            f"means and deviations must be vectors of one length; got {x.shape} and {y.shape}."
        )
    square = float(np.mean(x**2 + y**2))
    if square == 0:
        raise ValueError("all means are 0, so that the KL term falls without end as c grows.")
    return square**-0.5
