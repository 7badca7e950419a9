"""Gordium: disentangled representation learning, and the biases behind it.

>>> import gordium as gd
>>> gd.list_methods()[:3]
['ae', 'vae', 'beta-vae']
"""

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gordium._version import __version__

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

# Names are imported when they are first used, so that metrics and reports need not load PyTorch.
# Other names of `__all__` are modules.
_HOMES = {
    "explore": "explorer",
    "list_datasets": "datasets",
    "load_dataset": "datasets",
    "load_manipulation": "manipulation",
    "manipulate": "manipulation",
    "list_methods": "methods",
    "list_metrics": "metrics",
    "score": "metrics",
    "active_units": "geometry",
    "encode": "evaluation",
    "evaluate": "evaluation",
    "over_pruned": "evaluation",
    "register": "plugins",
    "load_run": "training",
    "save_run": "export",
    "train": "training",
}

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


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"gordium.{_HOMES[name]}"), name)
    if name in __all__:
        return import_module(f"gordium.{name}")
    near = get_close_matches(name, __all__, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise AttributeError(f"module 'gordium' has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    return sorted(__all__)
