"""A live view of jobs: one line each for the running ones, and one for all of them."""

import sys
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class Display:
    """On a terminal, bars with the time left; elsewhere, a line when a job has ended."""

    def __init__(self, title: str, n_jobs: int) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("[dim]{task.fields[note]}"),
            console=self._console,
            disable=not sys.stderr.isatty(),
        )
        self._n_jobs, self._n_ended = n_jobs, 0
        self._all = self._bars.add_task(f"[bold]{title}", total=n_jobs * 1000, note="")
        self._running: dict[int, TaskID] = {}
        self._shares: dict[int, float] = {}

    def __enter__(self) -> "Display":
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def progress(self, position: int, label: str, done: int, total: int, note: str) -> None:
        if position not in self._running:
            self._running[position] = self._bars.add_task(f"  {label}", total=total, note="")
        self._bars.update(self._running[position], completed=done, note=note)
        self._share(position, done / total)

    def finished(self, position: int, label: str, result: Any, error: str | None) -> None:
        if position in self._running:
            self._bars.remove_task(self._running.pop(position))
        self._share(position, 1.0)
        self._n_ended += 1
        what = _in_words(result) if error is None else f"[red]failed:[/red] {escape(error)}"
        self._console.print(f"  [{self._n_ended}/{self._n_jobs}] {label}  {what}".rstrip())

    def _share(self, position: int, share: float) -> None:
        self._shares[position] = share
        self._bars.update(self._all, completed=round(1000 * sum(self._shares.values())))


def _in_words(result: Any) -> str:
    """Numbers of a result by name; anything else is not for the screen."""
    if not isinstance(result, dict):
        return ""
    numbers = {k: v for k, v in result.items() if isinstance(v, int | float)}
    return "  ".join(f"{k} {v:.3g}" for k, v in numbers.items())
