"""Studies as TOML: read, merged with a scale, and turned into a value.

The tables of a file are `settings`, `data.NAME`, `method.NAME` and `scale.SCALE`; a scale holds
what differs there, table by table. `skip = true` leaves a data set or a method out.
"""

import dataclasses
import itertools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gordium.datasets import Dataset, load_dataset
from gordium.lookup import pick
from gordium.manipulation import ManipulationSettings
from gordium.methods import METHODS, Method
from gordium.metrics import METRICS
from gordium.networks import ARCHITECTURES
from gordium.optimisers import OPTIMISERS
from gordium.study.pictures import DRAWINGS
from gordium.study.study import Arm, Data, Search, Study, known_settings
from gordium.training import Adam
from gordium.training.named import from_named

Table = dict[str, Any]
_LENGTHS = ("steps", "epochs")
_TOP = ("name", "metrics", "seeds", "first_seed", "settings", "data", "method", "scale", "draw")


def read_study(path: Path, scale: str | None = None) -> tuple[Study, Table]:
    """The study in a file, and its tables at that scale, which are its declaration."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is not TOML: {error}.") from error
    try:
        return study_of(tables, scale)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def study_of(tables: Table, scale: str | None = None) -> tuple[Study, Table]:
    """The same from tables."""
    known = dict(tables)
    scales = known.pop("scale", {})
    if scale is not None:
        known = _merged(known, pick("scale", scale, scales))
    for name in known:
        pick("table", name, dict.fromkeys(_TOP))
    for needed in ("name", "data", "method"):
        if needed not in known:
            raise ValueError(f"a study needs {needed!r}.")
    declared = {**known, "scale": scale}
    for name in (metrics := known.get("metrics", ["mig"])):
        pick("metric", name, METRICS)
    settings = _settings(known.get("settings", {}))
    study = Study(
        name=known["name"] if scale is None else f"{known['name']}-{scale}",
        data={name: _data(name, table, settings) for name, table in _kept(known["data"])},
        arms=tuple(
            arm for name, table in _kept(known["method"]) for arm in _arms(name, table, settings)
        ),
        seeds=_seeds(known),
        metrics=tuple(metrics),
        draw=_drawings(known.get("draw", False)),
    )
    return study, {**declared, "name": study.name}


def _merged(base: Table, over: Mapping[str, Any]) -> Table:
    """Tables within tables are merged, everything else is replaced."""
    found = dict(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(found.get(key), dict)
        found[key] = _merged(found[key], value) if both else value
    return found


def _kept(tables: Mapping[str, Table]) -> list[tuple[str, Table]]:
    return [
        (name, {key: value for key, value in table.items() if key != "skip"})
        for name, table in tables.items()
        if not table.get("skip", False)
    ]


def _drawings(given: bool | list[str]) -> tuple[str, ...]:
    """All for `true`, or those in a list."""
    names = tuple(DRAWINGS) if given is True else tuple(given or ())
    for name in names:
        pick("drawing", name, DRAWINGS)
    return names


def _seeds(table: Table) -> tuple[int, ...]:
    """A list of seeds, or how many, from `first_seed` on."""
    seeds, first = table.get("seeds", 1), table.get("first_seed", 0)
    return tuple(range(first, first + seeds)) if isinstance(seeds, int) else tuple(seeds)


def _settings(table: Table) -> Table:
    """Fields of `Settings`; steps or epochs of 0 are none, so that a scale can change the unit."""
    found = {key: value for key, value in table.items() if key not in _LENGTHS or value != 0}
    for name in found:
        pick("setting", name, dict.fromkeys(known_settings()))
    if "architecture" in found:
        found["architecture"] = _member("architecture", found["architecture"], ARCHITECTURES)
    if "optimiser" in found:
        found["optimiser"] = _member("optimiser", found["optimiser"], OPTIMISERS)
    return found


def _member(kind: str, table: str | Table, family: Mapping[str, Any]) -> Any:
    return from_named(kind, {"name": table} if isinstance(table, str) else table, family)


def _arms(label: str, table: Table, settings: Table) -> list[Arm]:
    """One arm for each combination of the hyperparameters that are lists."""
    given = dict(table)
    own = {**settings, **_settings(given.pop("settings", {}))}
    data = given.pop("data", ())
    name = given.pop("name", label)
    return [
        Arm(method=method, settings=own, data=(data,) if isinstance(data, str) else tuple(data))
        for method in _methods(name, given)
    ]


def _methods(name: str, hyperparameters: Table) -> list[Method]:
    kind: Any = pick("method", name, METHODS)
    known = {f.name for f in dataclasses.fields(kind)}
    for given in hyperparameters:
        pick(f"hyperparameter of {name}", given, dict.fromkeys(known))
    choices = [v if isinstance(v, list) else [v] for v in hyperparameters.values()]
    return [
        from_named(
            "method", {"name": name, **dict(zip(hyperparameters, values, strict=True))}, METHODS
        )
        for values in itertools.product(*choices)
    ]


def _data(label: str, table: Table, settings: Table) -> Data:
    given = dict(table)
    search = given.pop("search", None)
    variants = tuple(given.pop("variants", ("original",)))
    epsilon, seeds = given.pop("epsilon", None), given.pop("seeds", None)
    dataset = _dataset(given.pop("name", label), given)
    found = None if search is None else _search(search, settings)
    return Data(dataset=dataset, variants=variants, epsilon=epsilon, search=found, seeds=seeds)


def _dataset(name: str, options: Table) -> Dataset:
    held = options.pop("hold", {})
    found = load_dataset(name, **options)
    return found.hold(**held) if held else found


def _search(table: Table, settings: Table) -> Search:
    given = dict(table)
    method = dict(given.pop("method"))
    [arm] = _arms(method.pop("name"), {**method, "settings": given.pop("settings", {})}, settings)
    seeds = _seeds(given)
    learning = dict(given.pop("learning", {}))
    for name in ("optimiser", "decoder_optimiser"):
        if name in learning:
            learning[name] = Adam(**learning[name])
    rest = {key: value for key, value in given.items() if key not in ("seeds", "first_seed")}
    return Search(arm=arm, seeds=seeds, learning=ManipulationSettings(**learning), **rest)
