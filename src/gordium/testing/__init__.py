"""Conformance: does a metric or a method, ours or yours, keep what it declares?

No test framework is needed.

>>> from gordium.metrics import Properties, mcc
>>> from gordium.testing import check_metric
>>> check_metric(mcc, Properties(real_factors=True))

>>> from gordium.methods import BetaVAE
>>> from gordium.testing import check_method
>>> check_method(BetaVAE(beta=2))
"""

from typing import TYPE_CHECKING, Any

from gordium.metrics import Properties
from gordium.testing.metric import check_metric

if TYPE_CHECKING:
    from gordium.testing.method import check_method

__all__ = ["Properties", "check_method", "check_metric"]


def __getattr__(name: str) -> Any:
    if name == "check_method":  # when it is first used, since metrics need no PyTorch
        from gordium.testing.method import check_method

        return check_method
    raise AttributeError(f"module 'gordium.testing' has no attribute {name!r}")
