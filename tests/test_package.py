"""The package as a whole: its names, and what it does not import."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import gordium as gd

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", gd.__all__)
def test_every_public_name_is_there(name):
    assert getattr(gd, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = gd.nonsense


def test_metrics_and_reports_do_not_load_torch():
    code = "import sys, gordium.metrics, gordium.report; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_version_citation_and_changelog_name_one_release():
    release = re.fullmatch(r"(\d+\.\d+\.\d+)(\.dev0)?", gd.__version__)
    assert release is not None
    assert f"\nversion: {gd.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    heading = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heading is not None
    unreleased = " (not yet released)" if release[2] else ""
    assert heading[1].startswith(release[1] + unreleased)
    assert bool(unreleased) == ("not yet" in heading[1])
