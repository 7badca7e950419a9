"""A change that was learned elsewhere, put into a study's folder: its search is not run again."""

import json
import shutil
from pathlib import Path
from typing import Any

from gordium.fields import declare_fields
from gordium.study.store import Store
from gordium.study.study import Data
from gordium.training.folder import is_finished, read_config

GIVEN = "given"  # a file in the folder of such a change


def take_change(store: Store, folder: Path) -> Path:
    """Copy a finished change into the store, under its own name; returns where it is."""
    if not is_finished(folder):
        raise ValueError(
            f"{folder} holds no finished change: give a folder that was learned whole."
        )
    place = store.manipulation_folder(read_config(folder, "manipulation")["hash"])
    if not is_finished(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_name(f".{place.name}.taken")
        shutil.rmtree(beside, ignore_errors=True)
        shutil.copytree(folder, beside)
        (beside / GIVEN).touch()
        beside.rename(place)
    return place


def find_given_change(data: Data, searched: set[str], store: Store) -> Path | None:
    """The change taken for this data set, if any: of its images, epsilon, learning and search."""
    search = data.search
    if search is None:
        return None
    wanted = {
        "dataset": data.dataset.declaration,
        "epsilon": data.epsilon,
        "settings": declare_fields(search.learning),
    }
    wanted = json.loads(json.dumps(wanted))
    for mark in sorted(store.manipulation_folder("x").parent.glob(f"*/{GIVEN}")):
        known: dict[str, Any] = read_config(mark.parent)["declaration"]
        runs = {*known["disentangled"], *known["entangled"]}
        if runs <= searched and all(known[key] == value for key, value in wanted.items()):
            return mark.parent
    return None
