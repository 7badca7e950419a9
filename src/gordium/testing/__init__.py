"""Conformance: does a metric, ours or yours, keep what it declares? No test framework is needed.

>>> from gordium.metrics import Properties, mcc
>>> from gordium.testing import check_metric
>>> check_metric(mcc, Properties(real_factors=True))
"""

from gordium.metrics import Properties
from gordium.testing.metric import check_metric

__all__ = ["Properties", "check_metric"]
