"""The README's table of repetitions is what the committed rows say."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_readme_shows_the_committed_repetitions():
    path = ROOT / "docs" / "figures" / "headline.py"
    spec = importlib.util.spec_from_file_location("headline_figures", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert script.readme(text) == text, "run python docs/figures/headline.py"
