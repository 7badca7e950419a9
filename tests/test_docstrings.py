"""Everything public says what it is: whoever reads `help(name)` gets a sentence."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cached_property

import gordium
from gordium.networks import Architecture
from gordium.optimisers import OptimiserSettings
from gordium.pairs import Pairing
from gordium.track import Tracker
from gordium.training.graphs import Recorder

PROTOCOLS = (Architecture, OptimiserSettings, Pairing, Recorder, Tracker)


def test_every_public_function_class_and_method_has_a_docstring():
    modules = pkgutil.walk_packages(gordium.__path__, "gordium.")
    names = [module.name for module in modules if "._" not in module.name]
    missing = sorted(missing for name in names for missing in silent_names(name))
    assert not missing, (
        f"{len(missing)} public names have no docstring; write a sentence that says what each "
        "gives, or begin its name with an underscore: " + ", ".join(missing)
    )


def silent_names(module: str) -> Iterator[str]:
    for name, value in vars(importlib.import_module(module)).items():
        is_own = getattr(value, "__module__", None) == module and not name.startswith("_")
        if not is_own:
            continue
        if (inspect.isfunction(value) or inspect.isclass(value)) and not inspect.getdoc(value):
            yield f"{module}.{name}"
        if inspect.isclass(value):
            yield from (f"{module}.{name}.{member}" for member in silent_members(value))


def silent_members(kind: type) -> Iterator[str]:
    """Methods and properties of its own; a parent's or a protocol's words serve what fulfils it."""
    kinds = (property, cached_property, classmethod, staticmethod)
    for name, value in vars(kind).items():
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, kinds)):
            homes = (*kind.__mro__, *PROTOCOLS)
            if not any(getattr(vars(home).get(name), "__doc__", None) for home in homes):
                yield name
