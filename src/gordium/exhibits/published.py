"""The published numbers of the papers' tables, by exhibit."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from gordium.lookup import pick

Published = Mapping[str, Mapping[str, Mapping[str, float]]]  # e.g. by method, and data set/variant


@cache
def _read_all() -> Mapping[str, Any]:
    return json.loads(files("gordium.exhibits").joinpath("published.json").read_text("utf-8"))


def read_published(exhibit: str) -> Any:
    """Read the published numbers of an exhibit such as `zietlow2021-table1`.

    A mean and its std are over seeds.
    """
    return pick("exhibit", exhibit, _read_all())
