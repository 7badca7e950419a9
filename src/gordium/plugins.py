"""Methods, networks, metrics and data sets of the user's, known by name once registered.

A plugin is a module that calls `gordium.register`. It is imported only if the user names it
(`--plugin`, or the variable GORDIUM_PLUGINS), or has installed a package with an entry point
`gordium.plugins`: never because a file says so.
"""

import importlib.util
import os
import sys
from collections.abc import Callable, MutableMapping, Sequence
from importlib.metadata import entry_points
from inspect import isfunction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gordium.fields import is_frozen
from gordium.lookup import answer_wrong_calls

if TYPE_CHECKING:
    from gordium.metrics import Properties

T = TypeVar("T", bound=Callable[..., Any])
VARIABLE, GROUP = "GORDIUM_PLUGINS", "gordium.plugins"
_loaded: dict[str, str] = {}  # where each loaded module was found, by its name


@answer_wrong_calls
def register(member: T, *, name: str | None = None, properties: "Properties | None" = None) -> T:
    """Make a class or a metric of yours known by name in this process; also a decorator.

    A method (a subclass of `Method`), a network (a frozen dataclass with `encoder` and
    `decoder`), a data set (a subclass of `Dataset`) or a metric (a function of codes and factors).
    Its name is that of the class or function unless given; declarations of runs hold this name.
    `properties` are what a metric declares of itself.
    """
    from gordium.metrics import METRICS, PROPERTIES, Properties

    if name is not None and not isinstance(name, str):
        raise TypeError(f"name must be text; got {name!r}.")
    family = _family(member)
    called = name or str(member.__name__)
    known = family.get(called)
    if known is not None and not _is_the_same(known, member):
        raise ValueError(f"{called!r} is the name of another one; give name='...' to register.")
    family[called] = member
    if family is METRICS:
        PROPERTIES[called] = properties or Properties(perfect=None)
    elif properties is not None:
        raise TypeError("properties describe a metric; leave them out here.")
    return member


def load_plugins(names: Sequence[str] = ()) -> None:
    """Import installed plugins, those of GORDIUM_PLUGINS, and those named."""
    for entry in entry_points(group=GROUP):
        if entry.module not in _loaded:
            entry.load()
            _loaded[entry.module] = entry.module
    variable = [name for name in os.environ.get(VARIABLE, "").split(",") if name]
    for name in (*variable, *names):
        _load(name)


def check_plugins(needed: Sequence[str]) -> None:
    """Refuse a file that needs plugins which the user has not named."""
    if missing := [name for name in needed if _module(name) not in _loaded]:
        given = " ".join(f"--plugin {name}" for name in missing)
        raise ValueError(
            f"this study needs {', '.join(missing)}, and no file is trusted to import code. If "
            f"you trust it, give {given}, or set {VARIABLE}."
        )


def plugin_environment() -> dict[str, str]:
    """The environment variable by which a child process loads the plugins of this one."""
    return {VARIABLE: ",".join(_loaded.values())} if _loaded else {}


def _load(name: str) -> None:
    module = _module(name)
    if module in _loaded:
        return
    path = Path(name).with_suffix(".py") if "/" in name or name.endswith(".py") else None
    here = path or Path(f"{name}.py")
    if here.is_file():
        _import_file(module, here)
        _loaded[module] = str(here.absolute())
    elif path is None and importlib.util.find_spec(name.partition(".")[0]) is not None:
        importlib.import_module(name)
        _loaded[module] = name
    else:
        raise ValueError(
            f"there is no plugin {name}: no file {here} here, and no installed module of that name."
        )


def _import_file(module: str, path: Path) -> None:
    spec = importlib.util.spec_from_file_location(module, path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[module] = loaded
    try:
        spec.loader.exec_module(loaded)
    except BaseException:
        del sys.modules[module]
        raise


def _module(name: str) -> str:
    return Path(name).stem if "/" in name or name.endswith(".py") else name


def _family(member: Any) -> MutableMapping[str, Any]:
    # Imported here: most processes only ask which plugins there are.
    from gordium.datasets import DATASETS, Dataset
    from gordium.methods import METHODS, Method
    from gordium.metrics import METRICS, name_of
    from gordium.networks import ARCHITECTURES

    if isinstance(member, type):
        for kind, family in ((Method, METHODS), (Dataset, DATASETS)):
            if issubclass(member, kind):
                return _check_family(member, family)
        if all(callable(getattr(member, half, None)) for half in ("encoder", "decoder")):
            return _check_family(member, ARCHITECTURES)
    elif isfunction(member):
        name_of(member)
        return METRICS
    raise TypeError(
        f"{getattr(member, '__name__', type(member).__name__)} cannot be registered: give a class "
        "(not an instance) that extends gordium.methods.Method or gordium.datasets.Dataset, or a "
        "network with encoder and decoder, or a function of (codes, factors)."
    )


def _check_family(member: type, family: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    if not is_frozen(member):
        raise TypeError(
            f"{member.__name__} must be a frozen dataclass, so that its fields are its "
            "declaration: write @dataclass(frozen=True) above it."
        )
    return family


def _is_the_same(known: Any, member: Any) -> bool:
    """Whether both have one name: importing a module or running a cell again defines it anew."""
    return (known.__module__, known.__qualname__) == (member.__module__, member.__qualname__)
