"""Folders of the demo that were made before it was a study: what is in them is not made again."""

from contextlib import suppress
from pathlib import Path

from gordium.exhibits.runs import NAME
from gordium.study.store import CHANGES, RUNS, STUDY, WORK
from gordium.training.folder import CONFIG, read_config


def take_in_earlier(folder: Path, number: int) -> None:
    """Move runs and changes from FOLDER/exhibits to where the study finds them by their names.

    A folder of another repetition is refused.
    """
    old = folder / NAME
    if not (old / STUDY).is_file():
        return
    if (folder / CONFIG).is_file():
        held = read_config(folder, "repetition")["declaration"]["number"]
        if held != number:
            raise ValueError(f"{folder} holds repetition {held}, not {number}; choose another.")
        (folder / CONFIG).unlink()
    for name in (RUNS, CHANGES, WORK):
        if (old / name).is_dir() and not (folder / name).exists():
            (old / name).rename(folder / name)
    for path in old.glob(f"{STUDY}*"):
        path.unlink()
    with suppress(OSError):
        old.rmdir()
