"""Some damaged files of each format of our own; `python -m tests.fuzz` reads many more."""

import pytest

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
