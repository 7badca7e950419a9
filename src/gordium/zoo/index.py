"""The index of the zoo, with the hash of every file; it comes with the package."""

from functools import cache
from pathlib import Path

import msgspec

from gordium.lookup import pick

STORED = Path(__file__).parent / "models"
INDEX = STORED / "index.json"


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """A model of the zoo: what it is, its scores, and the SHA-256 of each of its files.

    `change` names the learned change that its images were altered by, if they were.
    """

    kind: str
    about: str
    licence: str
    scores: dict[str, float]
    files: dict[str, str]
    change: str | None = None


@cache
def read_index() -> dict[str, Model]:
    """All entries by name, learned changes among them."""
    try:
        return msgspec.json.decode(INDEX.read_bytes(), type=dict[str, Model])
    except msgspec.DecodeError as error:
        raise ValueError(f"{INDEX} is damaged: {error}. Install gordium again.") from error


def list_models() -> list[str]:
    """The names of all trained models."""
    return [name for name, entry in read_index().items() if entry.kind == "run"]


def describe(name: str) -> Model:
    """The entry of a model in the index."""
    return pick("model of the zoo", name, read_index())
