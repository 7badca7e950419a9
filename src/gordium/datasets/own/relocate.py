"""Data of the user's that lies elsewhere than when a run was trained on it."""

from pathlib import Path

from gordium.fields import Declaration


def relocate(declaration: Declaration, path: str | Path) -> Declaration:
    """The declaration of a data set with the place where it lies now.

    Its content must still be the same: the declaration holds its hash. Arrays that were in memory
    may be given as an .npz file.
    """
    if "base" in declaration:
        return {**declaration, "base": relocate(declaration["base"], path)}
    options = declaration["options"]
    if declaration["name"] == "from-arrays":
        place = {"path": str(path), "sha256": options["sha256"]}
        return {**declaration, "name": "from-npz", "options": place}
    if "path" not in options:
        raise ValueError(
            f"{declaration['name']} lies in no file of yours, so it cannot have moved; leave the "
            "place of the data out."
        )
    return {**declaration, "options": {**options, "path": str(path)}}
