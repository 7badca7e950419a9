"""Table 4 of Zietlow et al. 2021: FactorVAE score on original, modified and noisy images."""

from gordium.exhibits import zietlow_tables
from gordium.exhibits.base import Made, Place


def make(place: Place) -> Made:
    return zietlow_tables.table(place, "zietlow2021-table4", "factor_vae_score", "FactorVAE score")
