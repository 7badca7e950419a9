"""The headline experiment in its smallest size, from end to end."""

import csv
import dataclasses
import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from gordium.exhibits import headline, headline_page, read_published
from gordium.report.rows import Row

COMMAND = [sys.executable, "-m", "gordium", "demo", "--scale", "smoke", "--out"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The smoke demo, run by its command."""
    folder = tmp_path_factory.mktemp("headline") / "out"
    done = subprocess.run([*COMMAND, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "modified" in done.stdout
    return folder


def results(folder):
    """Everything that must come out the same: rows, weights, histories and scores."""
    files = [folder / "rows.csv", *folder.glob("runs/*/*"), *folder.glob("manipulations/*/*")]
    kept = [file for file in files if file.suffix in {".csv", ".safetensors", ".jsonl", ".npz"}]
    return {str(file.relative_to(folder)): file.read_bytes() for file in kept}


def test_killed_at_random_moments_the_demo_ends_with_the_same_numbers(folder, tmp_path):
    unfinished = 0
    moments = np.random.default_rng(1).uniform(3, 12, size=4)
    for number, moment in zip((signal.SIGKILL, signal.SIGINT) * 2, moments, strict=True):
        process = subprocess.Popen(
            [*COMMAND, tmp_path / "cut"],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            # A runner in the background ignores Ctrl-C, and what it starts would too.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        time.sleep(moment)
        process.send_signal(number)
        process.wait(timeout=60)
        unfinished += not (tmp_path / "cut" / "report.html").exists()
    assert unfinished
    subprocess.run([*COMMAND, tmp_path / "cut"], check=True, capture_output=True)
    assert results(tmp_path / "cut") == results(folder)


def test_rows_hold_every_variant_and_seed(folder):
    with (folder / "rows.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "mig"]
    assert [(row["variant"], int(row["seed"])) for row in rows] == [
        (variant, seed) for variant in ("original", "modified", "noise") for seed in (3, 4)
    ]
    assert all(0 <= float(row["value"]) <= 1 for row in rows)


def test_the_page_holds_the_table_the_pictures_and_the_command(folder):
    text = (folder / "report.html").read_text()
    assert "0.60 ± 0.31" in text
    assert "gordium demo --scale smoke --out" in text
    assert text.count("data:image/png;base64,") == 7
    assert (folder / "figure4.png").read_bytes().startswith(b"\x89PNG")


def test_a_finished_experiment_is_shown_and_not_run(folder, monkeypatch):
    monkeypatch.setattr(headline, "run_study", None)
    rows = headline.run_headline(headline.headline_study("smoke"), folder, command="")
    assert len({row.run for row in rows}) == 6


def test_the_three_data_sets_differ_as_they_should(folder):
    configs = [json.loads(p.read_text()) for p in folder.glob("runs/*/config.json")]
    kinds = [config["declaration"]["dataset"]["variant"] for config in configs]
    assert sorted(kinds) == ["held"] * 5 + ["modified"] * 2 + ["noisy"] * 2


def test_all_scales_declare_fresh_seeds():
    for scale in ("smoke", "demo", "laptop", "paper"):
        study = headline.headline_study(scale)
        data = study.data["shapes3d"]
        assert not set(data.search.seeds) & set(study.seeds)
        assert study.arms[0].settings_on(data.dataset).latent_dim == len(data.dataset.factors)


def test_seeds_used_for_choosing_are_refused():
    smoke = headline.headline_study("smoke")
    with pytest.raises(ValueError, match="fresh seeds must not be among"):
        dataclasses.replace(smoke, seeds=smoke.data["shapes3d"].search.seeds)


def rows(**values):
    return [
        Row("shapes3d", variant, "beta-vae", 8.0, seed, "mig", mig, active_units=units)
        for variant, pairs in values.items()
        for seed, (mig, units) in enumerate(pairs)
    ]


def test_the_verdict_follows_the_numbers():
    shown = rows(original=[(0.8, 2), (0.6, 2)], modified=[(0.2, 2)] * 2, noise=[(0.7, 2)] * 2)
    text = " ".join(headline_page.verdict(shown, 0.175, 2))
    assert "29 % of it" in text
    assert "by seed, is -0.50 [-0.50, -0.50] (95 %)" in text
    assert "the bound alone does not explain the fall" in text
    assert "No run over-pruned" in text
    failed = rows(original=[(0.8, 2)] * 2, modified=[(0.7, 1), (0.7, 2)], noise=[(0.7, 2)] * 2)
    text = " ".join(headline_page.verdict(failed, 0.175, 2))
    assert "do not separate" in text
    assert "1 on modified" in text


def test_published_numbers_are_shipped(reference):
    exhibits = json.loads((reference / "exhibits.json").read_text())["exhibits"]
    for exhibit in exhibits:
        if "values" in exhibit:
            assert read_published(exhibit["id"]) == exhibit["values"]
    assert read_published("zietlow2021-table1")["beta-vae"]["shapes3d/modified"]["mean"] == 0.09
    assert np.isfinite(read_published("rolinek2019-worked-example")["m1"])
