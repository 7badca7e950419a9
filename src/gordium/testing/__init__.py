"""Check that a metric, method, network or data set, ours or yours, keeps its contract.

No test framework is needed.

>>> from gordium.metrics import Properties, mcc
>>> from gordium.testing import check_metric
>>> check_metric(mcc, Properties(real_factors=True))

>>> from gordium.methods import BetaVAE
>>> from gordium.testing import check_method
>>> check_method(BetaVAE(beta=2))

>>> from gordium.networks import Mlp
>>> from gordium.testing import check_network
>>> check_network(Mlp((8,), (8,)))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gordium.metrics import Properties
from gordium.testing.metric import check_metric

if TYPE_CHECKING:
    from gordium.testing.dataset import check_dataset
    from gordium.testing.method import check_method
    from gordium.testing.network import check_network

__all__ = ["Properties", "check_dataset", "check_method", "check_metric", "check_network"]
_LATER = {"check_dataset": "dataset", "check_method": "method", "check_network": "network"}


def __getattr__(name: str) -> Any:
    if name in _LATER:  # when it is first used, since metrics need no PyTorch
        return getattr(import_module(f"gordium.testing.{_LATER[name]}"), name)
    raise AttributeError(f"module 'gordium.testing' has no attribute {name!r}")
