"""From a metric and arrays to named numbers."""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

import numpy as np

from gordium._version import __version__
from gordium.metrics._kinds import Stated
from gordium.metrics._properties import Properties
from gordium.notebook import shorten, table

Metric = Callable[..., Any]

ARRAYS = ("codes", "factors", "log_variances")


class Scores(dict[str, float]):
    """Numbers by name, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        return table(("metric", "score"), [(k, shorten(float(v))) for k, v in self.items()])


def takes(metric: Metric) -> tuple[str, ...]:
    """The names of the arrays that a metric is a function of."""
    return tuple(name for name in ARRAYS if name in signature(metric).parameters)


def value_of(
    metric: Metric, arrays: Mapping[str, Any], seed: int, kinds: Stated | None = None
) -> Any:
    """Call a metric with those of the arrays, the seed and the kinds that it takes."""
    given = {"seed": seed, "kinds": kinds}
    options = {name: value for name, value in given.items() if name in signature(metric).parameters}
    return metric(**{name: arrays[name] for name in takes(metric)}, **options)


def parts(name: str, value: Any) -> dict[str, float]:
    """The headline by the metric's name, its other numbers by `name.part`; arrays are left out."""
    if not isinstance(value, tuple):
        try:
            return {name: float(value)}
        except (TypeError, ValueError) as error:
            raise TypeError(f"the metric {name} must give a number; it gave {value!r}.") from error
    fields = value._asdict()  # type: ignore[attr-defined]
    headline, *rest = (part for part, number in fields.items() if np.isscalar(number))
    return {name: fields[headline], **{f"{name}.{part}": fields[part] for part in rest}}


def obstacle(metric: Metric, properties: Properties, arrays: Mapping[str, Any]) -> str | None:
    """Why "all" leaves a metric out for such arrays; None if it does not."""
    needed = takes(metric)
    if properties.named_only:
        return "takes a minute or more, ask for it by name"
    if "log_variances" in needed and arrays.get("log_variances") is None:
        return "needs log_variances"
    if np.shape(arrays["codes"])[1] < properties.min_codes:
        return f"needs at least {properties.min_codes} codes"
    if "factors" not in needed:
        return None
    if np.shape(arrays["factors"])[1] < properties.min_factors:
        return f"needs at least {properties.min_factors} factors"
    return None


def describe(
    metric: Metric, properties: Properties, n_samples: int | None, real: Sequence[int]
) -> dict[str, object]:
    """How a score is computed: function, default parameters, samples, version.

    If columns of factors are real numbers, it says how these are treated.
    """
    defaults = {p.name: p.default for p in signature(metric).parameters.values()}
    plain = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in defaults.items()
        if isinstance(value, bool | int | float | str | tuple) and key != "seed"
    }
    is_ours = metric.__module__.startswith("gordium.metrics.")
    function = f"{'gordium.metrics' if is_ours else metric.__module__}.{metric.__name__}"
    found: dict[str, object] = {"function": function, "parameters": plain, "version": __version__}
    if n_samples is not None:
        found["n_samples"] = n_samples
        if properties.held_out:
            found["n_held_out"] = n_samples // properties.held_out
    if real and "factors" in takes(metric):
        found["real_factors"] = {"columns": list(real), "by": properties.real_factors}
    return found
