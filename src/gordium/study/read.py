"""Studies as TOML: read, merged with a scale, and turned into a value.

The tables of a file are `settings`, `data.NAME`, `method.NAME` and `scale.SCALE`; a scale holds
what differs there, table by table. `skip = true` leaves a data set or a method out. Every error
is one line with the file, the field, what was expected and what was given.
"""

import itertools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

from gordium.datasets import DATASETS, Dataset, FromFolder, FromNpz, load_dataset, open_path
from gordium.evaluation.representation import N_IMAGES
from gordium.fields import Fields
from gordium.lookup import pick
from gordium.manipulation import Limits, ManipulationSettings
from gordium.methods import METHODS, Method
from gordium.metrics import METRICS
from gordium.plugins import check_plugins
from gordium.spec import Settings, from_named
from gordium.spec.codec import (
    check,
    check_table,
    convert,
    convert_at,
    convert_fields,
    join,
    refuse_unknown,
)
from gordium.study.arm import Arm
from gordium.study.data import Data
from gordium.study.pictures import DRAWINGS
from gordium.study.search import MIG, Probe, Search
from gordium.study.study import MOST_RUNS, Study

Table = Mapping[str, Any]
_LENGTHS = ("steps", "epochs")
_TOP = (
    *("name", "metrics", "seeds", "first_seed", "images", "settings", "data", "method", "scale"),
    *("draw", "plugins"),
)
_DATA: dict[str, Any] = {  # the fields of a data set that are not options of its own
    "variants": tuple[str, ...],
    "epsilon": float | None,
    "seeds": int | None,
    "noise_seed": int,
    "name": str,
    "hold": dict[str, int | str],
    "narrow": dict[str, tuple[int, ...]],
    "marginalise": tuple[str, ...],
}
_COUNTS = ("disentangled", "entangled", "restarts", "per_round", "most_used")
_PROBE = ("seeds", "first_seed", "settings")
_SEARCH = ("method", "learning", "by", "limits", "waves", "probe", "room", *_PROBE, *_COUNTS)


def read_study(path: Path, scale: str | None = None) -> Study:
    """The study in a file, at a scale that the file names."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}; give the TOML file of a study.")
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8-sig"))  # Windows marks it so
    except ValueError as error:
        raise ValueError(f"{path} is not TOML: {error}.") from error
    except RecursionError:
        raise ValueError(f"{path} is nested too deeply to be read.") from None
    return convert_at(str(path), lambda: study_of(tables, scale))


def study_of(tables: Table, scale: str | None = None) -> Study:
    """The study that the tables of a file declare, at a scale that they name."""
    known = dict(check_table(tables, ""))
    scales = check(known.pop("scale", {}), dict[str, Table], "scale")
    if scale is not None:
        known = _merge(known, pick("scale", scale, scales))
    refuse_unknown(known, _TOP, "", what="table")
    check_plugins(check(known.get("plugins", []), tuple[str, ...], "plugins"))
    for needed in ("name", "data", "method"):
        if needed not in known:
            raise ValueError(f"a study needs {needed!r}.")
    name = check(known["name"], str, "name")
    settings = _settings(known.get("settings", {}), "settings")
    return Study(
        name=name if scale is None else f"{name}-{scale}",
        data={
            name: convert_at(
                join("data", name), lambda name=name, table=table: _data(name, table, settings)
            )
            for name, table in map(_with_files, _keep(known["data"], "data"))
        },
        arms=tuple(
            arm
            for name, table in _keep(known["method"], "method")
            for arm in _arms(name, table, settings, join("method", name))
        ),
        seeds=_seeds(known, ""),
        metrics=_names("metric", known.get("metrics", ["mig"]), METRICS, "metrics"),
        draw=_drawings(known.get("draw", False)),
        images=check(known.get("images", N_IMAGES), int, "images"),
    )


def _merge(base: Table, over: Table) -> dict[str, object]:
    """Tables within tables are merged, everything else is replaced."""
    found = dict(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(found.get(key), dict)
        found[key] = _merge(found[key], value) if both else value
    return found


def _keep(tables: Any, path: str) -> list[tuple[str, dict[str, object]]]:
    found = []
    for name, value in check_table(tables, path).items():
        if not name:
            raise ValueError(f"{path}: a table has an empty name; give it one.")
        table = dict(check_table(value, join(path, name)))
        if not check(table.pop("skip", False), bool, f"{path}.{name}.skip"):
            found.append((name, table))
    return found


def _with_files(given: tuple[str, dict[str, object]]) -> tuple[str, Table]:
    """The name and table of a data set; where its `real` files are, `real` replaces the name."""
    name, table = given
    real = check(table.pop("real", ""), str, f"data.{name}.real")
    if real:
        convert_at(f"data.{name}.real", lambda: pick("data set", real, DATASETS))
    try:
        return (real, table) if real and load_dataset(real) else given
    except FileNotFoundError:
        return given


def _names(kind: str, given: Any, known: Mapping[str, Any], path: str) -> tuple[str, ...]:
    """A list of different known names."""
    names: tuple[str, ...] = check(given, tuple[str, ...], path)
    refuse_unknown(names, known, path, what=kind)
    _refuse_repeated(names, path)
    return names


def _refuse_repeated(values: Sequence[Any], path: str) -> None:
    if len(set(values)) < len(values):
        twice = next(value for value in values if values.count(value) > 1)
        raise ValueError(f"{path}: {twice!r} is listed twice; each may be listed once.")


def _drawings(given: Any) -> tuple[str, ...]:
    """The names of drawings: all for `true`, or those in a list."""
    if isinstance(given, bool):
        return tuple(DRAWINGS) if given else ()
    return _names("drawing", given, DRAWINGS, "draw")


def _seeds(table: Table, path: str) -> tuple[int, ...]:
    """A list of seeds, or how many, from `first_seed` on."""
    where = join(path, "seeds")
    first: int = check(table.get("first_seed", 0), int, join(path, "first_seed"))
    given: int | tuple[int, ...] = check(table.get("seeds", 1), int | tuple[int, ...], where)
    n = given if isinstance(given, int) else len(given)
    if n < 1:
        raise ValueError(f"{where}: a study needs at least one seed; got {n}.")
    if n > MOST_RUNS:
        raise ValueError(f"{where}: at most {MOST_RUNS:,} seeds can be planned; got {n:,}.")
    seeds = tuple(range(first, first + n)) if isinstance(given, int) else given
    if min(seeds) < 0:
        raise ValueError(f"{where}: a seed must not be negative; got {min(seeds)}.")
    _refuse_repeated(seeds, where)
    if not isinstance(given, int) and "first_seed" in table:
        raise ValueError(
            f"{join(path, 'first_seed')}: belongs to a number of seeds, and {where} is a list; "
            "leave it out."
        )
    return seeds


def _settings(given: Any, path: str) -> Fields:
    """Fields of `Settings`; 0 steps or epochs count as not given, so a scale can swap the two."""
    found = convert_fields(given, Settings, path, what="setting")
    found = {key: value for key, value in found.items() if key not in _LENGTHS or value != 0}
    if "seed" in found:
        raise ValueError(
            f"{path}.seed: seeds belong to the study; give seeds and first_seed there."
        )
    lengths = {} if set(found) & set(_LENGTHS) else {"steps": 1}
    convert_at(path, lambda: Settings(**{"latent_dim": 1, **lengths, **found}))
    return found


def _arms(label: str, table: Table, settings: Table, path: str) -> list[Arm]:
    """One arm for each combination of the hyperparameters that are lists."""
    given = dict(table)
    own = {**settings, **_settings(given.pop("settings", {}), f"{path}.settings")}
    named = given.pop("data", ())
    data = check([named] if isinstance(named, str) else named, tuple[str, ...], f"{path}.data")
    name = check(given.pop("name", label), str, f"{path}.name")
    return [Arm(method=method, settings=own, data=data) for method in _methods(name, given, path)]


def _methods(name: str, hyperparameters: Table, path: str) -> list[Method]:
    kind: Any = convert_at(path, lambda: pick("method", name, METHODS))
    known = [field.name for field in fields(kind)]
    refuse_unknown(hyperparameters, known, path, what=f"hyperparameter of {name}")
    choices = [v if isinstance(v, list) else [v] for v in hyperparameters.values()]
    if (n := prod(map(len, choices))) > MOST_RUNS:
        raise ValueError(f"{path}: at most {MOST_RUNS:,} combinations can be planned; got {n:,}.")
    if n == 0:
        raise ValueError(f"{path}: a list of values is empty; leave the field out, or fill it.")
    tables = (
        {"name": name, **dict(zip(hyperparameters, values, strict=True))}
        for values in itertools.product(*choices)
    )
    methods: list[Method] = [from_named("method", table, METHODS, path) for table in tables]
    _refuse_repeated(methods, path)
    return methods


def _data(label: str, table: Table, settings: Table) -> Data:
    """A data set of the study; the caller adds `data.NAME` to errors."""
    given = {name: check(table[name], kind, name) for name, kind in _DATA.items() if name in table}
    options = {key: value for key, value in table.items() if key not in (*_DATA, "search")}
    dataset = _dataset(given.pop("name", label), options)
    if kept := given.pop("narrow", {}):
        dataset = convert_at("narrow", partial(dataset.narrow, **kept))
    if held := given.pop("hold", {}):
        dataset = convert_at("hold", partial(dataset.hold, **held))
    if nuisances := given.pop("marginalise", ()):
        dataset = convert_at("marginalise", partial(dataset.marginalise, *nuisances))
    if "search" in table:
        given["search"] = _search(check_table(table["search"], "search"), settings)
    return Data(dataset=dataset, **given)


def _dataset(name: str, options: Table) -> Dataset:
    if "path" in options and name not in DATASETS:
        return _own_dataset(options)
    kind = pick("data set", name, DATASETS)
    return load_dataset(name, **convert_fields(options, kind, "", what=f"option of {name}"))


def _own_dataset(options: Table) -> Dataset:
    """A data set in the user's files, whose path decides which options there are."""
    given = dict(options)
    path = Path(check(given.pop("path"), str, "path"))
    is_archive = not path.is_dir() and path.suffix not in (".csv", ".parquet")
    what = "option of an archive" if is_archive else "option of a folder of pictures"
    checked = convert_fields(given, FromNpz if is_archive else FromFolder, "", what=what)
    return convert_at("path", lambda: open_path(path, **checked))


def _search(table: Table, settings: Table) -> Search:
    given = dict(table)
    refuse_unknown(given, _SEARCH, "search")
    if "method" not in given:
        raise ValueError("search.method: is missing; expected a table with the name of a method.")
    method = {"name": given["method"]} if isinstance(given["method"], str) else given["method"]
    method = dict(check_table(method, "search.method"))
    if "name" not in method:
        raise ValueError("search.method.name: is missing; expected the name of a method.")
    learning = convert(given.get("learning", {}), ManipulationSettings, "search.learning")
    counts = {name: check(given[name], int, f"search.{name}") for name in _COUNTS if name in given}
    found = partial(
        Search,
        arm=_one_arm({**method, "settings": given.get("settings", {})}, settings),
        seeds=_seeds(given, "search"),
        learning=learning,
        by=check(given.get("by", MIG), str, "search.by"),
        limits=_limits(given["limits"]) if "limits" in given else None,
        waves=check(given.get("waves", ()), tuple[float, ...], "search.waves"),
        room=check(given.get("room", True), bool, "search.room"),
        probe=_probe(given["probe"], method, settings) if "probe" in given else None,
    )
    return convert_at("search", lambda: found(**counts))


def _one_arm(method: Table, settings: Table) -> Arm:
    arms = _arms("", method, settings, "search.method")
    if len(arms) != 1:
        raise ValueError(f"search.method: expected one method; its lists make {len(arms)}.")
    return arms[0]


def _limits(given: Any) -> Limits:
    refuse_unknown(check_table(given, "search.limits"), Limits._fields, "search.limits")
    return Limits(**{k: check(v, float, f"search.limits.{k}") for k, v in given.items()})


def _probe(given: Any, method: Table, settings: Table) -> Probe:
    """Runs of the search's method, with settings and seeds of their own."""
    table = check_table(given, "search.probe")
    refuse_unknown(table, _PROBE, "search.probe")
    own = {**settings, **_settings(table.get("settings", {}), "search.probe.settings")}
    return Probe(arm=_one_arm(method, own), seeds=_seeds(table, "search.probe"))
