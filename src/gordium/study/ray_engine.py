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
from gordium.study.display import Counts, Display
from gordium.study.local_engine import THREAD_VARIABLES, Job, Outcome, Take, attempt, show_result

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
    variables = {**dict.fromkeys(THREAD_VARIABLES, "1"), **plugin_environment(), QUIET: "1"}
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
        """What was told since the last call."""
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
    ray: Any
    board: Any
    task: Any
    gpus_per_run: float = 0.0
    flying: dict[Any, int] = field(default_factory=dict)
    shown: float = 0.0

    def execute(
        self,
        jobs: Sequence[Job],
        *,
        workers: int | None = None,
        title: str = "",
        before: Counts | None = None,
        take: Take = lambda job: job,
        ended: Callable[[Outcome], None] = lambda outcome: None,
    ) -> list[Outcome]:
        """`local_engine.execute` on a cluster; without `workers`, all CPUs or GPUs are used."""
        outcomes: dict[int, Outcome] = {}
        waiting = list(enumerate(jobs))[::-1]
        with Display(title, len(jobs), before) as display:
            try:
                while waiting or self.flying:
                    for position in self._launch(waiting, take, workers, display):
                        outcomes[position] = Outcome(jobs[position], skipped=True)
                    for position, outcome in self._collect(jobs):
                        outcomes[position] = outcome
                        shown = show_result(outcome)
                        display.finish(position, outcome.job.label, shown, outcome.error)
                        ended(outcome)
                    self._show(display)
            finally:
                self._stop()
        return [outcomes[position] for position in range(len(jobs))]

    def _launch(
        self, waiting: list[tuple[int, Job]], take: Take, workers: int | None, display: Display
    ) -> list[int]:
        """Submit what there is room for; return the positions of jobs that were not to be taken."""
        skipped = []
        room = workers or self._room()
        while waiting and len(self.flying) < room:
            position, job = waiting.pop()
            taken = take(job)
            if taken is None:
                skipped.append(position)
                continue
            display.start(position, job.label)
            packed = pickle.dumps(taken)  # to be unpacked after plugins are loaded there
            self.flying[self.task.remote(packed, position, self.board)] = position
        return skipped

    def _room(self) -> int:
        """How many runs the CPUs and GPUs of the cluster take at a time."""
        found = self.ray.cluster_resources()
        room = int(found.get("CPU", 1))
        if self.gpus_per_run:
            room = min(room, int(found.get("GPU", 0) / self.gpus_per_run))
        return max(1, room)

    def _collect(self, jobs: Sequence[Job]) -> Iterator[tuple[int, Outcome]]:
        if not self.flying:
            return
        ready, _ = self.ray.wait(list(self.flying), timeout=POLL_SECONDS)
        for task in ready:
            position = self.flying.pop(task)
            yield position, self._outcome(jobs[position], task)

    def _outcome(self, job: Job, task: Any) -> Outcome:
        try:
            kind, content = self.ray.get(task)
        except self.ray.exceptions.RayError as error:
            lost = str(error).strip().splitlines()[0]
            return Outcome(job, error=f"its worker was lost {RETRIES + 1} times: {lost}")
        return Outcome(job, content) if kind == "done" else Outcome(job, error=content)

    def _show(self, display: Display) -> None:
        if time.monotonic() - self.shown < POLL_SECONDS:
            return
        self.shown = time.monotonic()
        running = set(self.flying.values())
        for position, told in self.ray.get(self.board.read.remote()).items():
            if position in running:
                display.progress(position, *told)

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
