from pathlib import Path

from gordium.files import cache_folder


def test_empty_and_missing_variables_do_not_make_a_folder_here(monkeypatch):
    monkeypatch.delenv("GORDIUM_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert cache_folder() == Path.home() / ".cache" / "gordium"
    monkeypatch.setattr(Path, "home", _nobody)
    assert cache_folder().is_absolute()


def _nobody():
    raise RuntimeError("Could not determine home directory.")
