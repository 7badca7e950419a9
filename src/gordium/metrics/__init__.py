"""Metrics: pure functions of arrays. A new one is a file and a name in one of the families.

Supervised ones take (codes, factors), unsupervised ones codes alone; one needs log-variances too,
and `udr` compares several representations, so it stands apart.
"""

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gordium.lookup import pick
from gordium.metrics.beta_vae_score import beta_vae_score
from gordium.metrics.code_mutual_information import code_mutual_information
from gordium.metrics.dci import dci
from gordium.metrics.disentanglement_score import disentanglement_score
from gordium.metrics.downstream import downstream
from gordium.metrics.explicitness import explicitness
from gordium.metrics.factor_vae_score import factor_vae_score
from gordium.metrics.gaussian_total_correlation import gaussian_total_correlation
from gordium.metrics.infomec import infomec
from gordium.metrics.irs import irs
from gordium.metrics.mcc import mcc
from gordium.metrics.mig import mig
from gordium.metrics.mig_aggregate_posterior import mig_aggregate_posterior
from gordium.metrics.mig_equal_frequency import mig_equal_frequency
from gordium.metrics.modularity import modularity
from gordium.metrics.sap import sap
from gordium.metrics.udr import udr
from gordium.metrics.wasserstein_correlation import wasserstein_correlation

Metric = Callable[..., Any]


def _by_name(*metrics: Metric) -> dict[str, Metric]:
    return {metric.__name__: metric for metric in metrics}


SUPERVISED = _by_name(
    mig,
    mig_equal_frequency,
    dci,
    sap,
    modularity,
    explicitness,
    beta_vae_score,
    factor_vae_score,
    irs,
    disentanglement_score,
    mcc,
    infomec,
    downstream,
)
UNSUPERVISED = _by_name(
    gaussian_total_correlation, wasserstein_correlation, code_mutual_information
)
OF_POSTERIORS = _by_name(mig_aggregate_posterior)
METRICS = {**SUPERVISED, **UNSUPERVISED, **OF_POSTERIORS}


def list_metrics() -> list[str]:
    """The names of all metrics."""
    return list(METRICS)


def estimator(name: str) -> dict[str, Any]:
    """What a score of this name was computed by: the function and its default parameters."""
    metric = pick("metric", name, METRICS)
    defaults = {p.name: p.default for p in signature(metric).parameters.values()}
    plain = {
        key: value
        for key, value in defaults.items()
        if isinstance(value, bool | int | float | str) and key != "seed"
    }
    return {"function": f"gordium.metrics.{name}", "parameters": plain}


def score(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    metrics: Iterable[str] = ("mig",),
    seed: int = 0,
    log_variances: ArrayLike | None = None,
) -> dict[str, float]:
    """Several metrics of one representation, by name; further numbers of one as `name.part`."""
    scores: dict[str, float] = {}
    for name, metric in [(name, pick("metric", name, METRICS)) for name in metrics]:
        if name in UNSUPERVISED:
            value = metric(codes, seed=seed)
        elif name in SUPERVISED:
            value = metric(codes, factors, seed=seed)
        elif log_variances is None:
            raise ValueError(f"{name} needs log_variances, those of the posteriors of codes.")
        else:
            value = metric(codes, factors, seed=seed, log_variances=log_variances)
        scores.update(_parts(name, value))
    return scores


def _parts(name: str, value: Any) -> dict[str, float]:
    if not isinstance(value, tuple):
        return {name: value}
    parts = value._asdict()  # type: ignore[attr-defined]
    headline, *rest = (part for part, number in parts.items() if np.isscalar(number))
    return {name: parts[headline], **{f"{name}.{part}": parts[part] for part in rest}}


__all__ = [
    "METRICS",
    "OF_POSTERIORS",
    "SUPERVISED",
    "UNSUPERVISED",
    "beta_vae_score",
    "code_mutual_information",
    "dci",
    "disentanglement_score",
    "downstream",
    "estimator",
    "explicitness",
    "factor_vae_score",
    "gaussian_total_correlation",
    "infomec",
    "irs",
    "list_metrics",
    "mcc",
    "mig",
    "mig_aggregate_posterior",
    "mig_equal_frequency",
    "modularity",
    "sap",
    "score",
    "udr",
    "wasserstein_correlation",
]
