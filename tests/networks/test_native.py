"""Compiling the kernels: whole or not at all, the user's own, and a word if it cannot be done."""

import os
import signal
import subprocess
import sys
import time

import pytest

from gordium.networks import _native
from gordium.networks._native import find_compiler, kernels

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no compiler")
LOAD = "from gordium.networks import kernels; found = kernels(); print(found.name, found.why)"


def loading(folder, **environment):
    variables = {**os.environ, "GORDIUM_CACHE": str(folder), **environment}
    return subprocess.Popen(
        [sys.executable, "-c", LOAD],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@needs_compiler
def test_two_processes_that_compile_at_once_both_load_one_library(tmp_path):
    both = [loading(tmp_path), loading(tmp_path)]
    for process in both:
        assert process.communicate()[0].startswith("direct-")
    (library,) = (tmp_path / "kernels").iterdir()
    assert library.suffix == ".so"


@needs_compiler
def test_a_kill_while_compiling_leaves_nothing_that_is_loaded(tmp_path):
    # A compiler that writes half a library and then takes its time, until `fast` is there.
    fake = tmp_path / "fake"
    fake.write_text(
        "#!/bin/sh\n"
        f'if [ "$1" = --version ] || [ -e {tmp_path}/fast ]; then exec {find_compiler()} "$@"; fi\n'
        'while [ "$1" != -o ]; do shift; done\n'
        f'echo half > "$2"; touch {tmp_path}/half; exec sleep 30\n'
    )
    fake.chmod(0o700)
    process = loading(tmp_path, CXX=str(fake))
    while not (tmp_path / "half").exists():
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not list((tmp_path / "kernels").iterdir())
    (tmp_path / "fast").touch()
    assert loading(tmp_path, CXX=str(fake)).communicate()[0].startswith("direct-")


@needs_compiler
@pytest.mark.parametrize("left", [0, 4096])
def test_a_damaged_library_is_compiled_again(tmp_path, left):
    (file,) = compiled(tmp_path)
    whole = file.read_bytes()
    os.truncate(file, left)
    process = loading(tmp_path)
    assert process.communicate()[0].startswith("direct-")
    assert process.returncode == 0
    assert [found.read_bytes() for found in file.parent.iterdir()] == [whole]


def compiled(cache):
    """The files that are in the cache folder once the kernels have been loaded."""
    assert loading(cache).communicate()[0].startswith("direct-")
    return list((cache / "kernels").iterdir())


@needs_compiler
def test_without_a_compiler_a_library_of_the_same_source_and_processor_is_taken(
    tmp_path, monkeypatch
):
    compiled(tmp_path)
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path))
    build = _native.name_build()
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = kernels()
    assert found.library is not None
    assert found.build == build
    changed = tmp_path / "other.cpp"
    changed.write_text("// another source")
    for name, value in {"SOURCE": changed, "processor": lambda: "another"}.items():
        with monkeypatch.context() as patch:
            patch.setattr(_native, name, value)
            with pytest.raises(OSError, match=r"there is no C\+\+ compiler"):
                _native.find_library(tmp_path / "kernels")


def test_without_a_compiler_pytorchs_path_is_taken_and_a_line_says_what_would_help(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path))
    monkeypatch.delenv("GORDIUM_QUIET", raising=False)
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert kernels() == kernels() == ("torch", None, "there is no C++ compiler", "")
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "With a C++ compiler, such as g++" in said
    assert "Set GORDIUM_KERNELS=off to hide this line" in said


def test_a_compiler_that_fails_is_quoted(tmp_path, monkeypatch):
    fake = tmp_path / "fake"
    fake.write_text('#!/bin/sh\necho "no such flag" >&2\nexit 1\n')
    fake.chmod(0o700)
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path))
    monkeypatch.setenv("CXX", str(fake))
    assert kernels().why == f"{fake} failed: no such flag"
    assert not list((tmp_path / "kernels").iterdir())


def test_the_switch(monkeypatch):
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    assert kernels() == ("torch", None, "GORDIUM_KERNELS is off", "")
    monkeypatch.setenv("GORDIUM_KERNELS", "of")
    with pytest.raises(ValueError, match="GORDIUM_KERNELS must be on, off or any; got 'of'"):
        kernels()


@needs_compiler
def test_what_others_can_write_is_not_loaded(tmp_path, monkeypatch):
    file = _native.find_library(tmp_path)
    assert file.stat().st_mode & 0o077 == 0
    file.chmod(0o722)
    with pytest.raises(OSError, match=r"others than this user may write to .*; delete it"):
        _native.find_library(tmp_path)
    file.chmod(0o700)
    assert _native.find_library(tmp_path) == file
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: file.stat().st_uid + 1)
        with pytest.raises(OSError, match="others than this user may write to"):
            _native.find_library(tmp_path)
    tmp_path.chmod(0o777)
    with pytest.raises(OSError, match="others than this user may write to"):
        _native.find_library(tmp_path)


def test_another_source_compiler_or_processor_has_another_library(tmp_path, monkeypatch):
    compilers = [tmp_path / "one", tmp_path / "two"]
    for fake in compilers:
        fake.write_text(
            f'#!/bin/sh\nif [ "$1" = --version ]; then echo {fake.name}; exit; fi\n'
            'while [ "$1" != -o ]; do shift; done\necho library > "$2"\n'
        )
        fake.chmod(0o700)
    source = tmp_path / "other.cpp"
    source.write_text("// another source")

    def find(compiler, **changes):
        with monkeypatch.context() as patch:
            patch.setenv("CXX", str(compiler))
            for name, value in changes.items():
                patch.setattr(_native, name, value)
            return _native.find_library(tmp_path / "kernels")

    one, two = (find(compiler) for compiler in compilers)
    others = [
        find(compilers[0], **change)
        for change in ({"SOURCE": source}, {"processor": lambda: "another"}, {"FLAGS": ("-O1",)})
    ]
    assert len({one, two, *others}) == 5
    assert [find(compiler) for compiler in compilers] == [one, two]
    assert len(list((tmp_path / "kernels").iterdir())) == 5
