"""What gordium keeps to save time, file by file: each writer says which files are its own."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from gordium.files import cache_folder, find_cached

COMPILED = (  # the modules with functions that numba compiles
    "gordium.datasets.rendering.raster",
    "gordium.metrics._boosting_kernels",
    "gordium.metrics._posterior_kernels",
)


class Cache(NamedTuple):
    """Files that belong together and `list` gives; cheap ones are removed by default."""

    name: str
    list: Callable[[], Iterable[Path]]
    is_cheap: bool


def _list_kernels() -> Iterator[Path]:
    return find_cached("kernels", r"direct-[0-9a-f]{16}\.so")


def _list_compiled() -> Iterator[Path]:
    from gordium.numba_cache import list_compiled

    for name in COMPILED:
        yield from list_compiled(import_module(name))


def _list_rendered() -> Iterator[Path]:
    from gordium.datasets.disk_cache import list_tables
    from gordium.datasets.readers.digests import list_digests

    yield from list_tables()
    yield from list_digests()


def _list_scripts() -> Iterator[Path]:
    from gordium.report.pages.vega import list_scripts

    return list_scripts()


def _list_rows() -> Iterator[Path]:
    from gordium.study.remote import list_fetched

    return list_fetched()


def _list_models() -> Iterator[Path]:
    from gordium.zoo.fetch import list_copies

    return list_copies()


def _list_official() -> Iterator[Path]:
    from gordium.datasets.fetching.fetch import list_fetched

    return list_fetched()


def _list_studies() -> Iterator[Path]:
    from gordium.study.remote import list_scratch

    return list_scratch()


DATA = Cache("official files", _list_official, False)
CACHES = (
    Cache("kernels", _list_kernels, True),
    Cache("functions compiled by numba", _list_compiled, True),
    Cache("rendered images and records", _list_rendered, True),
    Cache("scripts of pages", _list_scripts, True),
    Cache("fetched rows", _list_rows, True),
    Cache("models of the zoo", _list_models, True),
    DATA,
    Cache("studies kept elsewhere", _list_studies, False),
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
