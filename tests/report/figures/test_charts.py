"""Figures are pictures, of one group and of many, with gaps."""

import numpy as np
import pandas as pd
import pytest

from gordium.report.figures import charts, sweeps

NAN = float("nan")
RNG = np.random.default_rng(0)
X = np.array([1.0, 2.0, 4.0])


def points(**columns):
    return pd.DataFrame({"strength": X, **columns})


PICTURES = {
    "heatmap": lambda: charts.heatmap(
        [[1, -0.8, 0.1], [-0.8, 1, NAN], [0.1, NAN, 1]],
        ["MIG", "DCI", "SAP"],
        ["MIG", "DCI", "SAP"],
    ),
    "shares": lambda: charts.heatmap(
        [[0.01, 0.36], [0.3, 0.89]], ["Cars3D", "dSprites"], ["MIG", "DCI"], percent=True
    ),
    "chances": lambda: charts.chances(
        {"same metric, same data set": 0.8, "other metric, other data set": 0.52, "none": NAN},
        published={"same metric, same data set": 0.807, "other metric, other data set": 0.549},
    ),
    "scatter": lambda: charts.scatter(
        {"a": RNG.normal(size=(2, 40)), "b": RNG.normal(1, 1, size=(2, 40))},
        x_label="FactorVAE score",
        y_label="efficiency",
    ),
    "tradeoff": lambda: sweeps.tradeoff_curves(
        {
            "beta-vae": points(x=-20 * X, y=0.1 * X, x_error=X, y_error=0.02 * X),
            "isa-vae": points(x=-18 * X, y=0.13 * X, x_error=X, y_error=[0.02, NAN, 0.03]),
        },
        x_label="reconstruction",
        y_label="MIG",
    ),
    "line search": lambda: sweeps.line_searches(
        {
            name: {
                "original": points(
                    mean=[0.6, 0.5, NAN],
                    low=[0.5, 0.4, NAN],
                    high=[0.7, 0.6, NAN],
                    n=[10, 7, 0],
                    n_discarded=[0, 3, 10],
                ),
                "modified": points(
                    mean=[0.1, 0.2, 0.3],
                    low=[0.1, 0.1, 0.2],
                    high=[0.2, 0.3, 0.4],
                    n=[10, 10, 8],
                    n_discarded=[0, 0, 2],
                ),
            }
            for name in ("beta-vae", "beta-tcvae")
        },
        along="strength",
        label="MIG",
        x_label="strength",
    ),
    "distributions": lambda: sweeps.distributions(
        {
            metric: {m: RNG.uniform(size=30) for m in ("beta-vae", "factor-vae", "dip-vae-i")}
            for metric in ("MIG", "DCI", "SAP", "IRS")
        },
        label="score",
        published={"beta-vae": 0.5},
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_figures_are_pictures(name):
    assert PICTURES[name]().startswith(b"\x89PNG")
