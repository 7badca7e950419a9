"""Ctrl-C in the middle of a training: it says so, has saved, and goes on to the same bits."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from gordium.training.checkpoint import load_tensors

STEPS = 1500  # some seconds; Ctrl-C comes with the first sign of progress
STOPPED = 130
MODEL, CHECKPOINT, HISTORY = "model.safetensors", "checkpoint.safetensors", "history.jsonl"


@pytest.fixture
def command(small):
    return ["train", *small, "--set", "beta=0.5", "--batch-size", 4, "--steps", STEPS, "--out"]


@contextmanager
def on_a_terminal(*arguments):
    """`gordium ...` as a process and the terminal it writes to; it is killed at the end."""
    terminal, its_side = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gordium", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=its_side,
        env={**os.environ, "OMP_NUM_THREADS": "1", "COLUMNS": "160", "TERM": "xterm"},
        # A runner in the background ignores Ctrl-C, and what it starts would too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(its_side)
    try:
        yield process, terminal
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def read(terminal, until="", seconds=600.0):
    """What appears on the terminal, up to the first match of `until` or the end."""
    text, end = "", time.monotonic() + seconds
    while not (until and re.search(until, text)):
        assert time.monotonic() < end, text
        try:
            block = os.read(terminal, 4096)
        except OSError:  # how Linux says that the other side is closed
            block = b""
        if not block:
            break
        text += block.decode(errors="replace")
    return text


def test_it_says_so_has_saved_and_goes_on_to_the_same_bits(gordium, command, tmp_path):
    cut, whole = tmp_path / "cut", tmp_path / "whole"
    with on_a_terminal(*command, cut) as (process, terminal):
        # A step that is counted was taken inside the loop, which then listens for Ctrl-C.
        read(terminal, until=rf"[1-9]\d*/{STEPS}")
        process.send_signal(signal.SIGINT)
        last_words = read(terminal)
        assert process.wait(timeout=300) == STOPPED
    assert "stopped; the same command goes on from here." in last_words
    assert "Traceback" not in last_words
    assert 0 < load_tensors(cut / CHECKPOINT)[1]["step"] < STEPS
    assert not (cut / MODEL).exists()
    for folder in (cut, whole):
        done = gordium(*command, folder)
        assert done.returncode == 0, done.stderr
    for name in (MODEL, HISTORY):
        assert (cut / name).read_bytes() == (whole / name).read_bytes()
    assert not (cut / CHECKPOINT).exists()
