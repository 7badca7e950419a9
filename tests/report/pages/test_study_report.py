"""The files of a study's report keep to its folder, whatever its records say."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gordium.cli.main import app
from gordium.report.pages.study_report import write_report
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


def test_a_study_with_a_failed_run_is_reported_and_the_run_is_counted(tmp_path: Path) -> None:
    store = Store(tmp_path / "study")
    store.declare({"name": "a"})
    store.plan([{**NODE, "seed": seed, "key": f"key{seed}"} for seed in range(2)])
    done, failed = store.claim("key0"), store.claim("key1")
    assert done is not None
    assert failed is not None
    store.work_folder(done).mkdir(parents=True)
    assert store.finish(done, "runs", {**RECORD, "scores": {"mig": 0.5}})
    assert store.fail(failed, "a vae 1", "the loss is not finite")
    store.close()
    made = CliRunner().invoke(app, ["study", "report", str(store.folder)])
    assert made.exit_code == 0, made.output
    report = store.folder / "report"
    assert {path.name for path in report.glob("table-*")} == {"table-mig.md", "table-mig.tex"}
    assert "2 runs, 1 failed, 0 over-pruned; 0 discarded" in (report / "report.html").read_text()


def test_the_page_lists_runs_in_the_order_of_the_plan_whatever_the_process(tmp_path: Path) -> None:
    store = Store(tmp_path / "study")
    store.declare({"name": "a"})
    keys = [f"key{seed}" for seed in range(9)]
    store.plan([{**NODE, "seed": seed, "key": key} for seed, key in enumerate(keys)])
    for key in keys:
        claim = store.claim(key)
        assert claim is not None
        store.work_folder(claim).mkdir(parents=True)
        assert store.finish(claim, "runs", {**RECORD, "scores": {"mig": 0.5}})
    page = write_report(store, tmp_path / "report", "gordium study report")
    found = re.search(
        r'<script type="application/json" id="study">(.*?)</script>', page.read_text()
    )
    assert found is not None
    assert list(json.loads(found[1])["links"]) == keys
