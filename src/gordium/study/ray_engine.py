"""Jobs on a Ray cluster, one CPU and one thread each. Ray is imported only if it is asked for."""

import importlib
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from gordium.plugins import load_plugins, plugin_environment
from gordium.progress import QUIET
from gordium.study.engine import Heard, Job, Outcome, attempt, work_off
from gordium.study.local_engine import ONE_THREAD

RETRIES = 2  # of a task whose worker or node is lost: three lives, as on one machine
POLL_SECONDS = 0.5
_STOP_SECONDS = 20.0
Told = tuple[int, int, str]


@contextmanager
def ray_engine(
    address: str | None = None, *, gpus_per_run: float = 0.0
) -> Iterator[Callable[..., list[Outcome]]]:
    """An engine for `run_study` on the cluster at `address`, or on one started on this machine.

    Gordium's version must be the same on all nodes. If they are several machines, the study must
    be at an address: a node that does not see its folder refuses to work. After an interruption,
    open a new engine: workers may have been stopped in the middle of an import. Ray shows a run
    only the GPU that it gives to it; a run without one is trained on the CPU.
    """
    ray = _ray()
    variables = {**ONE_THREAD, **plugin_environment(), QUIET: "1"}
    new = {} if address else {"include_dashboard": False}
    ray.init(
        address=address,
        runtime_env={"env_vars": variables},
        log_to_driver=False,
        logging_level="ERROR",
        **new,
    )
    try:
        task = ray.remote(num_cpus=1, num_gpus=gpus_per_run, max_retries=RETRIES)(_work)
        yield _Cluster(ray, _board(ray), task, gpus_per_run).execute
    finally:
        ray.shutdown()


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise ValueError("the engine 'ray' needs Ray: pip install 'gordium[cluster]'.") from error


class Board:
    """Where tasks write how far they are, and the runner reads the last that each wrote."""

    def __init__(self) -> None:
        self._told: dict[int, Told] = {}

    def tell(self, position: int, told: Told) -> None:
        """Note how far a task is."""
        self._told[position] = told

    def read(self) -> dict[int, Told]:
        """How far tasks are, by position, of those that said so since the last call."""
        told, self._told = self._told, {}
        return told


def _board(ray: Any) -> Any:
    """A board on the runner's own node, so that it is not lost with another one."""
    affinity = importlib.import_module("ray.util.scheduling_strategies")
    here = affinity.NodeAffinitySchedulingStrategy(
        ray.get_runtime_context().get_node_id(), soft=True
    )
    board = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(Board)
    return board.options(scheduling_strategy=here).remote()


@dataclass
class _Cluster:
    """A crew of tasks; they are flying while they are not ended."""

    ray: Any
    board: Any
    task: Any
    gpus_per_run: float = 0.0
    flying: dict[Any, int] = field(default_factory=dict)
    shown: float = 0.0

    def execute(self, jobs: Sequence[Job], **options: Any) -> list[Outcome]:
        """`work_off` on a cluster; without `workers`, all CPUs or GPUs are used."""
        try:
            return work_off(self, jobs, **options)
        finally:
            self._stop()

    def has_room(self, workers: int | None) -> bool:
        return len(self.flying) < (workers or self._room())

    def give(self, position: int, job: Job) -> None:
        packed = pickle.dumps(job)  # to be unpacked after plugins are loaded there
        self.flying[self.task.remote(packed, position, self.board)] = position

    def listen(self) -> Iterator[Heard]:
        ready, _ = self.ray.wait(list(self.flying), timeout=POLL_SECONDS)
        for task in ready:
            yield self.flying.pop(task), *self._result(task)
        if time.monotonic() - self.shown >= POLL_SECONDS:
            self.shown = time.monotonic()
            running = set(self.flying.values())
            for position, told in self.ray.get(self.board.read.remote()).items():
                if position in running:
                    yield position, "progress", told

    def _room(self) -> int:
        """How many runs the CPUs and GPUs of the cluster take at a time."""
        found = self.ray.cluster_resources()
        room = int(found.get("CPU", 1))
        if self.gpus_per_run:
            room = min(room, int(found.get("GPU", 0) / self.gpus_per_run))
        return max(1, room)

    def _result(self, task: Any) -> tuple[str, Any]:
        try:
            return self.ray.get(task)
        except self.ray.exceptions.RayError as error:
            lost = str(error).strip().splitlines()[0]
            return "failed", f"its worker was lost {RETRIES + 1} times: {lost}"

    def _stop(self) -> None:
        """Interrupt what still runs, and give it time to save itself."""
        left = list(self.flying)
        self.flying.clear()
        for task in left:
            self.ray.cancel(task, force=False)
        if left:
            self.ray.wait(left, num_returns=len(left), timeout=_STOP_SECONDS)


def _work(packed: bytes, position: int, board: Any) -> tuple[str, Any]:
    """Do a job on a node, and tell the board about it at most once a second."""
    import torch

    torch.set_num_threads(1)
    load_plugins()
    job: Job = pickle.loads(packed)
    told = 0.0

    def report(done: int, total: int, note: str) -> None:
        nonlocal told
        if time.monotonic() - told > 1:
            told = time.monotonic()
            board.tell.remote(position, (done, total, note))

    return attempt(job, report)
