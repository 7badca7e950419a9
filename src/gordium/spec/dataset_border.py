"""Checks of a data set's declaration that was read from a file: its names, fields and types.

They are made once, before anything is loaded, and nothing is converted: the declaration stays
what it is, and so does the key that is its hash. A data set or a wrapper of a user's own may be
unknown here, where a run is scored on other images or only its weights are wanted: it declares
what it likes, and its name is refused when it is loaded.
"""

from typing import Any

from gordium.datasets import DATASETS, OWN, VARIANTS, FromArrays, Held, Modified
from gordium.fields import Declaration
from gordium.spec.codec import (
    check,
    check_table,
    convert_fields,
    join,
    list_required,
    refuse_missing,
    refuse_unknown,
)

_SET = ("name", "options", "source")


def check_dataset_declaration(document: Any, path: str) -> Declaration:
    """Refuse what no data set declares; an error begins with the path of the wrong field."""
    table = check_table(document, path)
    if "variant" in table:
        _check_variant(table, path)
    else:
        _check_set(table, path)
    return table


def _check_set(table: Declaration, path: str) -> None:
    refuse_missing(table, ("name",), path)
    name = check(table["name"], str, join(path, "name"))
    known: dict[str, Any] = {**DATASETS, **OWN}
    if name not in known:
        return
    kind = known[name]
    refuse_missing(table, _SET, path)
    refuse_unknown(table, _SET, path)
    check(table["source"], str, join(path, "source"))
    where = join(path, "options")
    options = check_table(table["options"], where)
    if kind is FromArrays:  # its declaration holds no arrays, only their hash
        refuse_unknown(options, ("sha256",), where)
        check(options.get("sha256"), str, join(where, "sha256"))
        return
    convert_fields(options, kind, where, what=f"option of {name}")
    refuse_missing(options, list_required(kind), where)


def _check_variant(table: Declaration, path: str) -> None:
    where = join(path, "variant")
    name = check(table["variant"], str, where)
    if name not in VARIANTS:
        return
    kind = VARIANTS[name]
    refuse_missing(table, ("base",), path)
    check_dataset_declaration(table["base"], join(path, "base"))
    own = {key: value for key, value in table.items() if key not in ("variant", "base")}
    if kind is Held:
        refuse_unknown(own, ("values",), path)
        check(own.get("values"), dict[str, int], join(path, "values"))
    elif kind is Modified:
        refuse_unknown(own, ("change",), path)
        check_table(own.get("change"), join(path, "change"))
    else:
        convert_fields(own, kind, path, what=f"field of {name}")
        refuse_missing(table, list_required(kind), path)
