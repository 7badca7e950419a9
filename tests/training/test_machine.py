"""What training asks of the machine: freed memory is kept in large pages, tiny floats are zero."""

import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from gordium.training.loop import Task, run_steps
from gordium.training.machine import flush_denormals

SETTING = Path("/sys/kernel/mm/transparent_hugepage/enabled")
SCRIPT = """
from pathlib import Path
import numpy
from gordium.training.machine import keep_freed_memory
keep_freed_memory()
keep_freed_memory()
block = numpy.ones(1 << 22)
place = block.__array_interface__["data"][0] + (1 << 24)
print(f"{place:x}")
print(Path("/proc/self/smaps").read_text())
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or not SETTING.exists(), reason="no glibc, or no large pages"
)
def test_what_is_allocated_next_is_marked_for_large_pages():
    command = [sys.executable, "-c", SCRIPT]
    place, _, maps = subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout.partition("\n")
    parts = re.findall(r"^([0-9a-f]+)-([0-9a-f]+) .*?VmFlags: ([a-z ]+)$", maps, re.M | re.S)
    (flags,) = [
        some.split()
        for start, end, some in parts
        if int(start, 16) <= int(place, 16) < int(end, 16)
    ]
    assert "hg" in flags


def product_of_small_numbers() -> float:
    return float(torch.tensor(1e-20) * 1e-20)


def test_a_step_counts_denormal_numbers_as_zero_and_what_comes_after_does_not():
    seen = []

    def step(i: int) -> dict[str, torch.Tensor]:
        seen.append(product_of_small_numbers())
        return {"loss": torch.zeros(())}

    run_steps(Task("a task", 1, step, {}), report=lambda *told: None)
    assert seen == [0.0]
    assert product_of_small_numbers() == pytest.approx(1e-40, rel=1e-3)


def test_flushing_twice_ends_with_the_outer_block():
    with flush_denormals():
        with flush_denormals():
            pass
        assert product_of_small_numbers() == 0.0
    assert product_of_small_numbers() > 0
