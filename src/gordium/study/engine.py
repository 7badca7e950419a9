"""Jobs, whoever does them: what they are, what becomes of them, and how they are worked off."""

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gordium.study.display import Counts, Display
from gordium.study.records import Record


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
Heard = tuple[int, str, Any]  # a job's position; "progress", "done", "failed" or "died"; of what


class Crew(Protocol):
    """Those who do jobs, which have numbers: their positions."""

    def has_room(self, workers: int | None) -> bool:
        """Whether one more job can be given; `workers` limits how many there are at a time."""

    def give(self, position: int, job: Job) -> None:
        """Have a job done."""

    def listen(self) -> Iterable[Heard]:
        """Wait for news of the jobs that were given, and yield it."""


def work_off(  # noqa: PLR0913 - all by keyword
    crew: Crew,
    jobs: Sequence[Job],
    *,
    workers: int | None = None,
    title: str = "",
    before: Counts | None = None,
    take: Take = lambda job: job,
    ended: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Have all jobs done; a job that fails does not stop the others.

    `take` is called when a job's turn comes, and returns the job to do, or None if another runner
    has it. `ended` is called with each outcome at once. `before` are runs that the view counts too.
    """
    outcomes: dict[int, Outcome] = {}
    waiting = list(enumerate(jobs))[::-1]
    with Display(title, len(jobs), before) as display:
        while len(outcomes) < len(jobs):
            if waiting and crew.has_room(workers):
                position, job = waiting.pop()
                taken = take(job)
                if taken is None:
                    outcomes[position] = Outcome(job, skipped=True)
                else:
                    display.start(position, job.label)
                    crew.give(position, taken)
                continue
            for position, kind, content in crew.listen():
                if kind == "progress":
                    display.progress(position, *content)
                    continue
                outcomes[position] = found = _conclude(jobs[position], kind, content)
                display.finish(position, found.job.label, _pick(found), found.error, found.died)
                ended(found)
    return [outcomes[position] for position in range(len(jobs))]


def attempt(job: Job, report: Callable[[int, int, str], None]) -> tuple[str, Any]:
    """Do a job; return "done" and its result, or "failed" and the text of the error."""
    try:
        return "done", job.function(*job.arguments, report=report)
    except (ValueError, OSError, ArithmeticError) as error:
        return "failed", str(error)
    except Exception:
        return "failed", traceback.format_exc()


def _conclude(job: Job, kind: str, content: Any) -> Outcome:
    if kind == "done":
        return Outcome(job, content)
    return Outcome(job, error=content, died=kind == "died")


def _pick(outcome: Outcome) -> Any:
    """The part of a result that people are shown."""
    return outcome.result.shown if isinstance(outcome.result, Finished) else outcome.result
