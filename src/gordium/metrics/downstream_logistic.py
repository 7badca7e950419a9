"""`downstream` with the linear one of the large study's two predictors (Locatello et al. 2019)."""

from collections.abc import Sequence

from numpy.typing import ArrayLike

from gordium.metrics._kinds import Kinds
from gordium.metrics.downstream import Downstream, downstream


def downstream_logistic(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    sizes: Sequence[int] = (10, 100, 1000, 10000),
    kinds: Kinds | None = None,
) -> Downstream:
    """How well logistic regression predicts factors from all codes, after few or many samples.

    It is `downstream(model="logistic_regression")` under a name of its own, so that a study can
    ask for it: ten penalties, the best of them chosen by five-fold cross-validation. Of a real
    factor it is ridge regression, and R^2, at least 0, is the accuracy.
    """
    return downstream(
        codes,
        factors,
        seed=seed,
        test=test,
        model="logistic_regression",
        sizes=sizes,
        kinds=kinds,
    )
