"""What a quick command does not wait for."""

import json
import subprocess
import sys

import numpy as np

EVALUATE = """
import json, sys
sys.argv = ["gordium", "evaluate", sys.argv[1]]
from gordium.cli import main
try:
    main()
except SystemExit as done:
    assert done.code == 0
heavy = ("torch", "sklearn", "pandas", "matplotlib", "numba", "scipy", "h5py", "PIL")
json.dump([name for name in heavy if name in sys.modules], sys.stderr)
"""


def test_a_file_is_scored_by_mig_with_no_package_that_mig_does_not_use(tmp_path):
    factors = np.random.default_rng(0).integers(3, size=(300, 2))
    np.savez(tmp_path / "mine.npz", codes=factors + 0.25, factors=factors)
    command = [sys.executable, "-c", EVALUATE, str(tmp_path / "mine.npz")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "mig" in done.stdout
    assert json.loads(done.stderr.splitlines()[-1]) == []


def test_a_runner_can_start_its_workers_before_it_loads_what_it_plans_with():
    program = (
        "import sys, gordium.cli.study, gordium.study.local_engine; print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
