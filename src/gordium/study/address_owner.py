"""The one runner of an address: it creates a file owner/N there, unless that exists.

N only grows. It is the fencing token of the address: all that its holder writes carries it.
"""

import json
import os
import re
import secrets
import socket
import time
from typing import NamedTuple

from gordium.study.address import Files

OWNER = "owner"
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_TRIES = 3  # at reading an entry, which may be in the middle of being written


def newest_owner(files: Files) -> int:
    """The number of the last runner that came; 0 if none did."""
    names = [name for name in files.names(OWNER) if _NUMBER.fullmatch(name)]
    return max(map(int, names), default=0)


class Owner(NamedTuple):
    """The holder of an address, as long as the newest entry there is its own."""

    number: int
    mark: str

    def holds(self, files: Files) -> bool:
        """Whether the address is still ours; this is asked before each record.

        The mark is compared too: at some kinds of addresses two runners can both believe that they
        created an entry.
        """
        return newest_owner(files) == self.number and _entry(files, self.number).mark == self.mark

    def sign(self, files: Files) -> None:
        """Give a sign of life."""
        if self.holds(files):
            files.write(f"{OWNER}/{self.number}", _signature(self.mark))

    def leave(self, files: Files) -> None:
        """Give the address up, so that the next runner need not wait for the lease."""
        if self.holds(files):
            files.write(f"{OWNER}/{self.number}", json.dumps({"name": "", "time": 0}).encode())


def own(files: Files, lease: float) -> Owner:
    """Become the owner; an error if another runner was alive within the lease."""
    number = newest_owner(files)
    if number:
        name, seen, _ = _entry(files, number)
        age = time.time() - seen
        if abs(age) < lease:
            raise ValueError(
                f"{files.address} is worked on by a runner on {name}, seen {age:.0f} s ago. An "
                f"address has one runner; stop that one, and start again after {lease:.0f} s."
            )
    new = Owner(number + 1, secrets.token_hex(8))
    if not files.create(f"{OWNER}/{new.number}", _signature(new.mark)):
        raise ValueError(
            f"{files.address} was taken by another runner just now. An address has one runner."
        )
    return new


def owner_name(files: Files) -> str:
    """The name of the last runner: its machine and process."""
    return _entry(files, newest_owner(files)).name


class _Entry(NamedTuple):
    name: str
    seen: float
    mark: str


def _signature(mark: str) -> bytes:
    name = f"{socket.gethostname()}, process {os.getpid()}"
    return json.dumps({"name": name, "time": time.time(), "mark": mark}).encode()


def _entry(files: Files, number: int) -> _Entry:
    """Who the owner is and when it was seen; an unreadable entry counts as never seen."""
    for _ in range(_TRIES):
        try:
            held = json.loads(files.read(f"{OWNER}/{number}"))
            return _Entry(str(held["name"]), float(held["time"]), str(held.get("mark")))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            time.sleep(0.1)
    return _Entry("an unknown machine", 0.0, "")
