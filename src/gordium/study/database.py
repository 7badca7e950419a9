"""The SQLite file of a study."""

import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE plan (position INTEGER PRIMARY KEY, key TEXT NOT NULL, node TEXT NOT NULL);
CREATE TABLE claims (
    key TEXT PRIMARY KEY, generation INTEGER NOT NULL, owner TEXT, renewed REAL NOT NULL
);
CREATE TABLE results (key TEXT PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE failures (key TEXT PRIMARY KEY, label TEXT NOT NULL, error TEXT NOT NULL);
PRAGMA application_id = 1735356004;
PRAGMA user_version = 1;
"""
_VERSION = 1
_WAIT_SECONDS = 60.0  # for another writer, which should take milliseconds
# File systems that several machines may mount, where SQLite's locks and its shared memory do not
# reach from one to the other; virtiofs and 9p share a folder of the host with virtual machines.
_SHARED = (
    *("nfs", "cifs", "smb", "afs", "ceph", "lustre", "gpfs", "beegfs", "wekafs", "glusterfs"),
    *("pvfs2", "orangefs", "9p", "virtiofs"),
    *(f"fuse.{name}" for name in ("sshfs", "glusterfs", "ceph", "juicefs", "mfs")),
    *(f"fuse.{name}" for name in ("s3fs", "rclone", "gcsfuse")),
)


def connect(folder: Path, name: str) -> sqlite3.Connection:
    """Open the database in a folder, or create it; an error where its locks cannot work."""
    _refuse_network(folder)
    folder.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(
        folder / name, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        _prepare(database, folder, name)
    except BaseException:
        database.close()
        raise
    return database


def read_generation(folder: Path, name: str, key: str) -> int:
    """The generation of the claim on a key, read without creating anything; 0 if there is none."""
    if not (folder / name).is_file():
        return 0
    with closing(sqlite3.connect(f"{(folder / name).absolute().as_uri()}?mode=ro", uri=True)) as db:
        found = db.execute("SELECT generation FROM claims WHERE key = ?", (key,)).fetchone()
    return int(found[0]) if found else 0


def _prepare(database: sqlite3.Connection, folder: Path, name: str) -> None:
    mode = _write_ahead(database)
    if mode != "wal":
        raise ValueError(_refusal(folder, f"SQLite's journal is {mode!r} there, not 'wal'"))
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute("BEGIN IMMEDIATE")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        for statement in _SCHEMA.split(";"):
            database.execute(statement)
    database.execute("COMMIT")
    found = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)
    if version > _VERSION:
        raise ValueError(
            f"{folder / name} was made by a later version of gordium (format {version}, not "
            f"{_VERSION}); install that version."
        )


def _write_ahead(database: sqlite3.Connection) -> str:
    """Turn the write-ahead log on; try again while another process does the same."""
    for _ in range(100):
        try:
            return str(database.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(0.05)
    return str(database.execute("PRAGMA journal_mode = WAL").fetchone()[0])


def _refuse_network(folder: Path) -> None:
    kind = name_file_system(folder.absolute())
    if kind.startswith(_SHARED):
        raise ValueError(_refusal(folder, f"it is on a file system of the kind {kind}"))


def _refusal(folder: Path, why: str) -> str:
    return (
        f"{folder} cannot hold a study: {why}, where locks do not work reliably. Choose a folder "
        "on a disk of this machine, or an address such as s3://bucket/study."
    )


def name_file_system(folder: Path) -> str:
    """The kind of file system that a folder is on; empty if the system does not tell."""
    best, kind = "", ""
    with suppress(OSError):
        for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines():
            point, found = line.split(" ")[1:3]
            inside = folder == Path(point) or Path(point) in folder.parents
            if inside and len(point) >= len(best):
                best, kind = point, found
    return kind
