"""Turning the arguments of `train`, which may be names, into the values that a run is made of."""

import dataclasses
from typing import Any

from gordium.datasets import Dataset, check_is_dataset, load_dataset
from gordium.fields import Fields
from gordium.lookup import pick
from gordium.methods import METHODS, Method
from gordium.spec import Settings
from gordium.spec.run import NAMED

_MAKERS = {"architecture": ("encoder", "decoder"), "optimiser": ("build",)}
_WHOLE = ("latent_dim", "steps", "epochs", "seed", "batch_size")


def resolve_dataset(data: Dataset | str) -> Dataset:
    """Return the data set; a name stands for the one that the catalogue has under it."""
    if isinstance(data, str) and not data.endswith((".npz", "/")):
        return load_dataset(data)
    return check_is_dataset(data)


def resolve_method(method: Method | str, fields: Fields) -> tuple[Method, Fields]:
    """Return the method and the fields that are not its own.

    A method given by name is made of those `fields` that are its own.
    """
    if isinstance(method, str):
        kind: Any = pick("method", method, METHODS)
        own = _names(kind) & fields.keys()
        others = {name: value for name, value in fields.items() if name not in own}
        _check_fields(others, f"of {method} or of the training", _names(kind))
        return kind(**{name: fields[name] for name in own}), others
    if isinstance(method, type) and issubclass(method, Method):
        raise TypeError(f"{method.__name__} is a class: give an instance, {method.__name__}(...).")
    if not isinstance(method, Method):
        raise TypeError(
            f"a {type(method).__name__} is not a method. Give a name from gordium.list_methods(), "
            "e.g. 'beta-vae', or an object such as gordium.methods.BetaVAE(beta=8)."
        )
    for name in fields.keys() & _names(type(method)):
        kind = type(method).__name__
        raise TypeError(f"{name} belongs to the method: give {kind}({name}={fields[name]!r}).")
    return method, fields


def resolve_settings(
    fields: Fields, dataset: Dataset, settings: Settings | None = None
) -> Settings:
    """Return `settings`, or make them of `fields`.

    Without `latent_dim` there are as many units as the data set has factors.
    """
    if settings is not None and fields:
        raise TypeError(
            f"give settings= or {', '.join(fields)}, not both; dataclasses.replace(settings, ...) "
            "changes some of its fields."
        )
    if settings is not None:
        return settings
    _check_fields(fields, "of the training", set())
    given = {"latent_dim": len(dataset.factors), **fields}
    for name in given.keys() & set(_WHOLE):
        absent = given[name] is None and name in ("steps", "epochs")
        if not absent and (not isinstance(given[name], int) or isinstance(given[name], bool)):
            raise TypeError(f"{name} must be a whole number; got {given[name]!r}.")
    for name in NAMED.keys() & given.keys():
        given[name] = _resolve_member(name, given[name])
    return Settings(**given)


def _resolve_member(kind: str, value: Any) -> Any:
    """Return a network or an optimiser that is given by name or as an object."""
    family = NAMED[kind]
    if isinstance(value, str):
        return pick(kind, value, family)()
    example = f"{kind}={next(iter(family))!r}"
    if isinstance(value, type):
        raise TypeError(f"{kind} is the class {value.__name__}: give an instance of it.")
    missing = [maker for maker in _MAKERS[kind] if not callable(getattr(value, maker, None))]
    if missing or not dataclasses.is_dataclass(value):
        raise TypeError(
            f"a {type(value).__name__} is not an {kind}: it must be a frozen dataclass with "
            f"{' and '.join(_MAKERS[kind])}, or a name, e.g. {example}."
        )
    return value


def _names(kind: Any) -> set[str]:
    return {f.name for f in dataclasses.fields(kind) if f.init}


def _check_fields(fields: Fields, whose: str, more: set[str]) -> None:
    known = dict.fromkeys([*more, *(f.name for f in dataclasses.fields(Settings))])
    for name in fields:
        if name in ("lr", "learning_rate"):
            raise TypeError(
                f"{name} belongs to the optimiser: give optimiser=gordium.training.Adam("
                f"learning_rate={fields[name]!r})."
            )
        pick(f"setting {whose}", name, known)
