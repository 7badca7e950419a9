"""Progress lines with speed and time left, shown only to people."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

QUIET = "GORDIUM_QUIET"
DEVICES = "GORDIUM_DEVICES"  # which ones workers take turns with


class Advance(Protocol):
    """What a caller of `progress` is given: it counts units as done."""

    def __call__(self, units: int, note: str = "") -> None: ...


class _Speed(ProgressColumn):
    """How many units are done in a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f}/s" if speed else "", style="progress.data.speed")


@contextmanager
def progress(
    label: str, total: int, *, done: int = 0, show: bool | None = None
) -> Iterator[Advance]:
    """A bar on standard error; the block calls `advance(units, note)`.

    It is shown when standard error is a terminal and GORDIUM_QUIET is not set, unless `show`
    says otherwise.
    """
    visible = (sys.stderr.isatty() and QUIET not in os.environ) if show is None else show
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        _Speed(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
        console=Console(stderr=True),
        disable=not visible,
    )
    with bar:
        task = bar.add_task(label, total=total, completed=done, note="")
        yield lambda units, note="": bar.update(task, advance=units, note=note)
