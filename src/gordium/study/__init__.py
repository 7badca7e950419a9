"""Many runs: declared as values, worked off by processes, kept in one store.

>>> from pathlib import Path
>>> from gordium.study import Store, read_study, run_study
>>> study = read_study(Path("studies/tiny.toml"))
>>> run_study(study, Store(Path("out/tiny")))  # doctest: +SKIP
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gordium.study.read import read_study
    from gordium.study.runner import run_study
    from gordium.study.store import Store
    from gordium.study.study import Arm, Data, Search, Study, TaskList

# Imported when first used: what only reads a store need not load PyTorch.
_HOMES = {
    "read_study": "read",
    "run_study": "runner",
    "Store": "store",
    "Arm": "study",
    "Data": "study",
    "TaskList": "study",
    "Search": "study",
    "Study": "study",
}

__all__ = ["Arm", "Data", "Search", "Store", "Study", "TaskList", "read_study", "run_study"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"gordium.study.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'gordium.study' has no attribute {name!r}")
