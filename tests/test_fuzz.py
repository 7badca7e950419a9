"""Some damaged files of each format of our own; `python -m tests.fuzz` reads many more."""

import pytest

from gordium.evaluation.run_scores import load_representation

from . import fuzz


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    fuzz.make(folder)
    return folder


@pytest.mark.parametrize("name", fuzz.FORMATS)
def test_damaged_files_are_refused_by_name_or_read_the_same(name, made):
    found = fuzz.fuzz(name, 40, made)
    assert found.wrong == []
    assert found.refused >= 10


def test_an_array_whose_name_is_damaged_is_not_just_missing(made, tmp_path):
    """Without `kinds`, a representation would be read as one of ordered factors."""
    content = (made / "run" / "representation.npz").read_bytes()
    assert content.count(b"kinds.npy") == 2  # before the array, and in the list at the end
    head, _, tail = content.rpartition(b"kinds.npy")
    path = tmp_path / "representation.npz"
    path.write_bytes(head + b"kjnds.npy" + tail)
    with pytest.raises(ValueError, match=r"representation\.npz is damaged: it holds 'kjnds'"):
        load_representation(tmp_path)
