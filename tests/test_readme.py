"""What the README shows runs as it stands, but for the numbers of steps."""

import doctest
import re
from pathlib import Path

import gordium as gd
from gordium.manipulation import ManipulationSettings

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, flags=re.M | re.S)


def test_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    short = ManipulationSettings(steps=1, batch_size=4)
    learn = gd.manipulate
    monkeypatch.setattr(
        gd,
        "manipulate",
        lambda *runs, **given: learn(*runs, settings=short, **given),
        raising=False,
    )
    names = {}
    for block in BLOCKS:
        if ">>>" in block:
            _check(block, names)
        else:
            exec(block.replace("2_000", "2"), names)
    assert names["hidden"].factors == names["dataset"].factors
    assert len(BLOCKS) >= 2


def _check(block, names):
    test = doctest.DocTestParser().get_doctest(block, names, "README", "README.md", 0)
    runner = doctest.DocTestRunner()
    said = []
    runner.run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, "".join(said)
