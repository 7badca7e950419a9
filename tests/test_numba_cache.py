"""Compiled functions work where nothing can be kept."""

import importlib.util
import subprocess
import sys

import pytest
from numba.core.caching import FunctionCache

from gordium.numba_cache import compile_cached, list_compiled

NOWHERE = """
import numba.core.caching as caching
def nowhere(*args):
    raise RuntimeError("cannot cache function: no locator available")
caching.FunctionCache._impl_class = nowhere
import gordium.datasets.rendering.raster
import gordium.metrics._boosting_kernels
from gordium.metrics import METRICS
rows = [[0, 1], [1, 0], [0, 0], [1, 1]]
print(METRICS["mig"](rows, rows, bins=2))
"""


def double(x):
    return 2 * x


def test_without_a_place_for_the_cache_a_function_is_compiled_all_the_same(monkeypatch):
    def nowhere(*args):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(FunctionCache, "_impl_class", nowhere)
    assert compile_cached()(double)(21) == 42


def test_a_disk_that_takes_no_more_is_no_error(monkeypatch):
    tried = []

    def full(*args):
        tried.append(args)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FunctionCache, "_save_overload", full)
    assert compile_cached()(double)(4) == 8
    assert len(tried) == 1


def test_metrics_and_rendering_are_imported_from_an_installation_that_cannot_be_written():
    done = subprocess.run([sys.executable, "-c", NOWHERE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # Bits that stand for themselves: the whole gap.
    assert float(done.stdout) == pytest.approx(1)


def test_the_files_of_a_module_are_listed_and_no_others(tmp_path):
    path = tmp_path / "loops.py"
    path.write_text(
        "from gordium.numba_cache import compile_cached\n"
        "@compile_cached()\ndef double(x):\n    return 2 * x\n"
    )
    spec = importlib.util.spec_from_file_location("loops", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.double(3) == 6
    (tmp_path / "__pycache__" / "other.double-2.py312.nbi").touch()
    (tmp_path / "__pycache__" / "loops.cpython-312.pyc").touch()
    # numba writes an index and, for the one type of arguments, one file of code.
    assert sorted(file.suffix for file in list_compiled(module)) == [".nbc", ".nbi"]
    assert all(file.name.startswith("loops.double-2.") for file in list_compiled(module))
