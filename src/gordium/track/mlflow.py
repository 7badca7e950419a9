"""MLflow: a run tagged by its hash, at the tracking address that MLflow is set to."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, final

from gordium.track.base import flatten, import_package

TAG = "gordium.run"


@final
class MLflow:
    """Logs a run to MLflow."""

    def __init__(self) -> None:
        self._mlflow = import_package("mlflow", "mlflow")

    def start(self, config: Mapping[str, Any], folder: Path) -> None:
        name = config["hash"]
        found = self._mlflow.search_runs(
            filter_string=f"tags.`{TAG}` = '{name}'", output_format="list"
        )
        self._mlflow.start_run(run_id=found[0].info.run_id if found else None, run_name=name)
        if not found:
            self._mlflow.set_tag(TAG, name)
            self._mlflow.log_params(flatten(config["declaration"]))

    def log(self, step: int, values: Mapping[str, float]) -> None:
        self._mlflow.log_metrics(dict(values), step=step)

    def end(self, scores: Mapping[str, float]) -> None:
        if scores:
            self._mlflow.log_metrics({f"score.{name}": v for name, v in scores.items()})
        self._mlflow.end_run()

    def fail(self) -> None:
        self._mlflow.end_run(status="FAILED")
