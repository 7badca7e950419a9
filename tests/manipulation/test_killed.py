"""A manipulation that is killed again and again ends in the same bits."""

import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import pytest

import gordium as gd
from gordium.methods import BetaVAE
from gordium.networks import Mlp
from gordium.training.checkpoint import load_tensors
from gordium.training.folder import CHECKPOINT, HISTORY, MODEL

STEPS = 40
SCRIPT = f"""
import sys, torch
torch.set_num_threads(1)
import gordium as gd
from gordium.manipulation import ManipulationSettings
from gordium.training import Recording
held = dict(floor_hue=0, wall_hue=5, object_hue=8, shape=0)
room = gd.datasets.in_memory(gd.load_dataset("shapes3d", size=16).hold(**held))
runs = [gd.load_run(folder) for folder in sys.argv[3:]]
print("ready", flush=True)
gd.manipulate(room, disentangled=runs[:2], entangled=runs[2:], epsilon=0.175, folder=sys.argv[1],
              settings=ManipulationSettings(steps={STEPS}, batch_size=4),
              recording=Recording(7, checkpoint_seconds=float(sys.argv[2])))
"""


@pytest.fixture(scope="module")
def run_folders(room, tmp_path_factory):
    """Four runs, for a manipulation between two and two."""
    folders = [tmp_path_factory.mktemp("run") / str(seed) for seed in range(4)]
    for seed, folder in enumerate(folders):
        settings = {"latent_dim": 2, "architecture": Mlp((16,), (16,))}
        gd.train(BetaVAE(), room, steps=5, seed=seed, folder=folder, **settings)
    return folders


@contextmanager
def started(folder, run_folders, *, checkpoint_seconds):
    """A process that learns the manipulation, about to begin; it never outlives the block."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *map(str, (folder, checkpoint_seconds, *run_folders))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        if process.stdout.readline() != "ready\n":
            pytest.fail(process.communicate()[1])
        yield process
    finally:
        process.kill()
        process.communicate()


def learn(folder, run_folders):
    with started(folder, run_folders, checkpoint_seconds=1e9) as process:
        error = process.communicate()[1]
        assert process.returncode == 0, error


def written(file):
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def kill(process, checkpoint, n_checkpoints, seconds):
    """SIGKILL when some checkpoints were written and some time has passed: any machine's speed."""
    seen = {written(checkpoint)}
    while len(seen) <= n_checkpoints and process.poll() is None:
        seen.add(written(checkpoint))
        time.sleep(0.001)
    time.sleep(seconds)
    process.kill()
    process.wait()


def test_killed_at_random_moments_it_ends_in_the_same_bits(run_folders, tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    learn(whole, run_folders)
    rng = np.random.default_rng(0)
    reached = []
    for n_checkpoints in (0, 2, 3):
        with started(cut, run_folders, checkpoint_seconds=0) as process:
            kill(process, cut / CHECKPOINT, n_checkpoints, rng.uniform(0, 0.01))
        assert not (cut / MODEL).exists(), "it was finished before it could be killed"
        if (cut / CHECKPOINT).exists():
            reached.append(load_tensors(cut / CHECKPOINT)[1]["step"])
    assert len(reached) >= 2  # a kill leaves a checkpoint whole,
    assert reached == sorted(set(reached))  # and each start goes on from the last
    learn(cut, run_folders)
    for name in (MODEL, HISTORY):
        assert (cut / name).read_bytes() == (whole / name).read_bytes()
