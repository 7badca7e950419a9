"""`gordium doctor` says what a bug report needs; `gordium clean` removes what is made again."""

import numpy as np
from typer.testing import CliRunner

from gordium.cli.main import app
from gordium.networks import kernels


def said(*words):
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.output


def filled(folder):
    for name, size in {
        "shapes3d-16-v2.npy": 2,
        "kernels/direct-0.so": 1,
        "fetched/rows.csv": 1,
        "zoo/vae/model.safetensors": 1,
        "data/3dshapes.h5": 3,
        "studies/mine/run/scores.json": 1,
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(size * 10**6))
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_doctor_names_versions_processor_kernels_threads_devices_and_caches(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    monkeypatch.setenv("GORDIUM_CACHE", str(filled(tmp_path)))
    text = said("doctor")
    lines = dict(line.split(":", 1) for line in text.splitlines() if line[0] != " ")
    assert f"numpy {np.__version__}" in lines["packages"]
    assert lines["kernels"].strip() == f"torch ({kernels().why})"
    assert {"gordium", "python", "processor", "compiler", "threads", "cache"} <= set(lines)
    assert lines["devices"].strip().startswith("cpu")
    assert "rendered images and records: 2.0 MB" in text
    assert "official files: 3.0 MB" in text


def test_clean_keeps_what_is_dear(tmp_path, monkeypatch):
    monkeypatch.setenv("GORDIUM_CACHE", str(filled(tmp_path)))
    assert "would remove rendered images and records: 2.0 MB" in said("clean", "--dry-run")
    assert len(names(tmp_path)) == 6
    assert "removed kernels: 1.0 MB" in said("clean")
    assert names(tmp_path) == ["data", "studies"]
    assert "removed official files: 3.0 MB" in said("clean", "--data")
    assert names(tmp_path) == ["studies"]


def test_clean_does_not_follow_links(tmp_path, monkeypatch):
    elsewhere = filled(tmp_path / "elsewhere")
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "kernels").symlink_to(elsewhere / "kernels")
    monkeypatch.setenv("GORDIUM_CACHE", str(cache))
    said("clean")
    assert names(cache) == []
    assert (elsewhere / "kernels" / "direct-0.so").exists()
