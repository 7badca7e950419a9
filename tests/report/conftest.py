"""Small frames of rows, with every column filled."""

from itertools import count

import pandas as pd
import pytest

from gordium.report.frame import COLUMNS


@pytest.fixture
def tidy():
    """tidy(values, metric=..., ...): one run a value, seeds 0, 1, ...; lists vary by run."""
    numbers = count()

    def make(values, **columns):
        values = list(values)
        frame = pd.DataFrame({"value": values}, dtype=float)
        defaults = {
            "dataset": "shapes3d",
            "variant": "original",
            "method": "beta-vae",
            "strength": float("nan"),
            "seed": range(len(values)),
            "metric": "mig",
            "active_units": 6.0,
            "over_pruned": False,
            "failed": False,
            "run": [f"run{next(numbers):05d}" for _ in values],
            "version": "0.1.0",
        }
        return frame.assign(**{**defaults, **columns})[list(COLUMNS)]

    return make
