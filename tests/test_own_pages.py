"""The pages on what a user brings are scripts: the code in them runs, from files that it makes."""

import re
import runpy
from pathlib import Path

import pytest

from gordium.datasets import DATASETS
from gordium.methods import METHODS
from gordium.metrics import METRICS, PROPERTIES
from gordium.networks import ARCHITECTURES

DOCS = Path(__file__).parents[1] / "docs"
PAGES = (
    "your-images",
    "your-encoder",
    "your-method",
    "your-metric",
    "your-network",
    "real-factors",
)
FAMILIES = (ARCHITECTURES, METHODS, METRICS, PROPERTIES, DATASETS)


@pytest.fixture(autouse=True)
def nothing_stays_registered():
    before = [dict(family) for family in FAMILIES]
    yield
    for family, old in zip(FAMILIES, before, strict=True):
        family.clear()
        family.update(old)


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_the_page_runs(page, tmp_path, monkeypatch):
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S)
    assert blocks
    script = tmp_path / f"{page}.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name=page.replace("-", "_"))
