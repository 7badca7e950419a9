"""Every public name says what it is."""

import ast
from pathlib import Path

import gordium

ROOT = Path(gordium.__file__).parent


def undocumented(file):
    """Public functions and classes of a file without a docstring.

    The title of an exhibit says what its `make` makes.
    """
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        is_made = node.name == "make" and "exhibits" in file.parts
        is_overload = any(getattr(d, "id", "") == "overload" for d in node.decorator_list)
        names = [
            getattr(t, "id", "") for n in node.body if isinstance(n, ast.Assign) for t in n.targets
        ]
        if not (ast.get_docstring(node) or is_made or is_overload or "__doc__" in names):
            yield f"{file.relative_to(ROOT)}: {node.name}"


def test_every_public_function_and_class_has_a_docstring():
    missing = [name for file in sorted(ROOT.rglob("*.py")) for name in undocumented(file)]
    assert not missing, f"write what each of these does, in a sentence: {missing}"


def test_every_file_says_what_is_in_it():
    files = [file for file in ROOT.rglob("*.py") if file.read_text(encoding="utf-8").strip()]
    silent = [
        str(f.relative_to(ROOT)) for f in files if not ast.get_docstring(ast.parse(f.read_text()))
    ]
    assert not silent, f"begin each of these with a docstring: {silent}"
