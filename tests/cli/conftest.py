"""The command, run in a process of its own, on 120 small images."""

import os
import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def gordium():
    """Run `gordium ...` and give what it printed and its exit code."""

    def run(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-m", "gordium", *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            timeout=900,  # against hanging, also on a busy machine
            env={**os.environ, "COLUMNS": "160", "OMP_NUM_THREADS": "1", **environment},
        )

    return run


@pytest.fixture(scope="session")
def small():
    """Options of a cube in a room: scale and orientation are free; linear networks."""
    held = {"floor_hue": 0, "wall_hue": 5, "object_hue": 8, "shape": 0}
    holds = [part for name, value in held.items() for part in ("--hold", f"{name}={value}")]
    return ["shapes3d", *holds, "--size", "16", "--architecture", "linear"]


@pytest.fixture(scope="session")
def finished_run(gordium, small, tmp_path_factory):
    """The folder of five steps of training."""
    folder = tmp_path_factory.mktemp("cli") / "run"
    done = gordium("train", *small, "--steps", 5, "--set", "beta=2", "--out", folder)
    assert done.returncode == 0, done.stderr
    return folder
