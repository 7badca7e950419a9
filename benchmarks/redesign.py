"""What a redesign changed: counts of the source at two commits, side by side, as Markdown.

    python benchmarks/redesign.py [BEFORE [AFTER]]      default: before run specs, and HEAD

Both commits are unpacked into a temporary folder and imported from there by this Python. A count
that a commit does not allow is a dash, and its error goes to stderr.
"""

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

BEFORE, AFTER = "e21513f^", "HEAD"
# The functions whose imports count; without names, all of the command's file.
COMMANDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "train": ("train", ()),
    "demo": ("demo", ()),
    "study run": ("study", ("run", "_engine")),
    "reproduce": ("reproduce", ()),
}
COUNT_MODULES = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:  # a name in a module, not a module
        importlib.import_module(name.rpartition(".")[0])
print(sum(name.partition(".")[0] == "gordium" for name in sys.modules))
"""
COUNT_DECLARATIONS = """
import sys, tempfile
from pathlib import Path
from gordium.study.plan import make_plan
from gordium.study.read import study_of
try:
    from gordium.study.store import Store
except ModuleNotFoundError:
    from gordium.store import Store
found = study_of({
    "name": "count", "metrics": ["mcc"], "seeds": 100,
    "settings": {"steps": 1, "architecture": "linear", "likelihood": "gaussian"},
    "data": {"square": {"name": "synthetic-linear", "n": 50}},
    "method": {"beta-vae": {"beta": [1.0, 2.0, 4.0]}},
})
study = found[0] if isinstance(found, tuple) else found
store, counts = Store(Path(tempfile.mkdtemp())), []
def count(frame, event, argument):
    if event == "call" and frame.f_code.co_name == "declaration_hash":
        counts[-1] += 1
for _ in range(2):
    counts.append(0)
    sys.setprofile(count)
    nodes = make_plan(study, store).nodes
    sys.setprofile(None)
assert len(nodes) == 300
print(", then ".join(f"{n / len(nodes):.2f}" for n in counts))
"""


def main() -> None:
    """Print the table."""
    commits = [*sys.argv[1:], *(BEFORE, AFTER)[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as place:
        trees = [unpack(commit, Path(place) / str(k)) for k, commit in enumerate(commits)]
        print(f"| | {' | '.join(map(name_commit, commits))} |\n|---|---|---|")
        for label, count in counts().items():
            print(f"| {label} | {' | '.join(show(count, tree) for tree in trees)} |", flush=True)


def counts() -> dict[str, Callable[[Path], object]]:
    """What is counted, by the name of its row."""
    found: dict[str, Callable[[Path], object]] = {
        "Python files in `src`": lambda tree: len(list(sources(tree))),
        "lines of them": lambda tree: sum(text.count("\n") for text in sources(tree)),
        "of which neither blank, comment nor docstring": lambda tree: sum(
            map(count_code, sources(tree))
        ),
        "lines a file, the median": median_lines,
        "`dict[str, Any]`": lambda tree: sum(t.count("dict[str, Any]") for t in sources(tree)),
        "names in `__all__` of `gordium`": lambda tree: len(
            listed((tree / "src/gordium/__init__.py").read_text(encoding="utf-8"))
        ),
        "names in all `__all__`": lambda tree: sum(len(listed(t)) for t in sources(tree)),
    }
    for label, (file, functions) in COMMANDS.items():
        row = f"modules of ours that `{label}` imports"
        found[row] = partial(count_modules, file=file, functions=functions)
    found["declarations hashed per run, in a first plan and in a second"] = lambda tree: run(
        COUNT_DECLARATIONS, tree
    )
    return found


def count_modules(tree: Path, file: str, functions: tuple[str, ...]) -> int:
    """How many modules of ours are loaded by what a command imports."""
    names = imported(tree / f"src/gordium/cli/{file}.py", functions)
    return int(run(COUNT_MODULES, tree, *names))


def unpack(commit: str, folder: Path) -> Path:
    """The files of a commit, in a folder."""
    folder.mkdir()
    packed = subprocess.run(["git", "archive", commit, "src", "studies"], check=True, stdout=-1)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed.stdout, check=True)
    return folder


def name_commit(commit: str) -> str:
    """The short name and the day of a commit."""
    command = ["git", "log", "-1", "--format=%h, %as", commit]
    return subprocess.run(command, check=True, stdout=-1, text=True).stdout.strip()


def show(count: Callable[[Path], object], tree: Path) -> str:
    """A count as text; a dash where the commit does not allow it."""
    try:
        found = count(tree)
    except (subprocess.CalledProcessError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return "–"
    return f"{found:,}" if isinstance(found, int) else str(found)


def sources(tree: Path) -> Iterator[str]:
    """The text of each Python file in `src`."""
    return (path.read_text(encoding="utf-8") for path in sorted(tree.glob("src/**/*.py")))


def median_lines(tree: Path) -> int:
    """The lines of the file in the middle, if files are sorted by their lines."""
    lines = sorted(text.count("\n") for text in sources(tree))
    return lines[len(lines) // 2]


def count_code(text: str) -> int:
    """The lines that are neither blank, nor comments, nor in a docstring."""
    lines = text.splitlines()
    kept = {k for k, line in enumerate(lines, 1) if line.strip() and line.strip()[0] != "#"}
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            kept -= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(kept)


def listed(text: str) -> list[str]:
    """The names in a module's `__all__`, if it is a plain list."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets):
            return [str(n.value) for n in ast.walk(node.value) if isinstance(n, ast.Constant)]
    return []


def imported(file: Path, functions: tuple[str, ...]) -> list[str]:
    """What a file imports of ours when it is loaded, and when the functions are called."""
    found: list[str] = []
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.If):  # for type checkers
            continue
        if functions and isinstance(node, ast.FunctionDef) and node.name not in functions:
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.ImportFrom) and (part.module or "").startswith("gordium"):
                found += [f"{part.module}.{name.name}" for name in part.names]
    return found


def run(code: str, tree: Path, *words: str) -> str:
    """What code prints that imports gordium from a tree."""
    paths = {**os.environ, "PYTHONPATH": str(tree / "src"), "GORDIUM_QUIET": "1"}
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, check=True, stdout=-1, text=True, env=paths).stdout.strip()


if __name__ == "__main__":
    main()
