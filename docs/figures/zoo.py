"""Puts finished runs into the model zoo, src/gordium/zoo/models, and writes its index.

python docs/figures/methods.py --runs FOLDER           trains one of each method
gordium demo --repetition 0 --no-controls --out DEMO   trains the runs of the README's table
python docs/figures/zoo.py --methods FOLDER --demo DEMO/0

Without --demo the zoo keeps what it has; methods of FOLDER that it lacks are added.
"""

import argparse
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gordium.exhibits.demo.seeds import FRESH, seeds
from gordium.export import export_folder
from gordium.files import read_json, sha256, write_json
from gordium.methods import METHODS
from gordium.training.folder import CONFIG, HISTORY, MODEL
from gordium.zoo.index import INDEX, STORED

LIMIT = 15_000_000
LICENCE = "Apache-2.0"
CHANGE = "change"
ARMS = {"held": "original", "modified": "modified", "noisy": "noise"}
IMAGES = {
    "original": "the original images",
    "modified": "images with the learned change",
    "noise": "images with uniform noise within the same bound",
}


@dataclass(frozen=True)
class Entry:
    """A run for the zoo: its name, where it lies, and one line about it."""

    name: str
    folder: Path
    about: str


def of_methods(folder: Path) -> Iterator[Entry]:
    """A run of each method on 1,200 images; of several, the one that was trained longest."""
    found: dict[str, tuple[int, Path]] = {}
    for run in sorted(folder.glob("**/runs/*")):
        declaration = read_json(run / CONFIG)["declaration"]
        name, steps = declaration["method"]["name"], declaration["settings"]["steps"]
        found[name] = max(found.get(name, (0, run)), (steps, run))
    for name in (name for name in METHODS if name in found):
        steps, run = found[name]
        about = f"{name} on 1,200 images of Shapes3D with three free factors, {steps:,} steps"
        yield Entry(name, run, about)


def of_demo(folder: Path) -> Iterator[Entry]:
    """The fresh runs of repetition 0 on original, modified and noisy images, by seed."""
    fresh = seeds(0, FRESH, 5)
    for run in sorted((folder / "runs").iterdir()):
        declaration = read_json(run / CONFIG)["declaration"]
        dataset, seed = declaration["dataset"], declaration["settings"]["seed"]
        if seed in fresh and not dataset.get("two_valued"):  # that is noise of equal energy
            arm = ARMS[dataset["variant"]]
            about = f"of the README's first table: beta-vae on {IMAGES[arm]}, seed {seed}"
            yield Entry(f"{arm}-{fresh.index(seed)}", run, about)


def put(entry: Entry) -> dict[str, Any]:
    """Copy a run into the zoo; return its entry of the index."""
    place = export_folder(entry.folder, STORED / entry.name, licence=LICENCE.lower())
    change = False
    for name in (CONFIG, "scores.json"):
        document = read_json(place / name)
        change |= _forget_places(document["declaration"])
        write_json(place / name, document)
    scores = read_json(place / "scores.json")["scores"]
    plain = {k: v for k, v in scores.items() if "/" not in k and v is not None}
    return _row("run", entry.about, place, plain, CHANGE if change else None)


def put_change(folder: Path) -> dict[str, Any]:
    """Copy the learned change of the modified images into the zoo; return its entry."""
    place = STORED / CHANGE
    place.mkdir(parents=True)
    for name in (CONFIG, MODEL, HISTORY):
        shutil.copyfile(folder / name, place / name)
    about = "the change that was learned in repetition 0, at most 0.175 a pixel"
    return _row("manipulation", about, place, {}, None)


def _row(
    kind: str, about: str, place: Path, scores: dict[str, float], change: str | None
) -> dict[str, Any]:
    files = {path.name: sha256(path) for path in sorted(place.iterdir())}
    row = {"kind": kind, "about": about, "licence": LICENCE, "scores": scores, "files": files}
    return row | ({"change": change} if change else {})


def _forget_places(declaration: dict[str, Any]) -> bool:
    """Replace the local path of a learned change; return whether there was one."""
    change = declaration["dataset"].get("change")
    if change is not None:
        change["folder"] = CHANGE
    return change is not None


def put_all(methods: Path, demo: Path) -> dict[str, Any]:
    """Build the whole zoo anew; return its index."""
    shutil.rmtree(STORED, ignore_errors=True)
    fresh = sorted(of_demo(demo), key=lambda entry: entry.name)
    used = next(e for e in fresh if e.name.startswith("modified")).folder
    folder = Path(read_json(used / CONFIG)["declaration"]["dataset"]["change"]["folder"])
    index = {entry.name: put(entry) for entry in (*of_methods(methods), *fresh)}
    return index | {CHANGE: put_change(demo / "manipulations" / folder.name)}


def put_new(methods: Path) -> dict[str, Any]:
    """Add the methods that the zoo lacks; return its index, in the order of all methods."""
    index: dict[str, Any] = read_json(INDEX)
    index |= {entry.name: put(entry) for entry in of_methods(methods) if entry.name not in index}
    names = [name for name in METHODS if name in index]
    return {name: index[name] for name in dict.fromkeys([*names, *index])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--methods", type=Path, required=True)
    parser.add_argument("--demo", type=Path)
    given = parser.parse_args()
    index = put_new(given.methods) if given.demo is None else put_all(given.methods, given.demo)
    INDEX.write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
    total = sum(path.stat().st_size for path in STORED.rglob("*") if path.is_file())
    print(f"{len(index)} entries, {total / 1e6:.1f} MB")
    if total > LIMIT:
        raise SystemExit(f"the zoo may have {LIMIT / 1e6:.0f} MB.")


if __name__ == "__main__":
    main()
