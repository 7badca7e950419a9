"""Exhibits at their smallest, trained in this process: a worker spends seconds on its imports.

The way through worker processes is that of Table 1, which asks for them itself, and of tests/study.
"""

import pickle

import pytest

from gordium.exhibits import runs
from gordium.progress import QUIET
from gordium.study import Outcome


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """Jobs are run one after the other; they are pickled, as on their way to a worker."""

    def execute(jobs, *, workers, title):
        sent = [pickle.loads(pickle.dumps(job)) for job in jobs]
        return [Outcome(job, job.function(*job.arguments)) for job in sent]

    monkeypatch.setenv(QUIET, "1")
    monkeypatch.setattr(runs, "execute", execute)
