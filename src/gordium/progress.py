"""Progress with speed and time left: a bar in a terminal, or a line now and then in a log."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from importlib.util import find_spec
from typing import Protocol, TypeVar

from rich import progress as bars
from rich.console import Console
from rich.text import Text

T = TypeVar("T")
QUIET = "GORDIUM_QUIET"
HEARTBEAT = 30.0  # seconds between two lines of a log
DEVICES = "GORDIUM_DEVICES"  # the devices that workers take turns with


class Advance(Protocol):
    """What `progress` gives to its block: a call counts units as done."""

    def __call__(self, units: int, note: str = "") -> None: ...


class _Speed(bars.ProgressColumn):
    """A column with the number of units done per second."""

    def render(self, task: bars.Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f}/s" if speed else "", style="progress.data.speed")


@contextmanager
def progress(
    label: str, total: int, *, done: int = 0, show: bool | None = None
) -> Iterator[Advance]:
    """Show a bar on standard error; the block calls `advance(units, note)`.

    Notebooks show it too, if ipywidgets is installed. Without a terminal, a line is printed every
    half minute. Nothing is shown if GORDIUM_QUIET is set; `show` decides for or against a bar
    whatever the surroundings.
    """
    notebook = in_notebook() and find_spec("ipywidgets") is not None
    quiet = QUIET in os.environ if show is None else not show
    if quiet:
        yield lambda units, note="": None
        return
    if show is None and not sys.stderr.isatty() and not notebook:
        yield _heartbeat(label, total, done)
        return
    bar = make_bars(Console(stderr=True, force_jupyter=notebook))
    with bar:
        task = bar.add_task(label, total=total, completed=done, note="")
        yield lambda units, note="": bar.update(task, advance=units, note=note)
        bar.refresh()  # a notebook keeps the last state that was drawn


def track(label: str, items: Sequence[T], units: int = 1) -> Iterator[T]:
    """The items one by one, with a bar as of `progress`; each stands for some units."""
    with progress(label, units * len(items)) as advance:
        for item in items:
            yield item
            advance(units)


def make_bars(console: Console, *, speed: bool = True, **options: bool) -> bars.Progress:
    """Bars with a label, how much is done, how fast if wanted, the time left, and a note."""
    return bars.Progress(
        bars.TextColumn("{task.description}"),
        bars.BarColumn(bar_width=24),
        bars.MofNCompleteColumn(),
        *([_Speed()] if speed else []),
        bars.TimeElapsedColumn(),
        bars.TextColumn("left"),
        bars.TimeRemainingColumn(),
        bars.TextColumn("{task.fields[note]}"),
        console=console,
        **options,  # type: ignore[arg-type]
    )


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def _heartbeat(label: str, total: int, done: int) -> Advance:
    """Print lines for a log, half a minute apart; shorter work prints none."""
    begun = said = time.monotonic()
    at = done

    def advance(units: int, note: str = "") -> None:
        nonlocal said, at
        at += units
        now = time.monotonic()
        if now - said < HEARTBEAT:
            return
        said = now
        speed = (at - done) / (now - begun)
        left = f", {timedelta(seconds=round((total - at) / speed))} left" if speed else ""
        share = f" ({100 * at / total:.0f} %)" if total else ""
        line = f"{label}: {at:,}/{total:,}{share}, {speed:,.1f}/s{left}  {note}"
        print(line.rstrip(), file=sys.stderr, flush=True)

    return advance
