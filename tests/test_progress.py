"""Progress without a terminal: a line now and then, with the time left; in a notebook, a bar."""

import sys
from types import SimpleNamespace

import pytest

from gordium import progress as progress_file
from gordium.progress import QUIET, in_notebook, progress


@pytest.fixture
def clock(monkeypatch):
    """Time that passes when the test says so."""
    now = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(progress_file.time, "monotonic", lambda: now.seconds)
    monkeypatch.delenv(QUIET, raising=False)
    return now


def test_a_log_has_a_line_every_half_minute_with_the_time_left(clock, capsys):
    with progress("training", 1000) as advance:
        advance(10)
        clock.seconds = 40.0
        advance(190, "loss 3")
        clock.seconds = 50.0
        advance(50)
        clock.seconds = 80.0
        advance(150)
    assert capsys.readouterr().err.splitlines() == [
        "training: 200/1,000 (20 %), 5.0/s, 0:02:40 left  loss 3",
        "training: 400/1,000 (40 %), 5.0/s, 0:02:00 left",
    ]


def test_work_of_before_is_no_speed_of_now(clock, capsys):
    with progress("training", 1000, done=900) as advance:
        clock.seconds = 50.0
        advance(50)
    assert capsys.readouterr().err == "training: 950/1,000 (95 %), 1.0/s, 0:00:50 left\n"


@pytest.mark.parametrize("how", ["quiet", "told"])
def test_nothing_is_said_where_nobody_asked(how, clock, capsys, monkeypatch):
    if how == "quiet":
        monkeypatch.setenv(QUIET, "1")
    with progress("training", 10, show=False if how == "told" else None) as advance:
        clock.seconds = 99.0
        advance(5)
    assert capsys.readouterr().err == ""


def test_a_notebook_is_known_by_its_shell(monkeypatch):
    assert not in_notebook()
    shell = type("ZMQInteractiveShell", (), {})()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert in_notebook()
