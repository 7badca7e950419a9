"""TensorBoard: event files in the run's folder, for `tensorboard --logdir`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, final

from gordium.track.base import import_package

FOLDER = "tensorboard"


@final
class TensorBoard:
    """Logs a run to a folder that TensorBoard shows."""

    def __init__(self) -> None:
        board = import_package("torch.utils.tensorboard", "'gordium[track]'")
        self._new_writer = board.SummaryWriter

    def start(self, config: Mapping[str, Any], folder: Path) -> None:
        place = folder / FOLDER
        is_new = not place.exists()
        self._writer = self._new_writer(str(place))
        if is_new:
            self._writer.add_text("declaration", f"```{json.dumps(config, indent=2)}```", 0)

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Log to disk at once: what is marked as logged must not be lost with the process."""
        for name, value in values.items():
            self._writer.add_scalar(f"train/{name}", value, step)
        self._writer.flush()

    def end(self, scores: Mapping[str, float]) -> None:
        for name, value in scores.items():
            self._writer.add_scalar(f"score/{name}", value, 0)
        self._writer.close()

    def fail(self) -> None:
        self._writer.close()
