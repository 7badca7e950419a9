"""Worker processes: results in order, failures kept apart, a dead worker survived."""

import os
import signal
import subprocess
import sys
import time

import pytest

from gordium.study.engine import Job
from gordium.study.local_engine import execute, start_workers


def double(x, *, report):
    report(1, 1, "")
    return {"twice": 2 * x}


def fail(message, *, report):
    raise ValueError(message)


def crash(*, report):
    return [].nothing


def die(*, report):
    os.kill(os.getpid(), signal.SIGKILL)


def name_device(number, *, report):
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return os.environ.get("GORDIUM_DEVICES")


def count_threads(*, report):
    import torch

    return torch.get_num_threads(), os.environ["OMP_NUM_THREADS"]


@pytest.fixture(scope="module")
def outcomes():
    jobs = [
        Job("one", double, (1,)),
        Job("wrong", fail, ("the argument is wrong",)),
        Job("two", double, (2,)),
        Job("bug", crash, ()),
        Job("killed", die, ()),
        Job("three", double, (3,)),
        Job("threads", count_threads, ()),
    ]
    return execute(jobs, workers=2)


def test_results_come_in_the_order_of_the_jobs(outcomes):
    assert [o.result for o in outcomes if o.job.function is double] == [
        {"twice": 2},
        {"twice": 4},
        {"twice": 6},
    ]


def test_an_error_is_kept_and_the_others_go_on(outcomes):
    assert outcomes[1].error == "the argument is wrong"
    assert "Traceback" in outcomes[3].error
    assert "has no attribute 'nothing'" in outcomes[3].error


def test_a_worker_that_dies_fails_its_job_only(outcomes):
    assert "the worker process died" in outcomes[4].error


def test_workers_have_one_thread(outcomes):
    assert outcomes[6].result == (1, "1")


def meet(folder, number, *, report):
    (folder / str(number)).touch()
    while len(list(folder.iterdir())) < 3:  # so that each of three workers has one job
        time.sleep(0.01)
    return os.environ.get("GORDIUM_DEVICES")


def test_workers_take_turns_with_devices(monkeypatch, tmp_path):
    monkeypatch.setenv("GORDIUM_DEVICES", "fake:0,fake:1")
    found = execute([Job(str(i), meet, (tmp_path, i)) for i in range(3)], workers=3)
    assert sorted(outcome.result for outcome in found) == ["fake:0", "fake:0", "fake:1"]
    assert os.environ["GORDIUM_DEVICES"] == "fake:0,fake:1"


def test_a_worker_that_dies_is_replaced_on_its_device(monkeypatch):
    monkeypatch.setenv("GORDIUM_DEVICES", "fake:1")
    killed, after = execute([Job(str(i), name_device, (i,)) for i in (2, 3)], workers=1)
    assert "the worker process died" in killed.error
    assert after.result == "fake:1"


def test_no_jobs_are_no_work():
    assert execute([]) == []


def test_workers_must_be_at_least_one():
    with pytest.raises(ValueError, match="workers must be at least 1; got 0"):
        execute([], workers=0)


def test_workers_are_gone_afterwards():
    import multiprocessing

    execute([Job("one", double, (1,))])
    assert not multiprocessing.active_children()


def identify(*, report):
    return os.getpid()


def test_started_workers_stay_for_the_next_jobs_and_are_gone_at_the_end():
    import multiprocessing

    with start_workers(1) as work_off:
        first, second = (work_off([Job("who", identify, ())])[0].result for _ in range(2))
    assert first == second != os.getpid()
    assert not multiprocessing.active_children()


def test_a_script_without_a_guard_is_told_what_it_lacks(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from gordium.study.engine import Job\n"
        "from gordium.study.local_engine import execute\n"
        "execute([Job('one', print, ())])\n"
    )
    found = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=120, check=False
    )
    assert found.returncode == 1
    assert 'must stand under `if __name__ == "__main__":`' in found.stderr
