"""Run keys never change: those of every declared study, of the demo, and of committed results.

A run is found again by its key, so a key that changes makes hours of training unfindable. Where a
declaration is changed on purpose, `python tests/test_run_keys.py` writes the pins anew, in a
commit of its own. `declarations.jsonl` is never written anew: it holds declarations as they were
first made, of exhibits that train and of all methods, and their keys.
"""

import csv
import hashlib
import importlib.util
import json
import os
import tempfile
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from gordium.exhibits.headline import headline_study
from gordium.exhibits.rolinek2019 import figure_s4
from gordium.exhibits.rolinek2019.figure3 import declare_plans
from gordium.exhibits.rolinek2019.models import Plan
from gordium.exhibits.rolinek2019.table_s4 import RATIOS, degenerate_plans
from gordium.exhibits.stuehmer2020.figure5 import list_learned
from gordium.exhibits.stuehmer2020.stand_ins import FACES, study_of
from gordium.spec import RunSpec, declaration_hash
from gordium.study.imported_changes import take_change
from gordium.study.nodes import RUN
from gordium.study.plan import make_plan
from gordium.study.read import read_study
from gordium.study.store import Store

ROOT = Path(__file__).resolve().parents[1]
PINS = ROOT / "tests" / "pinned" / "run_keys.csv"
DECLARATIONS = ROOT / "tests" / "pinned" / "declarations.jsonl"
STUDIES = [path for path in sorted((ROOT / "studies").glob("*.toml")) if path.stem != "headline"]
DEMO = ("smoke", "demo", "laptop", "paper")
Keys = dict[str, list[str]]
CHANGED = (
    "runs have other keys than those pinned, and would be trained again. A new field is "
    "`added(default)`. For a new study, or on purpose, `python tests/test_run_keys.py` pins them."
)


def study_keys(path: Path, scale: str | None, folder: Path) -> Keys:
    """The keys of a study's runs by what they are called.

    Those of a search are known first, those on modified images with the committed change.
    """
    store = Store(folder / f"{path.stem}-{scale}")
    study = read_study(path, scale)
    nodes = {node.key: node for node in make_plan(study, store).nodes}
    if scale == "laptop":
        for config in sorted((ROOT / "results").glob(f"{path.stem}-changes/*/config.json")):
            take_change(store, config.parent)
        nodes |= {node.key: node for node in make_plan(study, store).nodes}
    found: Keys = {}
    for node in nodes.values():
        if node.kind == RUN:
            label = [f"{k}={v}" for k, v in node.labels.items() if k != "seed"]
            found.setdefault(" ".join([str(scale), *label]), []).append(node.key)
    return {f"{path.stem} {label}": keys for label, keys in found.items()}


def scales_of(path: Path) -> list[str | None]:
    return [None, *tomllib.loads(path.read_text()).get("scale", {})]


def demo_keys(scale: str, folder: Path) -> Keys:
    """The keys of the demo's runs that are known before a change is learned."""
    found: Keys = {}
    for node in make_plan(headline_study(scale), Store(folder)).nodes:
        found.setdefault(f"demo {scale} {node.labels['variant']}", []).append(node.key)
    return found


def pin(keys: list[str]) -> tuple[str, ...]:
    """How many, the first one, and a digest of all in their order."""
    return str(len(keys)), keys[0], hashlib.sha256(" ".join(keys).encode()).hexdigest()[:16]


def pinned(prefix: str) -> dict[str, tuple[str, ...]]:
    with PINS.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))[1:]
    return {line[0]: tuple(line[1:]) for line in lines if line[0].startswith(prefix)}


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_runs_of_studies_keep_their_keys(path: Path, tmp_path: Path) -> None:
    for scale in scales_of(path):
        found = {label: pin(keys) for label, keys in study_keys(path, scale, tmp_path).items()}
        assert found == pinned(f"{path.stem} {scale} "), CHANGED


@pytest.mark.parametrize("scale", DEMO)
def test_runs_of_the_demo_keep_their_keys(scale: str, tmp_path: Path) -> None:
    found = {k: pin(v) for k, v in demo_keys(scale, tmp_path).items()}
    assert found == pinned(f"demo {scale} "), CHANGED


def golden() -> list[dict]:
    return [json.loads(line) for line in DECLARATIONS.read_text(encoding="utf-8").splitlines()]


def test_declarations_of_old_keep_their_keys() -> None:
    lines = golden()
    assert len(lines) > 200
    for line in lines:
        assert declaration_hash(line["declaration"]) == line["key"], line["of"]
        assert RunSpec.from_json(line["declaration"]).key == line["key"], line["of"]


def committed(path: Path) -> set[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["run"] for row in csv.DictReader(file) if row.get("run")}


@pytest.mark.parametrize(
    "name",
    [
        "zietlow2021-laptop",
        "locatello2019-unscaled",
        "stuehmer2020-unscaled",
        "stuehmer2020-laptop",
        "dsprites-pairs-laptop",
    ],
)
def test_committed_runs_are_runs_of_their_study(name: str, tmp_path: Path) -> None:
    study, _, scale = name.rpartition("-")
    path = ROOT / "studies" / f"{study}.toml"
    planned = {key for keys in study_keys(path, scale, tmp_path).values() for key in keys}
    found = committed(ROOT / "results" / f"{name}.csv")
    assert found
    assert found <= planned


def test_committed_runs_of_exhibits_are_declared() -> None:
    """Methods, orthogonality, and the exhibits that train on their own."""
    known = {line["key"] for line in golden()} | _declared_since()
    for name in ("methods", "orthogonal"):
        unknown = committed(ROOT / "results" / f"{name}.csv") - known
        assert not unknown, (
            f"runs {unknown} of results/{name}.csv are declared nowhere: `python "
            f"docs/figures/{name}.py --runs FOLDER` makes its rows anew."
        )
    papers = ("rolinek2019-figure3", "rolinek2019-figureS4", "rolinek2019-tableS4")
    for name in (*papers, "stuehmer2020-figure7"):
        assert committed(ROOT / "results" / name / "rows.csv") <= known
    swept = _keys_of(figure_s4.declare_plans("laptop"))
    assert committed(ROOT / "results" / "rolinek2019-figureS4" / "rows.csv") == swept


def _declared_since() -> set[str]:
    """Keys of fresh seeds, narrower images and newer methods, which old declarations have not."""
    plans = [plan for ratio in RATIOS for plan in degenerate_plans("laptop", ratio)]
    plans += declare_plans("laptop")
    heads = study_of("faces-learned", FACES, list_learned("laptop"), "laptop")
    [data] = heads.data.values()
    learned = {run.key for arm in heads.arms for run in arm.on(data.dataset, heads.seeds)}
    methods = {run.key for _, run in _load_methods_script().declare_runs()}
    return _keys_of(plans) | learned | methods


def _keys_of(plans: list[Plan]) -> set[str]:
    return {RunSpec.of(p.method, p.setup.train, p.setup.settings).with_seed(p.seed).key
            for p in plans}  # fmt: skip


def _load_methods_script() -> ModuleType:
    path = ROOT / "docs" / "figures" / "methods.py"
    spec = importlib.util.spec_from_file_location("methods_script", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_pins() -> None:
    with tempfile.TemporaryDirectory() as folder, PINS.open("w", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("of", "runs", "first", "digest"))
        for path in STUDIES:
            for scale in scales_of(path):
                for label, keys in study_keys(path, scale, Path(folder)).items():
                    writer.writerow((label, *pin(keys)))
        for scale in DEMO:
            for label, keys in demo_keys(scale, Path(folder) / "demo").items():
                writer.writerow((label, *pin(keys)))


if __name__ == "__main__":
    os.environ.pop("GORDIUM_DATA", None)
    write_pins()
