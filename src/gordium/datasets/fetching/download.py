"""Downloading one file; an interrupted download is continued, not started again."""

import http.client
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gordium.datasets.readers.digests import read_record
from gordium.files import write_json
from gordium.progress import progress

BLOCK = 1 << 18
ATTEMPTS = 5
WAIT = 1.0  # seconds before the second attempt; the wait doubles before each later one
PATIENCE = 60  # seconds without a byte after which the connection counts as cut
MOST_BYTES = 1 << 36
OUT_OF_RANGE = http.client.REQUESTED_RANGE_NOT_SATISFIABLE


class Cut(OSError):
    """The connection ended before the file did."""


def download(address: str, part: Path) -> None:
    """Download the file at `address` as `part`, going on from the bytes that `part` holds.

    A connection that is cut is opened again; after `ATTEMPTS` cuts, OSError says what to do.
    """
    if urlsplit(address).scheme not in ("http", "https"):
        raise ValueError(f"an address must start with http:// or https://; got {address!r}.")
    part.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(ATTEMPTS):
        before = _size(part)
        try:
            _continue(address, part)
            return
        except urllib.error.HTTPError as error:
            raise OSError(f"{address} cannot be fetched: {error.code} {error.reason}.") from error
        except (Cut, http.client.HTTPException, ConnectionError, TimeoutError) as error:
            if attempt + 1 == ATTEMPTS:
                raise OSError(
                    f"{address} was cut off {ATTEMPTS} times ({error}). The {_size(part):,} bytes "
                    "that arrived are kept: the same command goes on from there."
                ) from error
            if _size(part) == before:
                time.sleep(WAIT * 2**attempt)


def _continue(address: str, part: Path) -> None:
    """One attempt. The address and its ETag are recorded, so that `part` is known to be of it."""
    record = part.with_name(f"{part.name}.json")
    have, known = _size(part), read_record(record)
    if not isinstance(known, list) or len(known) != 2 or known[0] != address:
        have, known = 0, [address, ""]
    headers = {"User-Agent": "gordium", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
        if known[1]:
            headers["If-Range"] = known[1]  # asks for the whole file if it has changed since
    request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            start = _find_start(answer, have)
            with suppress(OSError):
                write_json(record, [address, answer.headers.get("ETag", "")])
            _write(answer, part, start)
    except urllib.error.HTTPError as error:
        if error.code != OUT_OF_RANGE or not have:
            raise
        if error.headers.get("Content-Range", "").rpartition("/")[2] != str(have):
            part.unlink()  # it is longer than the file, so it is of something else
            raise Cut("the bytes that were there are not part of it") from error
    record.unlink(missing_ok=True)


def _find_start(answer: Any, have: int) -> int:
    """The answer starts at 0, unless the server says that it goes on from `have`."""
    if answer.status != http.client.PARTIAL_CONTENT:
        return 0
    given = answer.headers.get("Content-Range", "")
    if not given.startswith(f"bytes {have}-"):
        raise OSError(f"{answer.url} sent another part of the file than was asked for: {given!r}.")
    return have


def _write(answer: Any, part: Path, start: int) -> None:
    end = start + int(answer.headers.get("Content-Length") or 0)
    if end > MOST_BYTES:
        raise ValueError(f"{answer.url} has {end:,} bytes; at most {MOST_BYTES:,} are read.")
    total = start
    label = f"fetching {part.name.removesuffix('.part')}"
    with (
        part.open("ab" if start else "wb") as file,
        progress(label, end, done=start) as advance,
    ):
        while block := answer.read(BLOCK):
            total += len(block)
            if total > MOST_BYTES:
                raise ValueError(f"{answer.url} sends more than {MOST_BYTES:,} bytes.")
            file.write(block)
            advance(len(block))
    if total < end:
        raise Cut(f"{end - total:,} bytes are missing")


def _size(part: Path) -> int:
    return part.stat().st_size if part.is_file() else 0
