"""Files are whole or not there."""

import errno
import hashlib
import os

import pytest

from gordium.files import (
    digest,
    read_json,
    read_sealed,
    seal,
    seal_sorted,
    sha256,
    unseal,
    unseal_all,
    write_json,
    write_sealed,
    write_text,
    write_whole,
)


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, {"old": 1})

    def write_half():
        with write_whole(path) as beside:
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
        write_whole(path),
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


def test_a_sealed_table_is_what_was_given_and_a_changed_one_is_refused(tmp_path):
    path = tmp_path / "a.json"
    table = {"b": 0.1, "a": [1, {"c": None}], "d": "ü"}
    write_sealed(path, table)
    assert read_sealed(path, ()) == table
    text = path.read_text()
    for changed in (
        text.replace("0.1", "0.2"),
        text.replace("checksum", "checksun"),
        "[]",
        "[" * 9999,
    ):
        path.write_text(changed)
        with pytest.raises(ValueError, match=r"a\.json is damaged: .*Delete it and start again"):
            read_sealed(path, table)


def test_a_table_from_before_is_taken_if_it_holds_nothing_else(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}')
    assert read_sealed(path, ("a", "b")) == {"a": 1}
    with pytest.raises(ValueError, match="it has no checksum"):
        read_sealed(path, ("b",))


def test_what_killed_writers_left_goes_after_an_hour(tmp_path):
    old, new, other = (tmp_path / f".{name}" for name in ("a.json.1.x", "a.json.2.y", "b.json.1.x"))
    for path in (old, new, other):
        path.touch()
    for path in (old, other):
        os.utime(path, (0, 0))
    write_json(tmp_path / "a.json", {})
    assert [path.exists() for path in (old, new, other)] == [False, True, True]


TABLES = [{"b": {"d": 1, "c": 2}, "a": 'é, "checksum": x}'}, {}, {"a": [{"z": 1.5}, None]}]


@pytest.mark.parametrize("write", [seal, seal_sorted])
def test_tables_unsealed_at_once_are_those_unsealed_one_by_one(write):
    texts = [write(table) for table in TABLES]
    assert [unseal(text) for text in texts] == unseal_all(texts) == TABLES
    # Rows show hyperparameters in the order in which they were given.
    assert list(unseal_all([seal(TABLES[0])])[0]["b"]) == ["d", "c"]


@pytest.mark.parametrize("write", [seal, seal_sorted])
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text.replace("1.5", "2.5"), "does not match its checksum"),
        (lambda text: text.replace('"checksum"', '"checksun"'), "no checksum"),
        (lambda text: f"{text},{text}", "Extra data"),
        (lambda text: text[:-1], "Expecting"),
        (lambda text: "[1]", "no table"),
    ],
)
def test_one_damaged_table_among_many_is_refused(write, damage, said):
    texts = [write(table) for table in TABLES]
    texts[2] = damage(texts[2])
    with pytest.raises(ValueError, match=said):
        unseal_all(texts)
