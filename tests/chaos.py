"""A study under random faults: it ends in the undisturbed rows, or says by name what was lost.

    python -m tests.chaos [--faults 200] [--seed 0] [--processes]

A study of 23 runs and a learned change is worked off by the command `gordium study run` again and
again, each time with a fault: the runner is killed; suspended past its lease, while another one
takes over, and continued; its disk is full; a file of the study is deleted, or a bit of it flips;
a second runner comes. After ten faults the study is finished and compared, and a new one begins.

The rows are compared then, not after each fault: they must be those of the undisturbed study to
the last digit. An end with another code than 0 must name what is lost; then what it names is
deleted, as it says, and the study goes on. Runners are forked from one process that has
everything loaded and train inside themselves; with --processes they start worker processes, as
they do for users.
"""

import argparse
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import torch
import torch._dynamo  # optimisers import it, which takes a second
from tests.inline import inline

from gordium.cli.main import app
from gordium.report.rows import write_rows
from gordium.report.study_rows import study_rows
from gordium.study import local_engine
from gordium.study.store import Store
from gordium.training import Recording, loop

TABLES = """
name = "chaos"
metrics = ["mig"]
seeds = 5
first_seed = 10
[settings]
steps = 12
architecture = { name = "mlp", encoder_widths = [32], decoder_widths = [32] }
optimiser = { name = "adam", learning_rate = 1e-2 }
[data.room]
name = "shapes3d"
size = 16
hold = { floor_hue = 0, wall_hue = 5, object_hue = 8, shape = 0 }
variants = ["original", "modified"]
epsilon = 0.175
[data.room.search]
method = { name = "beta-vae", beta = 0.01 }
seeds = 3
learning = { steps = 3, batch_size = 8 }
[method.beta-vae]
beta = [0.01, 0.1]
"""
LEASE, LONGEST, ROUNDS = 1.0, 300.0, 20
PER_STUDY = 10


class End(NamedTuple):
    """How a runner ended: its code, negative where a signal ended it, and all that it said."""

    code: int
    said: str


@dataclass
class Trial:
    """One study under faults, and what became of it."""

    folder: Path
    chance: random.Random
    whole: str
    processes: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def out(self) -> Path:
        return self.folder / "study"

    def start(self, *, limit: int | None = None) -> int:
        """Fork a runner, with files of at most `limit` bytes; the id of its process."""
        sys.stdout.flush()
        runner = os.fork()
        if runner:
            return runner
        os.setsid()
        said = os.open(self.said_by(os.getpid()), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(said, 1)
        os.dup2(said, 2)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        code = 1
        try:
            run_command(self.folder / "study.toml", self.out, self.processes)
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            sys.stdout.flush()
            os._exit(code)

    def said_by(self, runner: int) -> Path:
        return self.folder / f"said-{runner}.txt"

    def end_of(self, runner: int) -> End:
        """Wait for a runner; one that never ends is killed, and wrong."""
        deadline = time.monotonic() + LONGEST
        while time.monotonic() < deadline:
            found, status = os.waitpid(runner, os.WNOHANG)
            if found:
                said = self.said_by(runner).read_text(errors="replace")
                end = End(os.waitstatus_to_exitcode(status), said)
                return self.judged(end)
            time.sleep(0.02)
        kill(runner)
        os.waitpid(runner, 0)
        self.wrong.append(f"a runner did not end in {LONGEST:.0f} s")
        return End(1, "")

    def judged(self, end: End) -> End:
        if "Traceback" in end.said:
            self.wrong.append(f"a traceback: {end.said[-600:]}")
        elif end.code > 0:
            self.counts["ends that name a loss"] += 1
            if not self.named(end.said):
                self.wrong.append(f"code {end.code}, and no loss is named: {end.said[-600:]}")
        elif end.code == 0:
            self.counts["whole ends"] += 1
        return end

    def named(self, said: str) -> list[Path]:
        """Files and folders of the study that a runner named."""
        found = re.findall(re.escape(str(self.out)) + r"/[\w./-]*", said)
        return [Path(name.rstrip(".")) for name in dict.fromkeys(found)]

    def obey(self, said: str) -> None:
        """Delete the first thing that is named, as the messages say."""
        for path in self.named(said)[:1]:
            self.counts["files deleted as told"] += 1
            if path.name == "study.sqlite":
                for part in self.out.glob("study.sqlite*"):
                    part.unlink()
            elif path.is_dir():
                shutil.rmtree(path)
            elif path.exists():
                path.unlink()
            else:
                shutil.rmtree(path.parent, ignore_errors=True)

    def obey_end(self, runner: int) -> None:
        end = self.end_of(runner)
        if end.code > 0:
            self.obey(end.said)

    def a_file(self) -> Path | None:
        files = sorted(path for path in self.out.rglob("*") if path.is_file())
        return self.chance.choice(files) if files else None

    def finish(self) -> None:
        """Start it again, doing as it says, until it is whole; then compare."""
        for _ in range(ROUNDS):
            end = self.end_of(self.start())
            if end.code == 0:
                break
            self.obey(end.said)
        else:
            self.wrong.append(f"it was not whole after {ROUNDS} starts: {end.said[-600:]}")
            return
        if rows_text(self.out) != self.whole:
            self.wrong.append("the rows are others")


def run_command(file: Path, out: Path, processes: bool) -> None:
    """`gordium study run`, with many checkpoints; no fault is a power cut, so nothing is synced."""
    loop.Recording = lambda: Recording(record_every=3, checkpoint_seconds=0.02)
    os.fsync = lambda file: None
    if not processes:
        local_engine.start_workers = lambda workers: nullcontext(inline)
    lease = ("--lease", str(LEASE))
    app(["study", "run", str(file), "--out", str(out), "--retry-failed", *lease])


def rows_text(folder: Path) -> str:
    store = Store(folder)
    try:
        write_rows(folder.parent / "rows.csv", study_rows(store))
    except (ValueError, OSError) as error:
        return f"no rows: {error}"
    finally:
        store.close()
    return (folder.parent / "rows.csv").read_text()


def kill(runner: int) -> None:
    try:
        os.killpg(runner, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(runner, signal.SIGKILL)


def killed(trial: Trial, runner: int) -> None:
    kill(runner)
    trial.end_of(runner)


def suspended(trial: Trial, runner: int) -> None:
    """Another one takes over when the lease is over; then the first one wakes up."""
    os.kill(runner, signal.SIGSTOP)
    time.sleep(1.5 * LEASE)
    other = trial.start()
    time.sleep(trial.chance.uniform(0, 4))
    os.kill(runner, signal.SIGCONT)
    trial.end_of(runner)
    trial.end_of(other)


def deleted(trial: Trial, runner: int) -> None:
    path = trial.a_file()
    if path is not None:
        path.unlink(missing_ok=True)
    trial.obey_end(runner)


def flipped(trial: Trial, runner: int) -> None:
    path = trial.a_file()
    if path is not None and path.exists() and (content := bytearray(path.read_bytes())):
        content[trial.chance.randrange(len(content))] ^= 1 << trial.chance.randrange(8)
        with path.open("r+b") as file:  # in place, as a disk does it
            file.write(content)
    trial.obey_end(runner)


def second(trial: Trial, runner: int) -> None:
    other = trial.start()
    trial.end_of(runner)
    trial.end_of(other)


def full(trial: Trial, runner: int) -> None:
    kill(runner)
    trial.end_of(runner)
    trial.end_of(trial.start(limit=trial.chance.randrange(500, 60_000)))


FAULTS: dict[str, Callable[[Trial, int], None]] = {
    "kill": killed,
    "stop and continue": suspended,
    "disk full": full,
    "deleted file": deleted,
    "flipped bit": flipped,
    "second runner": second,
}


def chaos(faults: int, folder: Path, seed: int = 0, processes: bool = False) -> Trial:
    """As many faults, ten to a study; all that was counted and that was wrong."""
    torch.set_num_threads(1)
    os.environ.setdefault("GORDIUM_CACHE", str(folder / "cache"))
    chance = random.Random(seed)
    (folder / "study.toml").write_text(TABLES)
    trial = Trial(folder, chance, "", processes)
    end = trial.end_of(trial.start())
    assert end.code == 0, f"the undisturbed study did not end well: {end.said}"
    trial.whole = rows_text(trial.out)
    trial.counts.clear()
    for number in range(faults):
        if number % PER_STUDY == 0:
            shutil.rmtree(trial.out)
        kind = chance.choice(list(FAULTS))
        runner = trial.start()
        time.sleep(chance.uniform(0, 3))
        before = len(trial.wrong)
        FAULTS[kind](trial, runner)
        trial.counts[kind] += 1
        for line in trial.wrong[before:]:
            print(f"    {number} {kind}: {line}", flush=True)
        if number % PER_STUDY == PER_STUDY - 1 or number == faults - 1:
            trial.finish()
            trial.counts["studies"] += 1
            print(
                f"{number + 1} faults: {dict(trial.counts)}, {len(trial.wrong)} wrong", flush=True
            )
    return trial


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = chaos(options.faults, Path(folder), options.seed, options.processes)
    for line in found.wrong:
        print(f"    {line}")
    return min(len(found.wrong), 1)


if __name__ == "__main__":
    sys.exit(main())
