"""Work off a study: claim what is next, have it done, put it in place and record it."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from gordium.study.display import Counts
from gordium.study.engine import Finished, Job, Outcome
from gordium.study.jobs import job_of
from gordium.study.local_engine import start_workers
from gordium.study.nodes import RUN, Known, Node, read_known
from gordium.study.plan import Plan, make_plan
from gordium.study.records import Failure, Record
from gordium.study.store import Claim, Store
from gordium.study.study import Study, TaskList
from gordium.study.tasks import Wanted
from gordium.track import new_tracker

POLL_SECONDS = 1.0
LIVES = 3  # how often a run's worker may be killed before the run counts as failed
Engine = Callable[..., list[Outcome]]


class Ended(NamedTuple):
    """How a study stands when its runner has nothing left to do.

    Runs that are `waiting` cannot be made, because runs that they depend on failed or are known
    from rows alone. Such a study is not finished.
    """

    finished: int
    failed: dict[str, Failure]
    waiting: int


def run_study(  # noqa: PLR0913 - how it is run, all by keyword
    study: Study | TaskList,
    store: Store,
    *,
    workers: int | None = 2,
    engine: Engine | None = None,
    known: frozenset[str] = frozenset(),
    only: Callable[[Node], bool] = lambda node: True,
    after_each: Callable[[str], None] | None = None,
    track: str | None = None,
) -> Ended:
    """Do all that is not done yet; runs whose key is in `known` count as done elsewhere.

    A search that found no runs to learn from is an error when all else is done.

    Nodes for which `only` returns False are left for another time. A failed run is recorded and
    not tried again. Several runners may share the folder: this one waits for what another has
    claimed. `after_each` is called with the key of each node that was done; `track` names a
    tracker, to which each run is logged. Without an `engine`, `workers` processes of this machine
    do it all; they start before the study is planned, if anything seems to be left.
    """
    if track is not None:
        new_tracker(track)  # an unknown or missing tracker is an error before any work
    wanted = replace(study.wanted, track=track)
    store.declare(study.declaration)
    held = _Held(store, after_each)
    with held.keep_renewed(), _open_engine(engine, workers, store, known) as work_off:
        while True:
            so_far = read_known(store)
            plan = make_plan(study, store, so_far)
            store.plan(node.line for node in plan.nodes)
            failed = store.read_failed()
            done = {*failed, *known}
            nodes = {node.key: node for node in plan.nodes}  # of a run with two names, one
            left = [n for n in nodes.values() if not (n.key in done or is_done(n, wanted, so_far))]
            todo = [node for node in left if only(node)]
            if not todo:
                if plan.gave_up:
                    raise plan.gave_up[0]
                return Ended(len(so_far.records), failed, plan.waiting)
            held.seen = so_far.records
            held.awaited = _list_awaited(todo) if plan.waiting else {}
            outcomes = work_off(
                [job_of(node.label, node.task, wanted, store) for node in todo],
                workers=workers,
                title=study.title,
                before=_counts(plan, len(todo), so_far, failed),
                take=held.take,
                ended=held.end,
            )
            if all(outcome.skipped for outcome in outcomes):
                time.sleep(POLL_SECONDS)


def _open_engine(
    engine: Engine | None, workers: int | None, store: Store, known: frozenset[str]
) -> AbstractContextManager[Engine]:
    """The engine, or else processes, which are not started now if nothing seems to be left."""
    if engine is not None:
        return nullcontext(engine)
    planned = store.list_planned()
    left = planned - store.list_finished().keys() - store.read_failed().keys() - known
    return start_workers(2 if workers is None else workers, now=bool(left) or not planned)


def is_done(node: Node, wanted: Wanted, known: Known) -> bool:
    """Whether a node is recorded with all metrics, and in place if something is made from it."""
    record = known.records.get(node.key)
    if record is None or (node.kept and not known.in_place(node)):
        return False
    return node.kind != RUN or set(wanted.metrics) <= set(record["scores"])


def _counts(plan: Plan, todo: int, known: Known, failed: dict[str, Failure]) -> Counts:
    """The numbers of runs that do not change in a round of work."""
    n_failed = sum(node.key in failed for node in plan.nodes)
    pruned = [known.records.get(node.key, {}).get("over_pruned") for node in plan.nodes]
    done = len(plan.nodes) - todo - n_failed
    return Counts(plan.waiting, done, n_failed, sum(map(bool, pruned)))


def _list_awaited(todo: list[Node]) -> dict[str, set[str]]:
    """The keys that the rest of the plan depends on, by data set."""
    keys: dict[str, set[str]] = {}
    for node in todo:
        if node.kept:
            keys.setdefault(node.labels["data"], set()).add(node.key)
    return keys


@dataclass
class _Held:
    """The claims of this runner, which a thread renews while it lives.

    When all that is `awaited` on a data set has ended, a new plan can hold more, so nothing is
    taken until that is made.
    """

    store: Store
    after_each: Callable[[str], None] | None = None
    claims: dict[str, Claim] = field(default_factory=dict)
    deaths: Counter[str] = field(default_factory=Counter)
    awaited: dict[str, set[str]] = field(default_factory=dict)
    seen: Mapping[str, Record] = field(default_factory=dict)

    def take(self, job: Job) -> Job | None:
        """The job with its claim; None if another runner has it, or a new plan is due."""
        if any(not keys for keys in self.awaited.values()):
            return None
        claim = self.store.claim(job.key)
        if claim is None:
            return None
        if self.store.result(job.key) != self.seen.get(job.key):  # another runner has done it
            self.store.release(claim)
            return None
        self.claims[job.key] = claim
        return replace(job, arguments=(*job.arguments, claim))

    def end(self, outcome: Outcome) -> None:
        key = outcome.job.key
        for keys in self.awaited.values():
            keys.discard(key)
        claim = self.claims.pop(key)
        self.deaths[key] += outcome.died
        found = outcome.result
        if isinstance(found, Finished):
            try:
                done = self.store.finish(claim, found.kind, found.record)
            except FileNotFoundError as error:  # what was made is not here
                outcome = replace(outcome, result=None, error=str(error))
            else:
                if done and self.after_each is not None:
                    self.after_each(key)
                return
        if not (outcome.died and self.deaths[key] < LIVES):
            self.store.fail(claim, outcome.job.label, outcome.error or "it gave no result")
        self.store.release(claim)

    @contextmanager
    def keep_renewed(self) -> Iterator[None]:
        stop = threading.Event()

        def renew() -> None:
            while not stop.wait(self.store.lease / 4):
                with suppress(OSError, ValueError):  # the main thread meets and reports the same
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
