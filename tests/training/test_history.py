"""The weights vouch for the history beside them."""

from pathlib import Path

import pytest

import gordium as gd
from gordium.history import HISTORY
from gordium.methods import BetaVAE
from gordium.networks import Linear
from gordium.training import Recording


def trained(folder: Path, room, report=None):
    recording = Recording(record_every=1, checkpoint_seconds=0, report_seconds=0)
    options = {"latent_dim": 2, "steps": 4, "architecture": Linear()}
    return gd.train(BetaVAE(), room, folder=folder, recording=recording, report=report, **options)


def changed(folder: Path) -> None:
    text = (folder / HISTORY).read_text()
    at = text.index(".") + 1
    (folder / HISTORY).write_text(text[:at] + str(9 - int(text[at])) + text[at + 1 :])


@pytest.mark.parametrize("harm", [changed, lambda folder: (folder / HISTORY).unlink()])
@pytest.mark.parametrize("is_cut", [False, True])
def test_a_history_that_was_changed_or_deleted_is_an_error(tmp_path, room, harm, is_cut) -> None:
    def cut(done: int, total: int, note: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    if is_cut:
        with pytest.raises(KeyboardInterrupt):
            trained(tmp_path, room, report=cut)
    else:
        trained(tmp_path, room)
    harm(tmp_path)
    with pytest.raises(ValueError, match=r"history\.jsonl is damaged.*start again"):
        trained(tmp_path, room)
