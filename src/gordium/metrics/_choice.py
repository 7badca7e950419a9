"""The metrics that a user asks for: by name, "all", functions of the user's, or a list of these."""

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import Any

from gordium.lookup import pick
from gordium.metrics._scores import Metric, takes

ALL = "all"
Asked = str | Metric | Iterable[str | Metric]


def as_list(metrics: Asked) -> list[str | Metric]:
    """What is asked for as a list; a single name becomes a list of one."""
    if isinstance(metrics, str) or callable(metrics):
        return [metrics]
    if not isinstance(metrics, Iterable):
        raise TypeError(
            "metrics must be a name such as 'mig', 'all', a function of (codes, factors), or a "
            f"list of these; got {type(metrics).__name__}."
        )
    found = list(metrics)
    if not found:
        raise ValueError("no metric is asked for; give a name such as 'mig', or 'all'.")
    return found


def choose(
    metrics: Asked, known: Mapping[str, Metric], allowed: Callable[[], Iterable[str]]
) -> dict[str, Metric]:
    """The metrics by name; "all" is every one `allowed`, a function goes by its own name."""
    chosen: dict[str, Metric] = {}
    for asked in as_list(metrics):
        if asked == ALL:
            chosen.update({name: known[name] for name in allowed()})
        elif isinstance(asked, str):
            chosen[asked] = pick("metric", asked, known)
        else:
            chosen[name_of(asked)] = asked
    return chosen


def name_of(metric: Any) -> str:
    """The name of a metric of the user's; anything that takes no array is a TypeError."""
    if not callable(metric):
        raise TypeError(f"a metric is a name or a function; got {metric!r}.")
    name: str = getattr(metric, "__name__", type(metric).__name__)
    if not takes(metric):
        raise TypeError(
            f"the metric {name}{signature(metric)} takes none of codes, factors and "
            "log_variances; define it as a function of (codes, factors), by these names."
        )
    return name
