"""Jobs on worker processes of this machine, one thread each."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from gordium.plugins import load_plugins, plugin_environment
from gordium.progress import DEVICES, QUIET
from gordium.study.engine import Heard, Job, Outcome, attempt, work_off

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
MOST_FAILED_STARTS = 3  # one may be killed by chance; several in a row have a reason


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    device: str
    position: int | None = None
    ready: bool = False


@dataclass
class _Pool:
    """A crew of processes, however many are asked for when there is work."""

    workers: list[_Worker] = field(default_factory=list)
    failed_starts: int = 0  # since the last worker that got ready

    def add(self, device: str) -> None:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there,), daemon=True)
        place = {DEVICES: device} if device else {}
        with _environment({**ONE_THREAD, **plugin_environment(), **place, QUIET: "1"}):
            process.start()
        there.close()
        self.workers.append(_Worker(process, here, device))

    def fill(self, workers: int) -> None:
        """Start as many as are missing; they are dealt the devices of GORDIUM_DEVICES in turn."""
        devices = os.environ.get(DEVICES, "").split(",")
        for i in range(len(self.workers), workers):
            self.add(devices[i % len(devices)])

    def has_room(self, workers: int | None) -> bool:
        return any(self._idle())

    def give(self, position: int, job: Job) -> None:
        worker = next(self._idle())
        worker.position = position
        with suppress(OSError):  # the worker is dead, which `listen` will find out
            worker.pipe.send(job)

    def listen(self) -> Iterator[Heard]:
        ready = wait([worker.pipe for worker in self.workers])
        for worker in [worker for worker in self.workers if worker.pipe in ready]:
            try:
                kind, content = worker.pipe.recv()
            except (EOFError, OSError):
                kind, content = "died", "the worker process died (killed, or out of memory)"
                self._replace(worker)
            position = worker.position
            if kind == "ready":
                worker.ready, self.failed_starts = True, 0
            elif position is not None:
                worker.position = position if kind == "progress" else None
                yield position, kind, content

    def close(self) -> None:
        """Let the workers end by themselves: a training that is cut saves itself first."""
        for worker in self.workers:
            worker.pipe.close()
            if worker.position is None:  # it is idle, or still importing
                worker.process.kill()
        for worker in self.workers:
            worker.process.join(timeout=20)
            worker.process.kill()

    def _idle(self) -> Iterator[_Worker]:
        return (each for each in self.workers if each.ready and each.position is None)

    def _replace(self, dead: _Worker) -> None:
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


@contextmanager
def start_workers(workers: int, *, now: bool = True) -> Iterator[Callable[..., list[Outcome]]]:
    """Start workers now, so that they import while the caller plans; give a `work_off` of theirs.

    If not now, they start with the first jobs. They stay to the end of the block.
    """
    if workers < 1:
        raise ValueError(f"workers must be at least 1; got {workers}.")
    pool = _Pool()
    try:
        if now:
            pool.fill(workers)
        yield partial(_work, pool, workers)
    finally:
        pool.close()


def _work(pool: _Pool, most: int, jobs: Sequence[Job], **options: Any) -> list[Outcome]:
    """`work_off` once the convolution kernels are compiled, or a line has said why they are not.

    Workers are silent, and those that start at once would each compile them.
    """
    pool.fill(min(most, len(jobs)))
    from gordium.networks import kernels  # here, so that workers start before PyTorch is imported

    if jobs:
        kernels()
    return work_off(pool, jobs, **options)


def execute(jobs: Sequence[Job], *, workers: int = 2, **options: Any) -> list[Outcome]:
    """Run all jobs, `workers` at a time, with the options of `work_off`."""
    with start_workers(workers, now=False) as work:
        return work(jobs, **options)


def _serve(pipe: Connection) -> None:
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
        torch.set_num_threads(1)
        pipe.send(("ready", None))
        while True:
            job: Job = pipe.recv()
            pipe.send(attempt(job, report))
    except (EOFError, OSError, KeyboardInterrupt):
        return


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
