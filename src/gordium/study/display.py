"""A live view of jobs: their numbers, the running ones, and the last scores."""

import sys
import time
from collections import deque
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import TaskID
from rich.table import Table

from gordium.progress import HEARTBEAT, make_bars

OVER_PRUNED = "over-pruned"  # the key in a job's result
_LAST = 5


@dataclass(frozen=True)
class Counts:
    """Runs of a study besides the jobs at hand; those `waiting` cannot be jobs yet."""

    waiting: int = 0
    done: int = 0
    failed: int = 0
    over_pruned: int = 0


class Display:
    """Shows a table and bars in a terminal; prints lines in a log, at ends of jobs or now and then.

    Lines are numbered by how many runs of the whole study have ended, so numbers only grow.
    """

    def __init__(self, title: str, n_jobs: int, before: Counts | None = None) -> None:
        before = before or Counts()
        self._title, self._n_all = title, n_jobs + before.waiting
        self._n_runs = self._n_all + before.done + before.failed
        self._counts = {
            "waiting": self._n_all,
            "running": 0,
            "done": before.done,
            "failed": before.failed,
            OVER_PRUNED: before.over_pruned,
        }
        self._console = Console(stderr=True, highlight=False)
        self._bars = make_bars(self._console, speed=False, auto_refresh=False)
        self._running: dict[int, TaskID] = {}
        self._left = TimeLeft(self._n_all)
        self._last: deque[str] = deque(maxlen=_LAST)
        self._said = time.monotonic()
        self._live = Live(self, console=self._console) if sys.stderr.isatty() else None

    def __enter__(self) -> "Display":
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __rich__(self) -> Group:
        table = Table(self._title, *self._counts, "left")
        table.add_row("runs", *map(str, self._counts.values()), self._left.text)
        return Group(table, *self._last, self._bars)

    def start(self, position: int, label: str) -> None:
        """Show that a job begins."""
        self._counts["waiting"] -= 1
        self._counts["running"] += 1
        self._running[position] = self._bars.add_task(f"  {label}", total=None, note="")

    def progress(self, position: int, done: int, total: int, note: str) -> None:
        """Show how far a job is."""
        task = self._running[position]
        self._bars.update(task, completed=done, total=total, note=note)
        self._left.share(position, done / total)
        if self._live is None and time.monotonic() - self._said > HEARTBEAT:
            self._say(f"  {self._ended} {len(self._running)} at work")

    def finish(
        self, position: int, label: str, result: Any, error: str | None, died: bool = False
    ) -> None:
        """Show how a job ended; one that `died` counts as waiting, since it is tried again."""
        self._bars.remove_task(self._running.pop(position))
        self._counts["running"] -= 1
        self._counts["waiting" if died else "done" if error is None else "failed"] += 1
        self._counts[OVER_PRUNED] += bool(isinstance(result, dict) and result.get(OVER_PRUNED))
        self._left.share(position, 0.0 if died else 1.0)
        what = _say_result(result) if error is None else f"[red]failed:[/red] {escape(error)}"
        what = f"{what}, tried again" if died else what
        line = f"  {self._ended} {escape(label)}  {what}".rstrip()
        if self._live is None or error is not None:
            self._say(line)
        else:
            self._last.append(line)

    @property
    def _ended(self) -> str:
        return escape(f"[{self._counts['done'] + self._counts['failed']}/{self._n_runs}]")

    def _say(self, line: str) -> None:
        short = "" if self._live else f"  [dim]({self._in_short()})"
        self._console.print(line + short, soft_wrap=True)
        self._said = time.monotonic()

    def _in_short(self) -> str:
        counts = ", ".join(f"{name} {count}" for name, count in self._counts.items())
        return f"{counts}, left {self._left.text}"


class TimeLeft:
    """How long the rest will take, from what has been done since this view began."""

    def __init__(self, n_jobs: int) -> None:
        self._n_jobs, self._begun = n_jobs, time.monotonic()
        self._first: dict[int, float] = {}
        self._shares: dict[int, float] = {}

    def share(self, position: int, share: float) -> None:
        """Note how far a job is; what a resumed job had done before is not counted as work."""
        self._first.setdefault(position, share if share < 1 else 0.0)
        self._shares[position] = share

    @property
    def seconds(self) -> float | None:
        """The time left at the rate so far; None until something is done."""
        now = sum(self._shares.values()) - sum(self._first.values())
        if now <= 0:
            return None
        rate = now / (time.monotonic() - self._begun)
        return (self._n_jobs - sum(self._shares.values())) / rate

    @property
    def text(self) -> str:
        """The time left as it is shown."""
        return "?" if self.seconds is None else str(timedelta(seconds=round(self.seconds)))


def _say_result(result: Any) -> str:
    """The numbers of a result by name, and the names of what is true; nothing else is shown."""
    if not isinstance(result, dict):
        return ""
    truths = [k for k, v in result.items() if v is True]
    numbers = {k: v for k, v in result.items() if isinstance(v, int | float) and v is not True}
    return "  ".join([*(f"{k} {v:.3g}" for k, v in numbers.items() if v is not False), *truths])
