"""A disk that is really full: the file-size limit of a process stands in for it."""

import resource
import subprocess
import sys

SCRIPT = """
import sys, gordium as gd
from gordium.networks import Mlp
from gordium.training import Recording
held = dict(floor_hue=0, wall_hue=5, object_hue=8, shape=0)
room = gd.datasets.in_memory(gd.load_dataset("shapes3d", size=16).hold(**held))
try:
    gd.train(gd.methods.BetaVAE(), room, steps=3, latent_dim=2, folder=sys.argv[1],
             architecture=Mlp((64,), (64,)), recording=Recording(1, checkpoint_seconds=0))
except OSError as error:
    sys.exit(str(error))
"""


def test_a_checkpoint_that_does_not_fit_is_named_and_leaves_no_half_file(tmp_path):
    def no_large_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    # The data set's own table is made first, without the limit.
    subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path / "fits")], check=True)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "run")],
        preexec_fn=no_large_files,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "could not write" in done.stderr
    assert "checkpoint.safetensors" in done.stderr
    assert {file.name for file in (tmp_path / "run").iterdir()} == {"config.json", "history.jsonl"}
