"""Changes that were learned elsewhere and are put into a study, whose search is then not run."""

import json
import shutil
from pathlib import Path

from gordium.fields import declare_fields
from gordium.spec.key import canonical
from gordium.study.data import Data
from gordium.study.store import Store
from gordium.training.folder import is_finished, read_config

GIVEN = "given"  # a file that marks the folder of such a change


def take_change(store: Store, folder: Path) -> Path:
    """Copy a finished change into the store, under its own key; return its folder there."""
    if not is_finished(folder):
        raise ValueError(
            f"{folder} holds no finished change: give the folder of one whose learning has ended."
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
    """The folder of a change that was given for these images, epsilon, learning and search runs."""
    search = data.search
    if search is None:
        return None
    images = {"dataset": data.dataset.declaration, "epsilon": data.epsilon}
    wanted = canonical(json.loads(json.dumps(images)))
    starts = [canonical(json.loads(json.dumps(declare_fields(how)))) for how in search.starts]
    for mark in sorted(store.manipulation_folder("x").parent.glob(f"*/{GIVEN}")):
        known = canonical(read_config(mark.parent)["declaration"])
        runs = {*known["disentangled"], *known["entangled"]}
        alike = all(known[key] == value for key, value in wanted.items())
        if runs <= searched and alike and known["settings"] in starts:
            return mark.parent
    return None
