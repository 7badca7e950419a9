"""Gordium: disentangled representation learning, and the biases behind it.

>>> import gordium as gd
>>> gd.list_methods()[:3]
['ae', 'vae', 'beta-vae']
"""

from typing import TYPE_CHECKING

from gordium._version import __version__
from gordium.lookup import import_when_used

if TYPE_CHECKING:
    from gordium import (
        datasets,
        geometry,
        manipulation,
        methods,
        metrics,
        networks,
        priors,
        testing,
        theory,
        training,
        zoo,
    )
    from gordium.datasets import list_datasets, load_dataset
    from gordium.evaluation import encode, evaluate, over_pruned
    from gordium.explorer import explore
    from gordium.export import save_run
    from gordium.geometry import active_units
    from gordium.manipulation import load_manipulation, manipulate
    from gordium.methods import list_methods
    from gordium.metrics import list_metrics, score
    from gordium.plugins import register
    from gordium.training import load_run, train

__all__ = [
    "__version__",
    "active_units",
    "datasets",
    "encode",
    "evaluate",
    "explore",
    "geometry",
    "list_datasets",
    "list_methods",
    "list_metrics",
    "load_dataset",
    "load_manipulation",
    "load_run",
    "manipulate",
    "manipulation",
    "methods",
    "metrics",
    "networks",
    "over_pruned",
    "priors",
    "register",
    "save_run",
    "score",
    "testing",
    "theory",
    "train",
    "training",
    "zoo",
]

# So metrics and reports need not load PyTorch.
__getattr__ = import_when_used(
    __name__,
    {
        "datasets": ["list_datasets", "load_dataset"],
        "evaluation": ["encode", "evaluate", "over_pruned"],
        "explorer": ["explore"],
        "export": ["save_run"],
        "geometry": ["active_units"],
        "manipulation": ["load_manipulation", "manipulate"],
        "methods": ["list_methods"],
        "metrics": ["list_metrics", "score"],
        "plugins": ["register"],
        "training": ["load_run", "train"],
    },
    [
        *("datasets", "geometry", "manipulation", "methods", "metrics", "networks", "priors"),
        *("testing", "theory", "training", "zoo"),
    ],
)


def __dir__() -> list[str]:
    return sorted(__all__)
