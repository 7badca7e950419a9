"""Files are whole or not there."""

import errno
import hashlib

import pytest

from gordium.files import digest, read_json, sha256, write_json, write_text, written_whole


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, {"old": 1})

    def write_half():
        with written_whole(path) as beside:
            beside.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert read_json(path) == {"old": 1}
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_a_full_disk_is_named_and_loses_nothing(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with (
        pytest.raises(OSError, match=r"could not write .*a\.txt: No space left on device"),
        written_whole(path),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert path.read_text() == "old"


def test_damaged_json_is_named(tmp_path):
    (tmp_path / "a.json").write_text('{"half":')
    with pytest.raises(ValueError, match=r"a\.json is damaged"):
        read_json(tmp_path / "a.json")


def test_sha256_of_a_file_in_blocks(tmp_path):
    content = b"gordium" * 1_000_000
    (tmp_path / "a").write_bytes(content)
    blocks = []
    expected = hashlib.sha256(content).hexdigest()
    assert digest(tmp_path / "a", hashlib.sha256(), on_block=blocks.append) == expected
    assert sha256(tmp_path / "a") == expected
    assert sum(blocks) == len(content)
