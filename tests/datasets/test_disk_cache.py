import numpy as np
import pytest

from gordium.datasets.disk_cache import load_cached, load_or_render

TABLE = np.arange(60, dtype=np.uint16).reshape(5, 12)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path))
    return tmp_path


def table(made):
    """The table `kept` as "t"; `made` counts how often it had to be made."""

    def rows():
        made.append(1)
        yield TABLE[:2]
        yield TABLE[2:]

    return load_cached("t", TABLE.shape, np.uint16, rows)


def test_a_table_is_made_once_and_mapped(folder):
    made = []
    for _ in range(3):
        found = table(made)
        assert isinstance(found.base, np.memmap)
        assert np.array_equal(found, TABLE)
    assert len(made) == 1
    assert [path.name for path in folder.iterdir()] == ["t.npy"]


def cut(content):
    return content[:-50]


def empty(content):
    return b""


def flipped(content):
    return content[:-40] + bytes([content[-40] ^ 1]) + content[-39:]


def another_shape(content):
    return content.replace(b"(5, 12)", b"(12, 5)")


@pytest.mark.parametrize("damage", [cut, empty, flipped, another_shape])
def test_a_damaged_table_is_made_again(folder, damage):
    made = []
    table(made)
    path = folder / "t.npy"
    path.write_bytes(damage(path.read_bytes()))
    assert np.array_equal(table(made), TABLE)
    assert len(made) == 2


def test_without_a_place_to_write_there_is_no_table(folder, monkeypatch):
    (folder / "file").write_text("in the way")
    monkeypatch.setenv("GORDIUM_CACHE", str(folder / "file" / "below"))
    assert table([]) is None


def test_an_error_in_the_making_leaves_nothing(folder):
    def rows():
        yield TABLE[:2]
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        load_cached("t", TABLE.shape, np.uint16, rows)
    assert not list(folder.iterdir())


def test_where_nothing_can_be_kept_the_table_is_made_in_memory(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "file" / "folder"))
    found = load_or_render("t", (5, 3, 4), lambda: iter((TABLE[:2], TABLE[2:])), np.uint16)
    assert np.array_equal(found, TABLE.reshape(5, 3, 4))
