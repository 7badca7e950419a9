"""The catalogue is whole, its modules exist, and what is made is written down."""

import csv
import json
import os
from pathlib import Path

import pytest

from gordium.cli.reproduce import show
from gordium.exhibits.base import Made, Place
from gordium.exhibits.catalogue import CATALOGUE
from gordium.exhibits.published import _read_all
from gordium.exhibits.reproduce import reproduce, write_made


def test_no_exhibit_of_the_reference_is_missing(reference: Path) -> None:
    known = json.loads((reference / "exhibits.json").read_text())["exhibits"]
    missing = {exhibit["id"] for exhibit in known} - set(CATALOGUE)
    assert not missing, (
        f"{missing}: a file in src/gordium/exhibits/PAPER/ must end with an `Exhibit` value of "
        "that name."
    )


def test_published_numbers_belong_to_an_exhibit() -> None:
    unknown = set(_read_all()) - set(CATALOGUE)
    assert not unknown, f"no exhibit has the name {unknown} of exhibits/published.json."


def test_an_unknown_exhibit_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Did you mean zietlow2021-table1"):
        reproduce("zietlow2021-table11", Place("smoke", tmp_path), out=tmp_path, command="")


def test_made_is_written_down(tmp_path: Path) -> None:
    name = "rolinek2019-figure3"
    made = Made(
        head=("what", "published", "here"),
        table=[("a", "1", "2")],
        rows=[
            {"dto": k / 10, "disentanglement": 1 - k / 10, "seed": k, "steps": 5} for k in range(12)
        ],
        pictures={"figure.png": b"png"},
    )
    written = write_made(name, made, scale="smoke", out=tmp_path, command="gordium reproduce x")
    assert [verdict.outcome for verdict in written.verdicts] == ["seen"]
    assert (tmp_path / "rows.csv").read_text().startswith("dto,disentanglement,seed,steps\n0.0")
    assert (tmp_path / "figure.png").read_bytes() == b"png"
    text = (tmp_path / "table.md").read_text()
    assert "| a | 1 | 2 |" in text
    assert "- seen (direction): over restarts, the score falls" in text
    line, pooled = csv.DictReader((tmp_path / "verdicts.csv").read_text().splitlines())
    assert pooled["outcome"] == "not judged"
    assert (line["exhibit"], line["outcome"], line["n"]) == (name, "seen", "12")
    summary = json.loads((tmp_path / "exhibit.json").read_text())
    assert summary["command"] == "gordium reproduce x"


def test_a_claim_that_is_not_judged_is_written_and_printed_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strengths = [
        {"method": "beta-vae", "metric": "mig", "variant": variant, "strength": strength,
         "seed": seed, "value": value, "over_pruned": False}
        for variant, value in (("original", 0.6), ("modified", 0.1))
        for strength in (1.0, 2.0)
        for seed in (0, 1)
    ]  # fmt: skip
    made = Made(head=("what",), table=[("a",)], rows=strengths)
    written = write_made("zietlow2021-figure5", made, scale="smoke", out=tmp_path, command="again")
    assert [verdict.outcome for verdict in written.verdicts] == ["not judged"]
    text = "retuning the strength does not make up for modified images"
    assert f"- shown, not judged (direction): {text}" in (tmp_path / "table.md").read_text()
    assert text in (tmp_path / "report.html").read_text()
    assert "no runs to compare" not in (tmp_path / "exhibit.json").read_text()
    show(written)
    assert f"not judged: {text}" in capsys.readouterr().out


def test_an_unknown_scale_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown scale 'huge'"):
        reproduce("zietlow2021-table1", Place("huge", tmp_path), out=tmp_path, command="")
    assert os.listdir(tmp_path) == []
