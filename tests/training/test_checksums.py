import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from gordium.training.checkpoint import add_checksum, identity_of, load_tensors, save_tensors

TENSORS = {
    "a": torch.arange(6, dtype=torch.float32).reshape(2, 3),
    "b": torch.tensor(7, dtype=torch.int64),
    "c": torch.zeros(0),
}


def test_what_was_written_is_read_again(tmp_path):
    save_tensors(tmp_path / "x", TENSORS, step=3, names=["a"])
    found, metadata = load_tensors(tmp_path / "x")
    assert metadata == {"step": 3, "names": ["a"]}
    assert all(torch.equal(found[name], TENSORS[name]) for name in TENSORS)


def test_every_flipped_bit_is_refused_or_changes_nothing(tmp_path):
    save_tensors(tmp_path / "x", TENSORS, step=3)
    content = bytearray((tmp_path / "x").read_bytes())
    refused = 0
    for place in range(len(content)):
        for bit in (0, 5):
            flipped = bytearray(content)
            flipped[place] ^= 1 << bit
            (tmp_path / "y").write_bytes(flipped)
            try:
                found, metadata = load_tensors(tmp_path / "y")
            except ValueError as error:
                refused += str(tmp_path / "y") in str(error)
            else:
                assert metadata == {"step": 3}
                assert all(torch.equal(found[name], TENSORS[name]) for name in TENSORS)
    # All bytes of tensors count; in the header a few (blanks at its end) mean nothing.
    assert refused > 2 * len(content) * 0.9


def test_a_file_of_before_warns_once_and_keeps_its_identity(tmp_path):
    path = tmp_path / "old.safetensors"
    save_file({"a": TENSORS["a"]}, path, metadata={})
    before = identity_of(path)
    with pytest.warns(UserWarning, match="without a checksum: it is used unchecked"):
        load_tensors(path)
    add_checksum(path)
    assert identity_of(path) == before
    np.testing.assert_array_equal(load_tensors(path)[0]["a"], TENSORS["a"])
