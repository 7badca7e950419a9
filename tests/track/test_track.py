"""Trackers hear of each step once, and change nothing."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.inline import inline

import gordium as gd
from gordium.methods import BetaVAE
from gordium.networks import Linear
from gordium.spec import RunSpec
from gordium.study.jobs import train_and_score
from gordium.study.plan import make_plan
from gordium.study.read import study_of
from gordium.study.runner import run_study
from gordium.study.store import Store
from gordium.study.tasks import Wanted
from gordium.track import TRACKERS, Tracked, new_tracker
from gordium.training import Recording, Settings

CONFIG = {"hash": "0123", "declaration": {"kind": "run", "method": {"name": "beta-vae"}}}


class Listener:
    heard: list[tuple[Any, ...]]

    def start(self, config: Any, folder: Path) -> None:
        self.heard.append(("start", config["hash"]))

    def log(self, step: int, values: Any) -> None:
        self.heard.append((step, sorted(values)))

    def end(self, scores: Any) -> None:
        self.heard.append(("end", dict(scores)))

    def fail(self) -> None:
        self.heard.append(("fail", None))


@pytest.fixture
def heard(monkeypatch):
    Listener.heard = []
    monkeypatch.setitem(TRACKERS, "listener", Listener)
    return Listener.heard


def trained(room, folder, track=None, report=None):
    with Tracked(track, folder, CONFIG) as tracked:
        return gd.train(
            BetaVAE(),
            room,
            latent_dim=2,
            steps=40,
            architecture=Linear(),
            folder=folder,
            report=report,
            recording=Recording(record_every=10, report_seconds=0.0),
            log=tracked.log,
        )


def test_a_tracker_hears_of_each_row_of_the_history(room, tmp_path, heard):
    trained(room, tmp_path, "listener")
    names = ["kl", "loss", "reconstruction"]
    steps = [(step, names) for step in (10, 20, 30, 40)]
    assert heard == [("start", "0123"), *steps, ("end", {})]


def test_tracking_changes_no_byte(room, tmp_path, heard):
    trained(room, tmp_path / "a")
    trained(room, tmp_path / "b", "listener")
    for name in ("model.safetensors", "history.jsonl", "config.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_run_that_was_killed_logs_no_step_twice(room, tmp_path, heard):
    def die(done: int, total: int, note: str) -> None:
        if done == 25:  # without a checkpoint: it starts anew, from step 0
            raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        trained(room, tmp_path, "listener", die)
    trained(room, tmp_path, "listener")
    assert [item[0] for item in heard if isinstance(item[0], int)] == [10, 20, 30, 40]
    assert heard.count(("start", "0123")) == 2
    assert [what for what, _ in heard if what in ("end", "fail")] == ["fail", "end"]


def test_the_scores_of_a_run_come_last(room, tmp_path, heard):
    settings = Settings(latent_dim=2, steps=5, architecture=Linear())
    spec = RunSpec.of(BetaVAE(), room, settings)
    found = train_and_score(spec, str(tmp_path), Wanted(track="listener"))
    assert heard[-1] == ("end", {name: float(value) for name, value in found.items()})
    n = len(heard)
    train_and_score(spec, str(tmp_path), Wanted(track="listener"))
    assert len(heard) == n  # it was finished


def test_a_study_tracks_each_of_its_runs(tmp_path, heard):
    study = study_of(
        {
            "name": "short",
            "metrics": ["mcc"],
            "seeds": 2,
            "settings": {"steps": 3, "architecture": "linear", "likelihood": "gaussian"},
            "data": {"square": {"name": "synthetic-linear", "n": 50}},
            "method": {"beta-vae": {}},
        }
    )
    store = Store(tmp_path)
    run_study(study, store, engine=inline, track="listener")
    keys = [node.key for node in make_plan(study, store).nodes]
    assert [name for what, name in heard if what == "start"] == keys
    assert [what for what, _ in heard].count("end") == 2
    assert all("mcc" in scores for what, scores in heard if what == "end")


def test_tensorboard_reads_the_history(room, tmp_path):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = trained(room, tmp_path, "tensorboard")
    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    found = [(event.step, event.value) for event in events.Scalars("train/loss")]
    assert found == [(row["step"], float(np.float32(row["loss"]))) for row in run.history]


class FakeMLflow:
    def __init__(self) -> None:
        self.runs: dict[str, Any] = {}
        self.calls: list[Any] = []

    def search_runs(self, filter_string: str, output_format: str) -> list[Any]:
        assert output_format == "list"
        tags = [tag for tag in self.runs if f"'{tag}'" in filter_string]
        return [SimpleNamespace(info=SimpleNamespace(run_id=self.runs[tag])) for tag in tags]

    def start_run(self, run_id: str | None, run_name: str) -> None:
        self.calls.append(("start", run_id))

    def set_tag(self, name: str, value: str) -> None:
        self.runs[value] = f"id of {value}"

    def log_params(self, values: Any) -> None:
        self.calls.append(("params", values))

    def log_metrics(self, values: Any, step: int | None = None) -> None:
        self.calls.append((step, values))

    def end_run(self, status: str = "FINISHED") -> None:
        self.calls.append("end" if status == "FINISHED" else status)


def test_mlflow_goes_on_with_the_run_of_the_same_hash(monkeypatch, tmp_path):
    fake = FakeMLflow()
    monkeypatch.setitem(sys.modules, "mlflow", fake)
    with Tracked("mlflow", tmp_path, CONFIG) as first:
        first.log(1, {"loss": 2.0})
    with Tracked("mlflow", tmp_path, CONFIG) as again:
        again.log(1, {"loss": 2.0})
        again.log(2, {"loss": 1.0})
        again.end({"mig": 0.5, "active units": None})
    params = {"kind": "run", "method.name": "beta-vae"}
    assert fake.calls[:4] == [("start", None), ("params", params), (1, {"loss": 2.0}), "end"]
    assert fake.calls[4:6] == [("start", "id of 0123"), (2, {"loss": 1.0})]
    assert fake.calls[6:] == [(None, {"score.mig": 0.5}), "end"]


def test_a_failed_run_is_closed_as_failed(monkeypatch, tmp_path):
    mlflow, codes = FakeMLflow(), []
    run = SimpleNamespace(log=lambda values, step: None, finish=lambda **how: codes.append(how))
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)
    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=lambda **options: run))

    def interrupt(name: str) -> None:
        with Tracked(name, tmp_path, CONFIG) as tracked:
            tracked.log(1, {"loss": 2.0})
            raise KeyboardInterrupt

    for name in ("mlflow", "wandb", "tensorboard"):
        with pytest.raises(KeyboardInterrupt):
            interrupt(name)
    assert mlflow.calls[-1] == "FAILED"
    assert codes == [{"exit_code": 1}]


def test_wandb_goes_on_with_the_run_of_the_same_id(monkeypatch, tmp_path):
    logged: list[Any] = []
    run = SimpleNamespace(
        log=lambda values, step: logged.append((step, values)),
        summary={},
        finish=lambda: logged.append("end"),
    )

    def init(**options: Any) -> Any:
        logged.append((options["id"], options["resume"], options["project"]))
        return run

    monkeypatch.delenv("WANDB_PROJECT", raising=False)
    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=init))
    with Tracked("wandb", tmp_path, CONFIG) as tracked:
        tracked.log(1, {"loss": 2.0})
        tracked.end({"mig": 0.5})
    assert logged == [("0123", "allow", "gordium"), (1, {"loss": 2.0}), "end"]
    assert run.summary == {"score/mig": 0.5}


def test_unknown_and_missing_trackers_are_named(monkeypatch):
    with pytest.raises(ValueError, match=r"unknown tracker 'tensorbord'. Did you mean tensorboard"):
        new_tracker("tensorbord")
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(ValueError, match=r"this tracker needs wandb: pip install wandb"):
        new_tracker("wandb")
