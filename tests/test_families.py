"""A new data set, method, metric or network is complete; a test that fails says what to do next.

CONTRIBUTING.md has the whole list.
"""

import pkgutil
import re
from importlib import import_module
from inspect import unwrap
from pathlib import Path

import pytest

from gordium.datasets import DATASETS
from gordium.method_names import METHOD_NAMES
from gordium.methods import METHODS
from gordium.metrics import METRICS, udr
from gordium.networks import ARCHITECTURES

ROOT = Path(__file__).parents[1]
TESTS = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py"))
# By package: the members, the list they stand in, the page that names them, and files with none.
FAMILIES = {
    "gordium.datasets.sets": (DATASETS, "DATASETS in datasets/__init__.py", "datasets.md"),
    "gordium.methods": (METHODS, "METHODS in methods/__init__.py", "methods.md"),
    "gordium.metrics": (
        {**METRICS, "udr": udr},
        "_LISTED in metrics/__init__.py",
        "metrics.md",
    ),
    "gordium.networks": (
        ARCHITECTURES,
        "ARCHITECTURES in networks/__init__.py",
        "your-network.md",
    ),
}
SHARED = {  # files that members share
    "gordium.datasets.sets": {"decorated_sprites", "drawn"},
    "gordium.methods": {"base", "terms"},
    "gordium.metrics": set(),
    "gordium.networks": {
        *("autoencoder", "direct", "initialise", "layers", "likelihoods", "normalise"),
        "pair_critic",
    },
}
MEMBERS = [(package, name) for package, (members, *_) in FAMILIES.items() for name in members]


def home(member):
    return unwrap(member).__module__.rpartition(".")[2]


@pytest.mark.parametrize("package", FAMILIES)
def test_every_file_of_a_family_has_a_listed_member(package):
    members, where, _ = FAMILIES[package]
    homes = {home(member) for member in members.values()}
    files = {module.name for module in pkgutil.iter_modules(import_module(package).__path__)}
    for name in sorted(files - SHARED[package]):
        assert name in homes or name.startswith("_"), (
            f"nothing in {package}.{name} is listed: add its member to {where}. If members share "
            f"the file, add its name to SHARED in tests/test_families.py."
        )


@pytest.mark.parametrize(("package", "name"), MEMBERS)
def test_every_member_of_a_family_is_a_public_name(package, name):
    public = package.removesuffix(".sets")
    word = FAMILIES[package][0][name].__name__
    assert word in import_module(public).__all__, (
        f'"{word}" is not in __all__ of {public}: add it, so that the reference shows it and '
        "wrong calls of it are explained."
    )


@pytest.mark.parametrize(("package", "name"), MEMBERS)
def test_every_member_of_a_family_is_on_its_page_and_in_a_test(package, name):
    members, _, page = FAMILIES[package]
    assert f"`{name}`" in (ROOT / "docs" / page).read_text("utf-8"), (
        f"`{name}` is not in docs/{page}: write there what it is and when to take it."
    )
    word = members[name].__name__
    assert f'"{name}"' in TESTS or re.search(rf"\b{word}\b", TESTS), (
        f"no test speaks of {name}: write one, of an answer that is known without the code, e.g. "
        f"tests/{package.removeprefix('gordium.').replace('.', '/')}/test_{home(members[name])}.py."
    )


@pytest.mark.parametrize("key", DATASETS)
def test_a_data_set_is_listed_by_its_own_name(key):
    name = DATASETS[key].name
    assert name == key, f"{name!r} stands in DATASETS as {key!r}: give it one name in both places."


def test_the_pages_count_methods_and_data_sets():
    for page, text in (
        ("README.md", f"{len(METHODS)} [methods](docs/methods.md)"),
        ("README.md", f"{len(DATASETS)} [data sets](docs/datasets.md)"),
        ("docs/index.md", f"[{len(METHODS)} of them](methods.md)"),
    ):
        assert text in (ROOT / page).read_text("utf-8"), f"{page} must say {text!r}."


def test_help_tables_and_figures_name_every_method():
    assert set(METHOD_NAMES) == set(METHODS), (
        "METHOD_NAMES in src/gordium/method_names.py gives every method its place in --help, "
        "tables and figures: name each once."
    )
