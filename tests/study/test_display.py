"""What is seen of a study while it runs: counts, time left and scores."""

import time

import pytest
from rich.console import Console

from gordium.study import display as display_file
from gordium.study.display import Counts, Display, TimeLeft


def seen(display: Display) -> str:
    console = Console(width=150, force_terminal=False)
    with console.capture() as capture:
        console.print(display)
    return capture.get()


def cells(display: Display) -> list[str]:
    [line] = [line for line in seen(display).splitlines() if "runs" in line]
    return [cell.strip() for cell in line.strip("│").split("│")][1:6]


def test_each_run_is_counted_once(monkeypatch):
    monkeypatch.setattr(display_file.sys.stderr, "isatty", lambda: True, raising=False)
    view = Display("mine", 4, Counts(waiting=2, done=5, failed=1, over_pruned=3))
    # waiting (4 jobs and 2 that are not jobs yet), running, done, failed, over-pruned
    assert cells(view) == ["6", "0", "5", "1", "3"]
    for position in range(3):
        view.start(position, f"run {position}")
    assert cells(view) == ["3", "3", "5", "1", "3"]
    view.finish(0, "run 0", {"mig": 0.25, "active units": 2, "over-pruned": True}, None)
    view.finish(1, "run 1", None, "the loss is not finite")
    assert cells(view) == ["3", "1", "6", "2", "4"]
    view.finish(2, "run 2", None, "killed", died=True)  # it is tried again
    assert cells(view) == ["4", "0", "6", "2", "4"]
    assert "run 0  mig 0.25  active units 2  over-pruned" in seen(view)


def test_without_a_terminal_each_end_is_a_line(capsys):
    with Display("mine", 2) as view:
        view.start(0, "room beta-vae 8")
        view.finish(0, "room beta-vae 8", {"mig": 0.5, "over-pruned": False}, None)
    line = " ".join(capsys.readouterr().err.split())
    assert line.startswith("[1/2] room beta-vae 8 mig 0.5 (waiting 1, running 0, done 1, failed 0")
    assert "over-pruned 0, left 0:00:0" in line


def test_the_time_left_counts_the_work_of_now_only(monkeypatch):
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    left = TimeLeft(3)
    assert left.text == "?"
    left.share(0, 0.5)  # goes on from a checkpoint
    assert left.seconds is None
    now = 110.0
    left.share(0, 1.0)
    # Half a job in 10 s; two jobs are left.
    assert left.seconds == pytest.approx(40.0)
    assert left.text == "0:00:40"


def test_the_counter_is_of_the_whole_study_and_only_grows(capsys):
    with Display("mine", 2, Counts(waiting=3, done=4, failed=1)) as view:
        view.start(0, "a")
        view.finish(0, "a", None, "killed", died=True)
        view.start(0, "a")
        view.finish(0, "a", {"mig": 0.5}, None)
    with Display("mine", 4, Counts(waiting=0, done=5, failed=1)) as view:  # the next round
        view.start(0, "b [draft]")
        view.finish(0, "b [draft]", {"mig": 0.5}, None)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in lines] == ["[5/10]", "[6/10]", "[7/10]"]
    assert "tried again" in lines[0]
    assert "b [draft]" in lines[2]


def test_a_log_has_a_sign_of_life_while_runs_are_long(capsys, monkeypatch):
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with Display("mine", 2) as view:
        view.start(0, "a")
        now = 20.0
        view.progress(0, 1, 10, "")
        now = 60.0
        view.progress(0, 3, 10, "")
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("  [0/2] 1 at work  (waiting 1, running 1, done 0")
    assert "left 0:0" in line
