"""Many runs: declared as values, worked off by processes, kept in one store.

>>> from pathlib import Path
>>> from gordium.study import Store, read_study, run_study
>>> study = read_study(Path("studies/tiny.toml"))
>>> run_study(study, Store(Path("out/tiny")))  # doctest: +SKIP
"""

from typing import TYPE_CHECKING

from gordium.lookup import import_when_used

if TYPE_CHECKING:
    from gordium.study.arm import Arm
    from gordium.study.data import Data
    from gordium.study.read import read_study
    from gordium.study.runner import run_study
    from gordium.study.search import Search
    from gordium.study.store import Store
    from gordium.study.study import Study, TaskList

__all__ = ["Arm", "Data", "Search", "Store", "Study", "TaskList", "read_study", "run_study"]
_HOMES = {"arm": ["Arm"], "data": ["Data"], "search": ["Search"], "study": ["Study", "TaskList"]}
__getattr__ = import_when_used(
    __name__, {"read": ["read_study"], "runner": ["run_study"], "store": ["Store"], **_HOMES}
)
