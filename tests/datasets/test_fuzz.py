"""Some damaged files of each format; `python tests/datasets/fuzz.py` reads many more."""

import pytest

from . import fuzz


@pytest.mark.parametrize("name", fuzz.FORMATS)
def test_damaged_files_are_read_or_refused_by_name(name, tmp_path, monkeypatch):
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "cache"))
    found = fuzz.fuzz(name, 200, tmp_path)
    assert found.wrong == []
    assert found.read >= 1  # the first ones are not damaged
    assert found.refused >= 100


def test_the_fuzzer_tells_what_a_reader_does_wrong(tmp_path, monkeypatch):
    def careless(path):
        import pickle

        if path.read_bytes()[:1] == b"\x80":
            pickle.loads(path.read_bytes())
        raise KeyError("x")

    seeds = [(fuzz.pickle.dumps(fuzz.Marker()), fuzz.plain)]
    monkeypatch.setitem(fuzz.FORMATS, "bad", lambda: fuzz.Format("bad", seeds, careless))
    found = fuzz.fuzz("bad", 1, tmp_path)
    assert found.wrong == ["0: KeyError('x')", "0: a pickle was run"]
