"""An engine for `run_study` that works in this process: slow, but easy to debug."""

from collections.abc import Callable, Sequence
from typing import Any

from gordium.study.engine import Job, Outcome, Take, attempt


def inline(
    jobs: Sequence[Job], *, take: Take, ended: Callable[[Outcome], None], **options: Any
) -> list[Outcome]:
    """Do the jobs that `take` grants, one after the other."""
    outcomes = []
    for job in jobs:
        taken = take(job)
        if taken is None:
            outcomes.append(Outcome(job, skipped=True))
            continue
        kind, content = attempt(taken, lambda done, total, note: None)
        outcomes.append(Outcome(job, content) if kind == "done" else Outcome(job, error=content))
        ended(outcomes[-1])
    return outcomes
