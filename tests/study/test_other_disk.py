"""A node of a cluster that has a disk of its own: nothing is recorded that is not there."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gordium.report.study_rows import study_rows
from gordium.study.engine import Finished, Job, Outcome, attempt
from gordium.study.read import study_of
from gordium.study.runner import run_study
from gordium.study.store import RUNS, Store

TABLES = {
    "name": "short",
    "metrics": ["mcc"],
    "settings": {"steps": 5, "architecture": "linear", "likelihood": "gaussian"},
    "data": {"square": {"name": "synthetic-linear", "n": 50}},
    "method": {"beta-vae": {}},
}
RECORD = {"scores": {"mcc": 0.5}, "closing": {}}


def engine_of(do: Callable[[Job], Outcome]) -> Callable[..., list[Outcome]]:
    """An engine that does one job after another, as a node would."""

    def execute(jobs: Sequence[Job], *, take: Any, ended: Any, **options: Any) -> list[Outcome]:
        outcomes = [do(take(job)) for job in jobs]
        for outcome in outcomes:
            ended(outcome)
        return outcomes

    return execute


def test_a_node_that_does_not_see_the_folder_refuses_before_it_trains(tmp_path: Path) -> None:
    (tmp_path / "node").mkdir()

    def work_there(job: Job) -> Outcome:
        moved = replace(job, arguments=(str(tmp_path / "node"), *job.arguments[1:]))
        kind, content = attempt(moved, lambda *told: None)
        assert kind != "done"
        return Outcome(job, error=content)

    ended = run_study(study_of(TABLES), Store(tmp_path / "driver"), engine=engine_of(work_there))
    [failure] = ended.failed.values()
    assert "is not the study's folder" in failure["error"]
    assert "s3://bucket/study" in failure["error"]
    assert ended.finished == 0
    assert not list((tmp_path / "node").iterdir())


def test_a_claim_of_an_older_study_on_the_nodes_disk_is_not_taken_for_this_one(
    tmp_path: Path,
) -> None:
    driver, node = Store(tmp_path / "driver"), Store(tmp_path / "node")
    for store in (driver, node, driver):
        claim = store.claim("a")
        assert claim is not None
        store.check_sight(claim)
        store.release(claim)
    assert claim.generation == 2
    with pytest.raises(FileNotFoundError, match=r"node on .* is not the study's folder"):
        node.check_sight(claim)


def test_a_result_whose_folder_is_absent_fails_and_is_not_recorded(tmp_path: Path) -> None:
    store = Store(tmp_path)

    def claim_success(job: Job) -> Outcome:
        return Outcome(job, Finished(RUNS, {}, {**RECORD}))

    done: list[str] = []
    engine = engine_of(claim_success)
    ended = run_study(study_of(TABLES), store, engine=engine, after_each=done.append)
    [failure] = ended.failed.values()
    assert "said to be finished" in failure["error"]
    assert "nothing was recorded" in failure["error"]
    assert "--retry-failed" in failure["error"]
    assert not done
    assert not store.read_finished()
    assert [row.failed for row in study_rows(store)] == [True]
    assert not store.list_claimed()


def test_a_result_without_a_folder_is_refused_by_the_store(tmp_path: Path) -> None:
    store = Store(tmp_path)
    claim = store.claim("a")
    assert claim is not None
    with pytest.raises(FileNotFoundError, match=r"neither .* nor .* nothing was recorded"):
        store.finish(claim, RUNS, {**RECORD})
    assert store.result("a") is None
    store.work_folder(claim).mkdir(parents=True)
    assert store.finish(claim, RUNS, {**RECORD})
    again = store.claim("a")  # it is scored once more, where it is
    assert again is not None
    assert store.finish(again, RUNS, {**RECORD})
