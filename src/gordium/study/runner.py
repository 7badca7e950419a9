"""Work a study off: claim what is next, leave records, survive anything."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from gordium.store import Record, Store
from gordium.study.display import Counts
from gordium.study.jobs import job_of
from gordium.study.local import Job, Outcome, execute
from gordium.study.plan import CHANGE, Node, Plan, make_plan
from gordium.study.study import SEARCH, Study
from gordium.track import new_tracker

POLL_SECONDS = 1.0
LIVES = 3  # how often a run's worker may be killed before the run counts as failed
Engine = Callable[..., list[Outcome]]


class Ended(NamedTuple):
    """How a study stands after its runner has nothing left to do."""

    finished: int
    failed: dict[str, Record]
    waiting: int


def run_study(  # noqa: PLR0913 - how it is run, all by keyword
    study: Study,
    store: Store,
    declaration: Record,
    *,
    workers: int | None = 2,
    engine: Engine = execute,
    known: frozenset[str] = frozenset(),
    after_each: Callable[[str], None] | None = None,
    track: str | None = None,
) -> Ended:
    """Do all that is not done yet; runs whose key is `known` count as done elsewhere.

    A failed run is recorded and left alone. Several runners may share the folder: what another
    one has claimed is left to it, and waited for. `after_each` is told the key of what was done;
    `track` names a tracker that hears of each run.
    """
    if track is not None:
        new_tracker(track)  # an unknown or missing one is an error before any work
    store.declare(declaration)
    held = _Held(store, after_each)
    with held.renewed():
        while True:
            plan = make_plan(study, store)
            store.plan(node.line for node in plan.nodes)
            finished, failed = store.finished(), store.failed()
            done = {*finished, *failed, *known}
            todo = [node for node in plan.nodes if node.key not in done]
            if not todo:
                return Ended(len(finished), failed, plan.waiting)
            jobs = [job_of(node, study, store, track) for node in todo]
            held.awaited = _awaited(todo) if plan.waiting else {}
            outcomes = engine(
                jobs,
                workers=workers,
                title=study.name,
                before=_counts(plan, len(todo), finished, failed),
                take=held.take,
                ended=held.ended,
            )
            if all(outcome.skipped for outcome in outcomes):
                time.sleep(POLL_SECONDS)


def _counts(
    plan: Plan, todo: int, finished: dict[str, Record], failed: dict[str, Record]
) -> Counts:
    """What stands fast before a round of work."""
    n_failed = sum(node.key in failed for node in plan.nodes)
    pruned = [finished.get(node.key, {}).get("over_pruned") for node in plan.nodes]
    done = len(plan.nodes) - todo - n_failed
    return Counts(plan.waiting, done, n_failed, sum(map(bool, pruned)))


def _awaited(todo: list[Node]) -> dict[str, set[str]]:
    """By data set, what a change is learned from, or the change: others wait for it."""
    keys: dict[str, set[str]] = {}
    for node in todo:
        if node.labels["variant"] in (SEARCH, CHANGE):
            keys.setdefault(node.labels["data"], set()).add(node.key)
    return keys


@dataclass
class _Held:
    """The claims of this runner, renewed by a thread while it lives.

    When all that is awaited on a data set has ended, a new plan can hold more: until it is made,
    nothing is taken.
    """

    store: Store
    after_each: Callable[[str], None] | None = None
    claims: dict[str, Path] = field(default_factory=dict)
    deaths: Counter[str] = field(default_factory=Counter)
    awaited: dict[str, set[str]] = field(default_factory=dict)

    def take(self, job: Job) -> bool:
        """Whether the job is ours to do: not done meanwhile, and claimed by nobody else."""
        if any(not keys for keys in self.awaited.values()):
            return False
        claim = self.store.claim(job.key)
        if claim is None:
            return False
        if self.store.is_finished(job.key):
            self.store.release(claim)
            return False
        self.claims[job.key] = claim
        return True

    def ended(self, outcome: Outcome) -> None:
        key = outcome.job.key
        for keys in self.awaited.values():
            keys.discard(key)
        self.deaths[key] += outcome.died
        if outcome.error is not None and not (outcome.died and self.deaths[key] < LIVES):
            self.store.fail(key, outcome.job.label, outcome.error)
        if claim := self.claims.pop(key, None):
            self.store.release(claim)
        if self.after_each is not None and outcome.error is None and not outcome.skipped:
            self.after_each(key)

    @contextmanager
    def renewed(self) -> Iterator[None]:
        stop = threading.Event()

        def renew() -> None:
            while not stop.wait(self.store.lease / 4):
                self.store.renew(list(self.claims.values()))

        thread = threading.Thread(target=renew, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
            for claim in self.claims.values():
                self.store.release(claim)
