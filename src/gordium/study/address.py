"""Files below an address that fsspec knows, and tables among them that have versions.

A table NAME is a folder of versions, NAME/N.json, each with a checksum, where N is the number of
the runner that wrote it. The greatest N counts. So a runner that lost the address and wakes up does
no harm: what it writes is not read where its successor has written.
"""

import importlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from gordium.files import plain_name, seal, unseal

_VERSION = re.compile(r"([1-9][0-9]{0,8})\.json")
Table = Mapping[str, Any]


def is_address(place: str) -> bool:
    """Whether a place is an address such as s3://bucket/study."""
    return "://" in place


class Files:
    """Files below an address; each is read and written whole."""

    def __init__(self, address: str) -> None:
        try:
            fsspec: Any = importlib.import_module("fsspec.core")
        except ModuleNotFoundError as error:
            raise ValueError(
                f"the address {address} needs fsspec: pip install 'gordium[cluster]'."
            ) from error
        try:
            self._system, root = fsspec.url_to_fs(address)
        except ImportError as error:  # the package for this kind of address
            raise ValueError(f"the address {address} cannot be opened: {error}.") from error
        self._root, self.address = root.rstrip("/"), address

    def names(self, folder: str) -> list[str]:
        """The names of all files in and below a folder, relative to it."""
        base = f"{self._root}/{folder}".rstrip("/")
        with self._explain_errors():
            self._system.invalidate_cache()
            found = self._system.find(base)  # may name the folder itself while a file is made
        return [path.removeprefix(f"{base}/") for path in found if path.startswith(f"{base}/")]

    def read(self, name: str) -> bytes:
        """The content of a file."""
        with self._explain_errors():
            content: bytes = self._system.cat_file(f"{self._root}/{name}")
            return content

    def write(self, name: str, content: bytes) -> None:
        """Write a file whole, over any that is there."""
        with self._explain_errors():
            self._system.pipe_file(self._make_place(name), content)

    def create(self, name: str, content: bytes) -> bool:
        """Write a file unless it exists; return whether it was written."""
        with self._explain_errors():
            target = self._make_place(name)
            try:
                if "file" in self._system.protocol:  # whose pipe_file does not create atomically
                    with self._system.open(target, "xb") as file:
                        file.write(content)
                else:
                    self._system.pipe_file(target, content, mode="create")
            except FileExistsError:
                return False
        return self.read(name) == content  # not all kinds of addresses respect "create"

    def remove(self, name: str) -> None:
        """Delete a file."""
        with self._explain_errors():
            self._system.rm_file(f"{self._root}/{name}")

    def _make_place(self, name: str) -> str:
        """The path of a file to write, in a folder that is there."""
        path = f"{self._root}/{name}"
        self._system.makedirs(path.rpartition("/")[0], exist_ok=True)
        return path

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        """Raise errors of the network as a sentence with the address."""
        try:
            yield
        except (FileExistsError, ValueError, NotImplementedError):
            raise
        except FileNotFoundError as error:
            raise FileNotFoundError(f"{self.address} does not hold {_line(error)}.") from error
        except Exception as error:
            raise OSError(
                f"{self.address} could not be reached: {type(error).__name__}: {_line(error)}. "
                "What was recorded is there; start again to go on."
            ) from error


def _line(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0].rstrip(".") if text else "no answer"


def write_table(files: Files, name: str, number: int, table: Table) -> None:
    """Write a table as the runner with this number."""
    files.write(f"{name}/{number}.json", seal(table).encode())


def read_table(files: Files, name: str) -> Table | None:
    """The newest version of a table, or None; a damaged one is an error."""
    folder, _, last = f"{files.address}/{name}".rpartition("/")
    versions = [_parse(f"{last}/{found}", folder)[1] for found in files.names(name)]
    return _read(files, name, max(versions)) if versions else None


def read_tables(files: Files, folder: str) -> dict[str, Table]:
    """The newest versions of all tables in a folder, by name."""
    newest = _list_newest(files, folder).items()
    return {name: _read(files, f"{folder}/{name}", number) for name, number in newest}


def table_names(files: Files, folder: str) -> set[str]:
    """The names of all tables in a folder."""
    return set(_list_newest(files, folder))


def _list_newest(files: Files, folder: str) -> dict[str, int]:
    """The greatest number of each table in a folder, by name."""
    where = f"{files.address}/{folder}"
    return dict(sorted(_parse(found, where) for found in files.names(folder)))


def _parse(path: str, folder: str) -> tuple[str, int]:
    """The name and the number of NAME/N.json; any other path is refused and shown."""
    name, slash, last = path.rpartition("/")
    found = _VERSION.fullmatch(last)
    if slash and found:
        return plain_name(name, f"a name in {folder}"), int(found[1])
    plain_name(path.removesuffix(".json"), f"a name in {folder}")
    raise ValueError(f"{folder} holds {path!r}, which no runner writes; remove it.")


def _read(files: Files, name: str, number: int) -> Table:
    path = f"{name}/{number}.json"
    try:
        return unseal(files.read(path))
    except ValueError as error:
        raise ValueError(
            f"{files.address}/{path} is damaged: {error}. Delete it and start again."
        ) from error
