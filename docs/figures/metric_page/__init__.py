"""The cases of docs/metrics.md: where each metric misleads, as arrays, scores and a picture."""

from collections.abc import Callable

from metric_page.case import Case
from metric_page.dependence import (
    of_code_mutual_information,
    of_gaussian_total_correlation,
    of_mcc,
    of_udr,
    of_wasserstein_correlation,
)
from metric_page.gaps import (
    of_disentanglement_score,
    of_mig,
    of_mig_aggregate_posterior,
    of_mig_equal_frequency,
    of_sap,
)
from metric_page.interventions import of_beta_vae_score, of_factor_vae_score, of_irs
from metric_page.predictors import (
    of_dci,
    of_downstream,
    of_explicitness,
    of_infomec,
    of_modularity,
)
from metric_page.units import of_active_units, of_over_pruned

CASES: dict[str, Callable[[], Case]] = {
    make.__name__.removeprefix("of_"): make
    for make in (
        of_mig,
        of_mig_equal_frequency,
        of_mig_aggregate_posterior,
        of_dci,
        of_sap,
        of_modularity,
        of_explicitness,
        of_beta_vae_score,
        of_factor_vae_score,
        of_irs,
        of_disentanglement_score,
        of_udr,
        of_gaussian_total_correlation,
        of_wasserstein_correlation,
        of_code_mutual_information,
        of_mcc,
        of_infomec,
        of_downstream,
        of_active_units,
        of_over_pruned,
    )
}
