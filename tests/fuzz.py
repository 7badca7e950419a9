"""Damaged files of the package's own: each is refused by name, or read as if it were whole.

    python -m tests.fuzz [--count 10000] [--seed 0] [format ...]

A small study is run; then one of its files is changed at random and read again, many times. What
was wrong: an error that is no sentence with the file's name, a read that hangs, and a number that
is another one than before. Formats called `old`, as written by earlier versions, and rows have no
checksum: of them only errors count.
"""

import argparse
import json
import re
import resource
import shutil
import sys
import tempfile
import time
import tomllib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tests.inline import inline

import gordium as gd
from gordium.evaluation.run_scores import load_representation
from gordium.files import CHECKSUM
from gordium.history import read_history
from gordium.report.rows import read_rows, write_rows
from gordium.report.study_rows import study_rows
from gordium.study.jobs import scores_document
from gordium.study.read import read_study
from gordium.study.runner import run_study
from gordium.study.store import STUDY, Store
from gordium.training import Recording, Run, load_run
from gordium.training.runs import read_spec

from .datasets.fuzz import MEMORY, limited_time, mutated

TABLES = """
name = "small"
metrics = ["mcc"]
seeds = 2
first_seed = 3
[settings]
steps = 5
latent_dim = 2
architecture = "linear"
likelihood = "gaussian"
optimiser = { name = "adam", learning_rate = 1e-2 }
[data.square]
name = "synthetic-linear"
n = 60
[method.beta-vae]
beta = [0.5, 2.0]
"""


class Format(NamedTuple):
    """Which file of a folder is damaged, what reads it, and whether the same must be found."""

    file: str
    read: Callable[[Path], Any]
    is_checked: bool = True

    @property
    def is_text(self) -> bool:
        return not self.file.endswith((".safetensors", ".npz", ".sqlite"))


WORDS = ("0", "-1", "3", "0.1", "1e400", "nan", "9" * 400, "null", "true", '"x"', "[]", "{}", "''")


def reworded(content: bytes, rng: np.random.Generator) -> bytes:
    """A text with some of its numbers, words and lines changed, or a line said twice or not."""
    text = content.decode()
    for _ in range(rng.choice([1, 1, 2, 4])):
        found = list(re.finditer(r"-?\d[\d.e-]*|\w+|\n[^\n]*", text))
        if not found:
            break
        match = found[rng.integers(len(found))]
        digit = re.sub(r"\d", lambda _: str(rng.integers(10)), match[0], count=1)
        word = rng.choice([digit, match[0] * 2, "", *WORDS])
        text = text[: match.start()] + word + text[match.end() :]
    return text.encode()


class Found(NamedTuple):
    """How many files were read as if whole and refused, and what went wrong otherwise."""

    same: int
    refused: int
    wrong: list[str]


def make(folder: Path) -> None:
    """A study that is done, a run that was cut, and files as earlier versions wrote them."""
    (folder / "study.toml").write_text(TABLES)
    study = read_study(folder / "study.toml")
    store = Store(folder / "made")
    run_study(study, store, engine=inline)
    write_rows(folder / "rows.csv", study_rows(store))
    store.close()
    shutil.copyfile(store.folder / STUDY, folder / STUDY)
    shutil.copytree(min((store.folder / "runs").iterdir()), folder / "run")
    _cut(folder / "cut")
    for name in ("config", "scores"):
        table = json.loads((folder / "run" / f"{name}.json").read_text())
        del table[CHECKSUM]
        shutil.copytree(folder / "run", folder / f"old-{name}")
        (folder / f"old-{name}" / f"{name}.json").write_text(json.dumps(table))


def _train(folder: Path, report: Callable[[int, int, str], None] = lambda *told: None) -> Run:
    return gd.train(
        gd.methods.BetaVAE(beta=0.5),
        gd.datasets.SyntheticLinear(n=60),
        folder=folder,
        report=report,
        recording=Recording(record_every=1, report_seconds=0),
        **{"steps": 4, "latent_dim": 2, "architecture": "linear", "likelihood": "gaussian"},
    )


def _cut(folder: Path) -> None:
    def stop(done: int, total: int, note: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    try:
        _train(folder, stop)
    except KeyboardInterrupt:
        return
    raise AssertionError("it was not cut")


def bits(run: Run) -> Any:
    weights = {name: value.numpy().tobytes() for name, value in run.model.state_dict().items()}
    return weights, run.history, run.spec.to_json()


def _representation(path: Path) -> Any:
    return [np.asarray(part).tobytes() for part in load_representation(path.parent)]


def _store(path: Path) -> Any:
    store = Store(path.parent)
    try:
        return store.declaration(), study_rows(store), store.read_failed()
    finally:
        store.close()


def _study(path: Path) -> Any:
    """A number that is another one in the file is another one in the study, or is refused."""
    declaration = read_study(path).declaration
    given, whole = tomllib.loads(path.read_text()), tomllib.loads(TABLES)
    before = json.dumps(given, sort_keys=True) == json.dumps(whole, sort_keys=True)
    return declaration if before else declaration != read_study_text()


def read_study_text() -> Any:
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(TABLES)
        file.flush()
        return read_study(Path(file.name)).declaration


FORMATS = {
    "config": Format("run/config.json", lambda path: read_spec(path.parent).to_json()),
    "history": Format("run/history.jsonl", lambda path: read_history(path.parent)),
    "model": Format("run/model.safetensors", lambda path: bits(load_run(path.parent))),
    "checkpoint": Format("cut/checkpoint.safetensors", lambda path: bits(_train(path.parent))),
    "representation": Format("run/representation.npz", _representation),
    "scores": Format("run/scores.json", lambda path: scores_document(path.parent)),
    "store": Format(STUDY, _store),
    "study": Format("study.toml", _study),
    "rows": Format("rows.csv", read_rows, is_checked=False),
    "old config": Format(
        "old-config/config.json", lambda path: bits(load_run(path.parent)), is_checked=False
    ),
    "old scores": Format(
        "old-scores/scores.json", lambda path: scores_document(path.parent), is_checked=False
    ),
}


def is_same(name: str, found: Any, whole: Any) -> bool:
    """A study may be another one, if its file says another number."""
    return bool(found == whole) or (name == "study" and found is True)


def fuzz(name: str, count: int, made: Path, seed: int = 0) -> Found:
    """Read `count` damaged files of one format, of a folder that `make` filled."""
    form = FORMATS[name]
    source = (made / form.file).parent if "/" in form.file else None
    whole_bytes = (made / form.file).read_bytes()
    rng = np.random.default_rng([seed, *name.encode()])
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "here" / Path(form.file).name
        _lay(source, path, whole_bytes)
        whole = form.read(path)
        same = refused = 0
        wrong: list[str] = []
        for i in range(count):
            change = reworded if form.is_text and rng.random() < 0.5 else mutated
            _lay(source, path, change(whole_bytes, rng))
            verdict = _verdict(name, form, path, whole)
            same += verdict == "same"
            refused += verdict == "refused"
            if verdict not in ("same", "refused"):
                wrong.append(f"{i}: {verdict}")
    return Found(same, refused, wrong)


def _lay(source: Path | None, path: Path, content: bytes) -> None:
    """The damaged file among the other files of its folder, as they were."""
    shutil.rmtree(path.parent, ignore_errors=True)
    path.parent.mkdir() if source is None else shutil.copytree(source, path.parent)
    path.write_bytes(content)


def _verdict(name: str, form: Format, path: Path, whole: Any) -> str:
    try:
        with limited_time(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = form.read(path)
    except (ValueError, TypeError, OSError, MemoryError) as error:
        named = path.name in str(error) or str(path.parent) in str(error)
        return "refused" if named else f"the file is not named: {error!r}"
    except BaseException as error:
        return repr(error)
    if form.is_checked and not is_same(name, found, whole):
        return "another number was read without a word"
    return "same"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("formats", nargs="*", default=list(FORMATS))
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder))
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
        for name in options.formats:
            start = time.perf_counter()
            found = fuzz(name, options.count, Path(folder), options.seed)
            print(
                f"{name:15} {options.count:7,} files: {found.refused:,} refused, {found.same:,} "
                f"read the same, {len(found.wrong)} wrong; {time.perf_counter() - start:.0f} s",
                flush=True,
            )
            for line in found.wrong[:5]:
                print(f"    {line[:300]}", flush=True)
            bad += len(found.wrong)
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
