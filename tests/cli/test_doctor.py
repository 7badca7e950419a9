"""`gordium doctor` says what a bug report needs; `gordium clean` removes what is made again."""

import os
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import gordium as gd
from gordium.cli import caches, doctor
from gordium.cli.main import app
from gordium.datasets.disk_cache import load_cached
from gordium.files import write_json
from gordium.networks import kernels


def said(*words):
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.output


MEGABYTE = bytes(10**6)
OWN = {  # files by the names that their writers give them, with the megabytes that they take
    "kernels/direct-0123456789abcdef-01234567-0123456789abcdef.so": 1,
    "kernels/direct-0123456789abcdef.so": 1,
    "vega-1.7.0.js": 1,
    "fetched/0123456789abcdef/rows.csv": 1,
    "zoo/vae/model.safetensors": 1,
    "data/3dshapes.h5": 3,
    "data/smallnorb/smallnorb-5x46789x9x18x6x2x96x96-training-dat.mat.gz.part": 1,
    "studies/0123456789abcdef/run/scores.json": 1,
}
FOREIGN = (  # what people keep in a folder, with names like ours among them
    ".ssh/id_ed25519",
    ".bashrc",
    ".notes.json.swp",
    "notes.json",
    "verified-by-hand.json",
    "scan.npy",
    "scan-32-v2.npy",
    "vega-notes.js",
    "kernels/linux.config",
    "fetched/rows.csv",
    "zoo/pets.csv",
    "zoo/vae/my-notes.txt",
    "data/measured.h5",
    "studies/thesis/chapter.tex",
)


@pytest.fixture(autouse=True)
def keep_what_numba_compiled(monkeypatch):
    """The tests share it: they would all compile again."""
    monkeypatch.setattr(caches, "COMPILED", ())


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("GORDIUM_CACHE", str(folder))
    load_cached("shapes3d-16-v2", (2 * 10**6,), np.uint8, lambda: [np.zeros(2 * 10**6, np.uint8)])
    fill(folder, OWN)
    write_json(folder / "digest-0123456789abcdef.json", [[["/x", 1, 2]], "0" * 64])
    return folder


def fill(folder, files):
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(MEGABYTE * (files[name] if isinstance(files, dict) else 1))


def listed(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_doctor_names_versions_processor_kernels_threads_devices_and_caches(cache, monkeypatch):
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    text = said("doctor")
    lines = dict(line.split(":", 1) for line in text.splitlines() if line[0] != " ")
    assert f"numpy {np.__version__}" in lines["packages"]
    assert lines["kernels"].strip() == f"torch ({kernels().why})"
    assert {"gordium", "python", "processor", "compiler", "threads", "cache"} <= set(lines)
    assert lines["devices"].strip().startswith("cpu")
    assert "rendered images and records: 2.0 MB" in text
    assert "functions compiled by numba: 0.0 MB" in text
    assert "official files: 4.0 MB" in text
    assert "studies kept elsewhere: 1.0 MB" in text


@pytest.mark.skipif(kernels().library is None, reason="no compiler")
def test_the_doctor_names_the_build_of_the_kernels(cache):
    assert f"kernels:    {kernels().name} (build {kernels().build})" in said("doctor")


def test_the_doctor_tells_the_facts_beside_a_bad_switch(cache, monkeypatch):
    monkeypatch.setenv("GORDIUM_KERNELS", "of")
    text = said("doctor")
    assert "kernels:    GORDIUM_KERNELS must be on, off or any; got 'of'." in text
    assert "threads:" in text


def test_clean_keeps_what_is_dear(cache):
    before = listed(cache)
    assert "would remove rendered images and records: 2.0 MB" in said("clean", "--dry-run")
    assert listed(cache) == before
    assert "removed kernels: 2.0 MB" in said("clean")
    assert names(cache) == ["data", "studies"]
    assert "removed official files: 4.0 MB" in said("clean", "--data")
    assert names(cache) == ["studies"]


def test_clean_leaves_what_others_put_into_the_folder(cache):
    """GORDIUM_CACHE may be a home folder."""
    fill(cache, FOREIGN)
    np.save(cache / "scan-32-v2.npy", np.zeros(3))  # sound, and without our checksum at its end
    write_json(cache / "verified-by-hand.json", ["mine"])
    said("clean", "--data")
    assert listed(cache) == {*FOREIGN, "studies/0123456789abcdef/run/scores.json"}


def test_clean_removes_what_writers_left_that_were_killed_an_hour_ago(cache):
    old, new, other = (
        cache / f".{name}.4242.0a1b2c3d"
        for name in ("shapes3d-16-v2.npy", "dsprites-16-v1.npy", "notes.txt")
    )
    for path in (old, new, other):
        path.write_bytes(b"half")
    for path in (old, other):
        os.utime(path, (1, 1))
    said("clean")
    assert [path.exists() for path in (old, new, other)] == [False, True, True]


@pytest.mark.parametrize(
    ("folder", "words", "is_removed"),
    [("set", (), False), ("", (), True), ("set", ("--numba",), True)],
)
def test_clean_removes_what_numba_compiled_if_no_cache_is_set_or_it_is_asked(
    tmp_path, monkeypatch, folder, words, is_removed
):
    compiled = tmp_path / "__pycache__" / "raster.fill-12.py312.nbi"
    fill(tmp_path, [str(compiled.relative_to(tmp_path))])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GORDIUM_CACHE", folder and str(tmp_path / folder))
    cache = caches.NUMBA._replace(list=lambda: [compiled])
    monkeypatch.setattr(doctor, "NUMBA", cache)
    monkeypatch.setattr(doctor, "CACHES", (cache,))
    text = said("clean", *words)
    assert ("removed functions compiled by numba: 1.0 MB" in text) == is_removed
    assert compiled.exists() != is_removed
    assert "--numba" in said("clean", "--help")


def test_clean_removes_what_a_data_set_has_rendered(tmp_path, monkeypatch):
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "fresh"))
    gd.load_dataset("shapes3d", size=16).images([0])
    assert len(names(tmp_path / "fresh")) == 1
    said("clean")
    assert names(tmp_path / "fresh") == []


def test_clean_does_not_follow_links(tmp_path, monkeypatch):
    elsewhere, cache = tmp_path / "elsewhere", tmp_path / "cache"
    fill(elsewhere, OWN)
    cache.mkdir()
    for name in ("kernels", "data", "zoo", "vega-1.7.0.js"):
        (cache / name).symlink_to(elsewhere / name)
    monkeypatch.setenv("GORDIUM_CACHE", str(cache))
    said("clean", "--data")
    assert listed(elsewhere) == set(OWN)


def test_every_module_that_numba_compiles_is_cleaned(monkeypatch):
    monkeypatch.undo()
    package = Path(gd.__file__).parent
    users = [p for p in package.rglob("*.py") if "\n@compile_cached(" in p.read_text("utf-8")]
    found = {".".join(("gordium", *p.relative_to(package).with_suffix("").parts)) for p in users}
    assert found == set(caches.COMPILED)
