"""Metrics: pure functions of arrays. A new one is a file and an entry in the list at the end.

Most take (codes, factors), some take codes alone, and one takes log_variances too; each is called
with the arrays that its parameters name. `udr` compares several representations, so it is not in
the list.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from gordium.lookup import answer_at_the_border, pick
from gordium.metrics._arrays import as_array
from gordium.metrics._checks import check_shapes
from gordium.metrics._choice import ALL as ALL
from gordium.metrics._choice import Asked as Asked
from gordium.metrics._choice import choose
from gordium.metrics._choice import name_of as name_of
from gordium.metrics._kinds import Kinds as Kinds
from gordium.metrics._kinds import real_factors as real_factors
from gordium.metrics._kinds import state_kinds
from gordium.metrics._properties import Properties
from gordium.metrics._rows import RowsWarning
from gordium.metrics._scores import Metric, Scores, describe, obstacle, parts, takes, value_of
from gordium.metrics._shared_work import share_work
from gordium.metrics.beta_vae_score import beta_vae_score
from gordium.metrics.code_mutual_information import code_mutual_information
from gordium.metrics.dci import dci
from gordium.metrics.disentanglement_score import disentanglement_score
from gordium.metrics.downstream import downstream
from gordium.metrics.downstream_logistic import downstream_logistic
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

__all__ = [
    "Properties",
    "RowsWarning",
    "Scores",
    "beta_vae_score",
    "code_mutual_information",
    "dci",
    "disentanglement_score",
    "downstream",
    "downstream_logistic",
    "estimator",
    "explain_left_out",
    "explicitness",
    "factor_vae_score",
    "gaussian_total_correlation",
    "infomec",
    "irs",
    "list_allowed",
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


def list_metrics() -> list[str]:
    """The names of all metrics."""
    return list(METRICS)


def estimator(
    name: str, n_samples: int | None = None, real: Sequence[int] = ()
) -> dict[str, object]:
    """How a score of this name is computed: the function, its defaults, samples, version.

    `real` are the columns of factors that are real numbers, as `real_factors` finds them.
    """
    return describe(pick("metric", name, METRICS), PROPERTIES[name], n_samples, real)


def explain_left_out(
    codes: ArrayLike, factors: ArrayLike, *, log_variances: ArrayLike | None = None
) -> dict[str, str]:
    """The metrics that "all" leaves out for such arrays, each with the reason."""
    arrays = {"codes": codes, "factors": factors, "log_variances": log_variances}
    check_shapes(np.asarray(codes), np.asarray(factors))
    found = {name: obstacle(METRICS[name], PROPERTIES[name], arrays) for name in METRICS}
    return {name: reason for name, reason in found.items() if reason}


def check_names(metrics: Asked) -> None:
    """Refuse unknown metrics before any work is done."""
    choose(metrics, METRICS, list)


def list_allowed(
    codes: ArrayLike, factors: ArrayLike, *, log_variances: ArrayLike | None = None
) -> list[str]:
    """The metrics that such arrays allow and that are quick: what "all" stands for."""
    skipped = explain_left_out(codes, factors, log_variances=log_variances)
    return [name for name in METRICS if name not in skipped]


def score(  # noqa: PLR0913 - all by keyword
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    metrics: Asked = "mig",
    seed: int = 0,
    log_variances: ArrayLike | None = None,
    kinds: Kinds | None = None,
    report: Callable[[int, int, str], None] | None = None,
) -> dict[str, float]:
    """Metrics of one representation by name; further numbers of a metric are `name.part`.

    `metrics` are names, functions of your own, or "all": every quick one that the arrays allow.
    What they share (checks, bins, information, held-out rows) is computed once; the numbers are
    those that the metrics give one by one. A factor is real if it holds a value that is not
    whole, or if `kinds` say so: {column: "continuous"}, or one kind for each. `report` is called
    before each metric, and at the end, with how many are done, of how many, and the next name.
    """
    stated = state_kinds(factors, kinds)
    given = {"codes": codes, "factors": factors, "log_variances": log_variances}
    arrays = {name: as_array(array, name) for name, array in given.items() if array is not None}
    chosen = choose(metrics, METRICS, lambda: list_allowed(**arrays))
    for name, metric in chosen.items() if log_variances is None else ():
        if "log_variances" in takes(metric):
            raise ValueError(f"{name} needs log_variances, those of the posteriors of codes.")
    tell = report or (lambda done, total, name: None)
    scores = Scores()
    with share_work():
        for done, (name, metric) in enumerate(chosen.items()):
            tell(done, len(chosen), name)
            scores.update(parts(name, value_of(metric, arrays, seed, stated)))
    tell(len(chosen), len(chosen), "")
    return scores


answer_at_the_border(globals())  # it wraps the metrics, so it comes before the list of them

NEIGHBOURS = "mutual information by 3 nearest neighbours"
BINS = "20 bins of equally many rows"
TREES = "boosted trees that regress, R^2"
_LISTED: dict[Metric, Properties] = {
    mig: Properties(perfect=0.896, min_codes=2, real_factors=NEIGHBOURS),
    mig_equal_frequency: Properties(perfect=0.896, min_codes=2, real_factors=BINS),
    dci: Properties(ignores_within=0.005, min_factors=2, held_out=3, real_factors=TREES),
    sap: Properties(
        perfect=0.244,
        ignores_scale=False,
        min_codes=2,
        held_out=3,
        real_factors="squared correlation",
    ),
    modularity: Properties(min_factors=2, real_factors=NEIGHBOURS),
    explicitness: Properties(
        perfect=0.985,
        ignores_within=1e-4,
        held_out=3,
        real_factors="pairs in the order of linear regression",
    ),
    beta_vae_score: Properties(
        ignores_scale=False,
        ignores_within=1e-3,
        min_factors=2,
        held_out=3,
        real_factors=BINS,
    ),
    factor_vae_score: Properties(ignores_scale=False, held_out=3, real_factors=BINS),
    irs: Properties(least=-1, perfect=0.986, ignores_scale=False, real_factors="equal-width bins"),
    disentanglement_score: Properties(
        greatest=np.inf,
        perfect=1.05,
        min_codes=2,
        held_out=5,
        real_factors="nearest neighbours that regress",
    ),
    mcc: Properties(real_factors="as they are"),
    infomec: Properties(
        perfect=0.977,
        ignores_scale=False,
        min_factors=2,
        held_out=3,
        real_factors=f"{NEIGHBOURS}; linear regression, R^2",
    ),
    downstream: Properties(ignores_within=0.02, held_out=3, real_factors=TREES),
    downstream_logistic: Properties(
        perfect=None,
        ignores_scale=False,
        ignores_within=0.02,
        held_out=3,
        named_only=True,
        real_factors="ridge regression, R^2",
    ),
    gaussian_total_correlation: Properties(greatest=np.inf, perfect=0),
    wasserstein_correlation: Properties(greatest=np.inf, perfect=0, ignores_scale=False),
    code_mutual_information: Properties(
        greatest=np.log(20), perfect=0.0075, perfect_within=1e-3, min_codes=2
    ),
    mig_aggregate_posterior: Properties(
        perfect=0.985, ignores_within=0.03, min_codes=2, real_factors=BINS
    ),
}
METRICS = {metric.__name__: metric for metric in _LISTED}
PROPERTIES = {metric.__name__: properties for metric, properties in _LISTED.items()}
SUPERVISED, UNSUPERVISED, OF_POSTERIORS = (
    {name: metric for name, metric in METRICS.items() if len(takes(metric)) == n} for n in (2, 1, 3)
)
