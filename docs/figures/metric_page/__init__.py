"""The cases of docs/metrics.md: where each metric misleads, as arrays, scores and a picture."""

from collections.abc import Callable

from metric_page import dependence, gaps, interventions, predictors, units
from metric_page.case import Case

# Each function `of_NAME` of these files makes the case of the metric NAME.
CASES: dict[str, Callable[[], Case]] = {
    name.removeprefix("of_"): make
    for file in (gaps, predictors, interventions, dependence, units)
    for name, make in vars(file).items()
    if name.startswith("of_")
}
