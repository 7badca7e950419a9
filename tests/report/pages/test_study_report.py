"""The files of a study's report keep to its folder, whatever its records say."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from gordium.cli.main import app
from gordium.study.store import Store

RECORD = {
    "active_units": 1,
    "over_pruned": False,
    "steps": 1,
    "n_images": 1,
    "hyperparameters": {},
    "versions": {"gordium": "0", "torch": "0"},
    "closing": {},
}
NODE = {"kind": "run", "data": "a", "variant": "original", "method": "vae", "strength": 1.0}


@pytest.mark.parametrize("metric", ["/../../../evil", "x/../../evil", "a b", "evil\n", ""])
def test_the_name_of_a_metric_does_not_become_a_path(tmp_path: Path, metric: str) -> None:
    store = Store(tmp_path / "deep" / "within" / "study")
    store.declare({"name": "a"})
    store.plan([{**NODE, "seed": 0, "key": "key"}])
    claim = store.claim("key")
    assert claim is not None
    store.work_folder(claim).mkdir(parents=True)
    assert store.finish(claim, "runs", {**RECORD, "scores": {"mig": 0.5, metric: 0.5}})
    store.close()
    done = CliRunner().invoke(app, ["study", "report", str(store.folder)])
    assert done.exit_code == 1
    text = " ".join(done.output.split())
    assert "the name of a metric, which is part of a file's name here, must be plain" in text
    assert repr(metric) in text
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".md", ".tex", ".html")]
