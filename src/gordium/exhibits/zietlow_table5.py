"""Table 5 of Zietlow et al. 2021: SAP on original, modified and noisy images."""

from gordium.exhibits import zietlow_tables
from gordium.exhibits.base import Made, Place


def make(place: Place) -> Made:
    return zietlow_tables.table(place, "zietlow2021-table5", "sap", "SAP")
