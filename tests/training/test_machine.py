"""The allocator that training asks for: freed memory is kept, and lies in large pages."""

import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
