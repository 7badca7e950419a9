"""What gordium keeps to save time, file by file: each writer says which files are its own."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from gordium.files import cache_folder, find_cached

COMPILED = (  # the modules with functions that numba compiles
    "gordium.datasets.rendering.raster",
    "gordium.metrics._binned_kernels",
    "gordium.metrics._boosting_kernels",
    "gordium.metrics._posterior_kernels",
)


class Cache(NamedTuple):
    """Files that belong together and `list` gives; cheap ones are removed by default."""

    name: str
    list: Callable[[], Iterable[Path]]
    is_cheap: bool


def _list_compiled() -> Iterator[Path]:
    from gordium.numba_cache import list_compiled

    for name in COMPILED:
        yield from list_compiled(import_module(name))


def _ask(*writers: str) -> Callable[[], Iterator[Path]]:
    """A list of what these functions list; their modules are imported when they are asked."""

    def list_files() -> Iterator[Path]:
        for writer in writers:
            module, _, function = writer.rpartition(".")
            yield from getattr(import_module(f"gordium.{module}"), function)()

    return list_files


_LIBRARY = r"direct-[0-9a-f]{16}(-[0-9a-f]{8}-[0-9a-f]{16})?\.so"  # earlier names were shorter
_RENDERED = _ask(
    "datasets.disk_cache.list_tables",
    "datasets.readers.digests.list_digests",
)
DATA = Cache("official files", _ask("datasets.fetching.fetch.list_fetched"), False)
NUMBA = Cache("functions compiled by numba", _list_compiled, True)
CACHES = (
    Cache("kernels", partial(find_cached, "kernels", _LIBRARY), True),
    NUMBA,
    Cache("rendered images and records", _RENDERED, True),
    Cache("scripts of pages", _ask("report.pages.vega.list_scripts"), True),
    Cache("fetched rows", _ask("study.remote.list_fetched"), True),
    Cache("models of the zoo", _ask("zoo.fetch.list_copies"), True),
    DATA,
    Cache("studies kept elsewhere", _ask("study.remote.list_scratch"), False),
)


def remove(path: Path) -> None:
    """Remove a file, and the folders around it inside the cache folder that this empties."""
    cache = cache_folder()
    with suppress(OSError):  # another process has removed it, or may still be using its folder
        path.unlink(missing_ok=True)
        for folder in path.parents:
            if cache not in folder.parents:
                return
            folder.rmdir()  # an error if something is left in it
