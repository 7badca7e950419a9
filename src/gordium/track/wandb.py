"""Weights & Biases: a run whose id is its hash; WANDB_PROJECT and WANDB_MODE have their effect."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, final

from gordium.track.base import import_package


@final
class WandB:
    """Logs a run to Weights & Biases."""

    def __init__(self) -> None:
        self._wandb = import_package("wandb", "wandb")

    def start(self, config: Mapping[str, Any], folder: Path) -> None:
        self._run = self._wandb.init(
            project=os.environ.get("WANDB_PROJECT", "gordium"),
            id=config["hash"],
            resume="allow",
            config=dict(config["declaration"]),
            dir=str(folder),
        )

    def log(self, step: int, values: Mapping[str, float]) -> None:
        self._run.log(dict(values), step=step)

    def end(self, scores: Mapping[str, float]) -> None:
        for name, value in scores.items():
            self._run.summary[f"score/{name}"] = value
        self._run.finish()

    def fail(self) -> None:
        self._run.finish(exit_code=1)
