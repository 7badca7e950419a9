"""What people call metrics, and the order in which methods and variants always stand."""

from collections.abc import Iterable

import pandas as pd

from gordium.method_names import METHOD_NAMES

_METRICS = {
    "mig": "MIG",
    "mig_equal_frequency": "MIG, equal-frequency bins",
    "mig_aggregate_posterior": "MIG of the aggregate posterior",
    "dci": "DCI disentanglement",
    "dci.completeness": "DCI completeness",
    "dci.informativeness": "DCI informativeness",
    "dci.informativeness_train": "DCI informativeness on training rows",
    "sap": "SAP",
    "irs": "IRS",
    "mcc": "MCC",
    "udr": "UDR",
    "kl": "KL divergence, nats",
    "elbo": "ELBO, nats",
    "reconstruction": "reconstruction loss, nats",
    "dto": "distance to orthogonality",
    "beta_vae_score": "BetaVAE score",
    "beta_vae_score.train": "BetaVAE score on training rows",
    "factor_vae_score": "FactorVAE score",
    "factor_vae_score.train": "FactorVAE score on training rows",
    "factor_vae_score.active_codes": "active codes, by the FactorVAE score",
    "infomec": "InfoMEC modularity",
    "gaussian_total_correlation": "Gaussian total correlation, nats",
    "total_correlation": "total correlation, nats",
    "downstream": "downstream accuracy",
    "downstream.efficiency": "downstream efficiency",
    "downstream_logistic": "downstream accuracy, logistic regression",
    "downstream_logistic.efficiency": "downstream efficiency, logistic regression",
    "wasserstein_correlation": "Wasserstein correlation",
}
_VARIANTS = ("original", "noise", "noisy", "modified")


def say_metric(metric: str) -> str:
    """The metric as an axis or a table names it.

    >>> say_metric("dci"), say_metric("active_units")
    ('DCI disentanglement', 'active units')
    """
    return _METRICS.get(metric, metric.replace(".", ", ").replace("_", " "))


def sort_names(names: Iterable[str]) -> list[str]:
    """Different names: known methods and variants in their fixed order, others as they come.

    >>> sort_names(["modified", "mine", "original", "mine"])
    ['original', 'modified', 'mine']
    """
    known = (*METHOD_NAMES, *_VARIANTS)
    return sorted(
        dict.fromkeys(names), key=lambda name: known.index(name) if name in known else len(known)
    )


def sort_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows sorted by data set, variant, method and strength; equal ones stay in their order."""
    places = {
        "dataset": list(dict.fromkeys(frame["dataset"])),
        **{name: sort_names(frame[name]) for name in ("variant", "method")},
    }
    keys = {n: frame[n].map({name: i for i, name in enumerate(o)}) for n, o in places.items()}
    order = pd.DataFrame({**keys, "strength": frame["strength"]})
    return frame.loc[order.sort_values(list(order), kind="stable").index]
