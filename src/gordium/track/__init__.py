"""Trackers: other programs that the numbers of a run are sent to while it is trained.

No number and no name of a run depends on its tracker. A tracker's package is imported only when
the tracker is asked for.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gordium.files import read_json, write_json
from gordium.lookup import pick
from gordium.track.base import Tracker
from gordium.track.mlflow import MLflow
from gordium.track.tensorboard import TensorBoard
from gordium.track.wandb import WandB

TRACKERS: dict[str, Callable[[], Tracker]] = {
    "tensorboard": TensorBoard,
    "mlflow": MLflow,
    "wandb": WandB,
}
MARK = "tracked.json"

__all__ = ["MARK", "TRACKERS", "Tracked", "Tracker", "new_tracker"]


def new_tracker(name: str) -> Tracker:
    """A new tracker of the kind called `name`."""
    return pick("tracker", name, TRACKERS)()


class Tracked:
    """Logs each step of a run once to the tracker called `name`, or to none.

    A step is marked in the run's folder before it is logged, so a run that goes on from a
    checkpoint skips what it logged before. A kill between the two loses that one step.
    """

    def __init__(self, name: str | None, folder: Path, config: Mapping[str, Any]) -> None:
        self._tracker = None if name is None else new_tracker(name)
        self._name, self._folder, self._config = name or "", folder, config
        self._marks: dict[str, int] = {}
        self._is_open = False

    def __enter__(self) -> "Tracked":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._tracker is None or not self._is_open:
            return
        self._is_open = False
        if kind is None:
            self._tracker.end({})
        else:
            self._tracker.fail()

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Log the numbers of a step, unless it was logged before."""
        tracker = self._open()
        if tracker is not None and step > self._marks.get(self._name, -1):
            self._marks[self._name] = step
            write_json(self._folder / MARK, self._marks)
            tracker.log(step, values)

    def end(self, scores: Mapping[str, Any]) -> None:
        """Log the scores of the finished run, but for those without a value."""
        tracker = self._open()
        if tracker is not None:
            self._is_open = False
            tracker.end({k: float(v) for k, v in scores.items() if v is not None})

    def _open(self) -> Tracker | None:
        """Start the tracker when there is something to log: the folder is the run's by then."""
        if self._tracker is not None and not self._is_open:
            mark = self._folder / MARK
            self._marks = read_json(mark) if mark.exists() else {}
            self._tracker.start(self._config, self._folder)
            self._is_open = True
        return self._tracker
