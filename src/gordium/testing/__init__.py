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

from typing import TYPE_CHECKING

from gordium.lookup import import_when_used
from gordium.metrics import Properties
from gordium.testing.metric import check_metric

if TYPE_CHECKING:
    from gordium.testing.dataset import check_dataset
    from gordium.testing.method import check_method
    from gordium.testing.network import check_network

__all__ = ["Properties", "check_dataset", "check_method", "check_metric", "check_network"]
__getattr__ = import_when_used(
    __name__,
    {"dataset": ["check_dataset"], "method": ["check_method"], "network": ["check_network"]},
)
