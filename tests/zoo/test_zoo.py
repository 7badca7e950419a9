"""The model zoo: what is stored is what the index says, and it loads and scores as it says."""

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gordium as gd
from gordium.cli.main import app
from gordium.files import read_json, sha256
from gordium.manipulation import load_declared_dataset
from gordium.zoo.index import INDEX, STORED, read_index

LIMIT = 15_000_000
ALL = list(read_index())


def test_there_is_one_of_each_method_and_all_runs_of_the_readmes_table():
    names = set(gd.zoo.list_models())
    arms = {f"{arm}-{k}" for arm in ("original", "modified", "noise") for k in range(5)}
    assert names == {*gd.list_methods(), *arms}


def test_the_zoo_stays_below_its_limit_and_holds_nothing_else():
    files = [path for path in STORED.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < LIMIT
    listed = {STORED / name / file for name in ALL for file in read_index()[name].files}
    assert set(files) == {*listed, INDEX}


@pytest.mark.parametrize("name", ALL)
def test_every_file_has_the_hash_of_the_index(name):
    entry = gd.zoo.describe(name)
    assert {file: sha256(STORED / name / file) for file in entry.files} == entry.files
    assert entry.kind == "manipulation" or {"config.json", "README.md", "scores.json"} < set(
        entry.files
    )


@pytest.mark.parametrize("name", gd.zoo.list_models())
def test_every_model_loads(name, tmp_path):
    run = gd.load_run(gd.zoo.get(name, tmp_path / name))
    assert run.spec.key == read_json(tmp_path / name / "config.json")["hash"]
    assert gd.zoo.describe(name).licence == "Apache-2.0"


@pytest.mark.parametrize("name", ["original-0", "noise-0", "modified-0"])
def test_a_model_scores_what_it_says(name, tmp_path):
    run = gd.load_run(gd.zoo.get(name, tmp_path / name))
    data = load_declared_dataset(run.config["declaration"]["dataset"])
    found = gd.evaluate(run, data, metrics=("mig",))["mig"]
    # The bits of codes differ between processors; a code may then fall into the next bin.
    assert found == pytest.approx(gd.zoo.describe(name).scores["mig"], abs=0.02)


def test_a_model_of_changed_images_brings_its_change(tmp_path):
    run = gd.load_run(gd.zoo.get("modified-0", tmp_path / "here"))
    change = run.config["declaration"]["dataset"]["change"]
    assert Path(change["folder"]) == (tmp_path / "change").resolve()
    assert run.spec.key == read_json(tmp_path / "here" / "scores.json")["run"]


def test_a_damaged_file_is_refused(tmp_path):
    shutil.copytree(STORED / "original-1", tmp_path / "zoo" / "original-1")
    (tmp_path / "zoo" / "original-1" / "model.safetensors").write_bytes(b"else")
    with pytest.raises(ValueError, match=r"original-1/model\.safetensors is not the file"):
        gd.zoo.get("original-1", tmp_path / "out", source=str(tmp_path / "zoo"))
    assert not (tmp_path / "out" / "config.json").exists()


def test_what_was_altered_in_place_is_put_back(tmp_path):
    place = gd.zoo.get("original-1", tmp_path / "original-1")
    (place / "model.safetensors").write_bytes(b"else")
    gd.zoo.get("original-1", place)
    assert (
        sha256(place / "model.safetensors")
        == gd.zoo.describe("original-1").files["model.safetensors"]
    )


def test_a_changed_digit_in_the_config_is_noticed_and_put_back(tmp_path):
    """The folder of its change is written into it here, and is under a checksum too."""
    place = gd.zoo.get("modified-0", tmp_path / "here")
    whole = (place / "config.json").read_text()
    for old, new in (("/change", "/chance"), ('"latent_dim": ', '"latent_dim": 1')):
        assert old in whole
        (place / "config.json").write_text(whole.replace(old, new, 1))
        with pytest.raises(ValueError, match=r"config\.json is damaged.*checksum"):
            gd.load_run(place)
    gd.zoo.get("modified-0", place)
    assert (place / "config.json").read_text() == whole


@pytest.mark.parametrize("through", ["argument", "variable"])
def test_it_comes_from_an_address(tmp_path, monkeypatch, through):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(STORED)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    monkeypatch.setattr("gordium.zoo.fetch.STORED", tmp_path / "nothing")
    if through == "variable":
        monkeypatch.setenv("GORDIUM_ZOO", address)
    try:
        place = gd.zoo.get(
            "original-2", tmp_path / "original-2", source=address if through == "argument" else None
        )
    finally:
        server.shutdown()
        server.server_close()
    assert gd.load_run(place).model.latent_dim == 2


def test_a_source_without_the_files_says_what_to_give(tmp_path):
    with pytest.raises(FileNotFoundError, match="GORDIUM_ZOO"):
        gd.zoo.get("original-2", tmp_path / "original-2", source=str(tmp_path))


def test_the_command_lists_and_gets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listed = CliRunner().invoke(app, ["zoo", "list"], env={"COLUMNS": "200"})
    assert all(name in listed.output for name in gd.zoo.list_models())
    got = CliRunner().invoke(app, ["zoo", "get", "original-1"])
    assert got.exit_code == 0
    assert (tmp_path / "original-1" / "model.safetensors").is_file()
    wrong = CliRunner().invoke(app, ["zoo", "get", "orginal-1"])
    assert wrong.exit_code
    assert "Did you mean original-1" in wrong.output


def test_a_model_opens_in_the_explorer(tmp_path):
    page = gd.explore(gd.zoo.get("original-0", tmp_path / "a"), points=20)
    assert "beta-vae" in page.title
