"""The tables of repetitions, in the README and on their page, are what the committed rows say."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def load_script():
    path = ROOT / "docs" / "figures" / "headline.py"
    spec = importlib.util.spec_from_file_location("headline_figures", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_the_pages_show_the_committed_repetitions():
    script = load_script()
    for path, name, block in script.BLOCKS:
        text = path.read_text(encoding="utf-8")
        made = script.fill_block(text, name, block())
        assert made == text, f"{path}: run python docs/figures/headline.py"
