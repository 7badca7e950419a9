"""Jobs on worker processes of this machine, one thread each, with a live view of them."""

import multiprocessing
import os
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from gordium.plugins import load_plugins, plugin_environment
from gordium.progress import DEVICES, QUIET
from gordium.study.display import Counts, Display
from gordium.study.records import Record

THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
MOST_FAILED_STARTS = 3  # one may be killed by chance; several in a row have a reason


@dataclass(frozen=True)
class Job:
    """A call of a function that a worker can import: `function(*arguments, report=report)`.

    The function must leave its results on disk and go on from there when it is called again; what
    it returns should be small.
    """

    label: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    key: str = ""


@dataclass(frozen=True)
class Finished:
    """The result of a run or a change: its kind, what people are shown, and what is recorded."""

    kind: str
    shown: Mapping[str, float | None]
    record: Record


@dataclass(frozen=True)
class Outcome:
    """What became of a job: its result, or the text of its error, or that it was skipped.

    `died` means that its process was killed; the error is not the job's own.
    """

    job: Job
    result: Any = None
    error: str | None = None
    skipped: bool = False
    died: bool = False


Take = Callable[[Job], Job | None]


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    device: str
    position: int | None = None
    ready: bool = False


@dataclass
class _Pool:
    threads: int
    workers: list[_Worker] = field(default_factory=list)
    failed_starts: int = 0  # since the last worker that got ready

    def add(self, device: str) -> None:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self.threads), daemon=True)
        variables = dict.fromkeys(THREAD_VARIABLES, str(self.threads))
        place = {DEVICES: device} if device else {}
        with _environment({**variables, **plugin_environment(), **place, QUIET: "1"}):
            process.start()
        there.close()
        self.workers.append(_Worker(process, here, device))

    def replace(self, dead: _Worker) -> None:
        """Start another worker; an error says so if one after the other dies before any work."""
        self.workers.remove(dead)
        self.failed_starts += not dead.ready
        if self.failed_starts >= MOST_FAILED_STARTS:
            raise RuntimeError(
                f"{self.failed_starts} worker processes in a row ended before they could take "
                "work; what they printed is above. Workers import the script that started them: "
                'what a script does must stand under `if __name__ == "__main__":`.'
            )
        self.add(dead.device)

    def close(self) -> None:
        """Let the workers end by themselves: a training that is cut saves itself first."""
        for worker in self.workers:
            worker.pipe.close()
            if worker.position is None:  # it is idle, or still importing
                worker.process.kill()
        for worker in self.workers:
            worker.process.join(timeout=20)
            worker.process.kill()


@contextmanager
def start_workers(workers: int, threads: int = 1) -> Iterator[Callable[..., list[Outcome]]]:
    """Start workers now, so that they import while the caller plans; give an `execute` for them.

    They are dealt the devices of GORDIUM_DEVICES in turn.
    """
    pool = _Pool(threads)
    try:
        devices = os.environ.get(DEVICES, "").split(",")
        for i in range(workers):
            pool.add(devices[i % len(devices)])
        yield partial(_work_off, pool)
    finally:
        pool.close()


def execute(  # noqa: PLR0913 - all by keyword
    jobs: Sequence[Job],
    *,
    workers: int = 2,
    threads: int = 1,
    title: str = "",
    before: Counts | None = None,
    take: Take = lambda job: job,
    ended: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Run all jobs, `workers` at a time; a job that fails does not stop the others.

    `take` is called when a job's turn comes, and returns the job to do, or None if another runner
    has it. `ended` is called with each outcome at once. `before` are runs that the view counts too.
    """
    if workers < 1 or threads < 1:
        raise ValueError(f"workers and threads must be at least 1; got {workers} and {threads}.")
    with start_workers(min(workers, len(jobs)), threads) as work_off:
        return work_off(jobs, title=title, before=before, take=take, ended=ended)


def _work_off(  # noqa: PLR0913 - as `execute`
    pool: _Pool,
    jobs: Sequence[Job],
    *,
    workers: int | None = None,
    title: str = "",
    before: Counts | None = None,
    take: Take = lambda job: job,
    ended: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """`execute` on the workers of the pool, whatever number is asked for."""
    outcomes: dict[int, Outcome] = {}
    waiting = list(enumerate(jobs))[::-1]
    with Display(title, len(jobs), before) as display:
        while len(outcomes) < len(jobs):
            for position in _assign(pool, waiting, take, display):
                outcomes[position] = Outcome(jobs[position], skipped=True)
            for worker in _wait_for_any(pool, waiting):
                heard = _listen(pool, worker, jobs, outcomes, display)
                if heard is not None:
                    ended(outcomes[heard])
    return [outcomes[position] for position in range(len(jobs))]


def _assign(pool: _Pool, waiting: list[tuple[int, Job]], take: Take, display: Display) -> list[int]:
    """Give work to idle workers; return the positions of jobs that were not to be taken."""
    skipped = []
    for worker in (each for each in pool.workers if each.ready):
        while worker.position is None and waiting:
            position, job = waiting.pop()
            taken = take(job)
            if taken is None:
                skipped.append(position)
                continue
            worker.position = position
            display.start(position, job.label)
            with suppress(OSError):  # the worker is dead, which `_listen` will find out
                worker.pipe.send(taken)
    return skipped


def _wait_for_any(pool: _Pool, waiting: list[tuple[int, Job]]) -> list[_Worker]:
    """The workers that have something to say; none if there is nothing left to do."""
    if not waiting and all(worker.position is None for worker in pool.workers):
        return []
    ready = wait([worker.pipe for worker in pool.workers])
    return [worker for worker in pool.workers if worker.pipe in ready]


def _listen(
    pool: _Pool,
    worker: _Worker,
    jobs: Sequence[Job],
    outcomes: dict[int, Outcome],
    display: Display,
) -> int | None:
    """Take a worker's message; return the position of its job if that has ended."""
    position = worker.position
    try:
        kind, content = worker.pipe.recv()
    except (EOFError, OSError):
        kind, content = "died", "the worker process died (killed, or out of memory)"
        pool.replace(worker)
    if kind == "ready":
        worker.ready, pool.failed_starts = True, 0
        return None
    if position is None:
        return None
    job = jobs[position]
    if kind == "progress":
        display.progress(position, *content)
        return None
    worker.position = None
    if kind == "done":
        outcome = Outcome(job, content)
    else:
        outcome = Outcome(job, error=content, died=kind == "died")
    outcomes[position] = outcome
    display.finish(position, job.label, show_result(outcome), outcome.error, outcome.died)
    return position


def _serve(pipe: Connection, threads: int) -> None:
    """Work off jobs until the pipe closes, which stops a job in the middle like Ctrl-C."""
    load_plugins()  # before a job comes that uses their classes

    def report(done: int, total: int, note: str) -> None:
        try:
            pipe.send(("progress", (done, total, note)))
        except OSError:
            raise KeyboardInterrupt from None

    try:
        import torch  # here, since only workers need it

        import_module("gordium.study.jobs")  # most jobs need it: import it before the first comes
        torch.set_num_threads(threads)
        pipe.send(("ready", None))
        while True:
            job: Job = pipe.recv()
            pipe.send(attempt(job, report))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def show_result(outcome: Outcome) -> Any:
    """The part of a result that people are shown."""
    return outcome.result.shown if isinstance(outcome.result, Finished) else outcome.result


def attempt(job: Job, report: Callable[[int, int, str], None]) -> tuple[str, Any]:
    """Do a job; return "done" and its result, or "failed" and the text of the error."""
    try:
        return "done", job.function(*job.arguments, report=report)
    except (ValueError, OSError, ArithmeticError) as error:
        return "failed", str(error)
    except Exception:
        return "failed", traceback.format_exc()


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
