"""Rows of studies that were never run; exhibits at their smallest, trained in this process.

A worker spends seconds on its imports. The way through worker processes is that of Table 1, which
asks for them itself, and of tests/study.
"""

import dataclasses
import json
import pickle
from itertools import count
from pathlib import Path

import pandas as pd
import pytest
from tests.inline import inline

from gordium.exhibits import runs, studies
from gordium.exhibits.reproduce import write_made
from gordium.exhibits.studies import Studied, declare_study, labels
from gordium.methods import METHODS
from gordium.progress import QUIET
from gordium.study.read import read_study
from gordium.study.store import Store
from gordium.study.study import Study


@pytest.fixture
def pretended(tmp_path: Path):
    """pretended(name, value, scale="laptop", seeds=6): all runs of a study, finished.

    `value(dataset, variant, method, strength, seed)` gives a run's numbers by metric, or None
    where the run is missing.
    """

    def make(name, value, scale="laptop", seeds=6, **flags):
        study = declare_study(name, scale)
        first = study.seeds[0]
        study = Study(**{**vars(study), "seeds": tuple(range(first, first + seeds))})
        keys = count()
        rows = []
        for label in labels(study):
            numbers = value(*label)
            key = f"run{next(keys):04d}"
            rows += [row(label, key, metric, v, **flags) for metric, v in (numbers or {}).items()]
        return Studied(study, Store(tmp_path), pd.DataFrame(rows))

    return make


def row(label, key, metric, value, **flags):
    dataset, variant, method, strength, seed = label
    return {
        "dataset": dataset,
        "variant": variant,
        "method": method,
        "strength": float("nan") if strength is None else strength,
        "seed": seed,
        "metric": metric,
        "value": value,
        "active_units": 2.0,
        "over_pruned": False,
        "failed": False,
        "run": key,
        "steps": 2500,
        "n_images": 150,
        "hyperparameters": json.dumps({"name": method}),
        "version": "0.1.0",
        "torch": "2",
        **flags,
    }


@pytest.fixture
def judged(tmp_path: Path):
    """judged(name, made): outcomes of the exhibit's claims, and of its lines as "claim: line"."""

    def outcomes(name, made, scale="laptop"):
        written = write_made(name, made, scale=scale, out=tmp_path / "judged", command="again")
        found = {verdict.claim.text: verdict.outcome for verdict in written.verdicts}
        for verdict in written.verdicts:
            for line in verdict.lines:
                found[f"{verdict.claim.text}: {line.line.of}"] = line.outcome
            for line in verdict.claim.beside:
                found[f"{verdict.claim.text}: {line.of}"] = "not judged"
        return found

    return outcomes


@pytest.fixture
def few_arms(monkeypatch):
    """few_arms("ae", "beta-vae"): studies have these methods only, so that smoke is quicker."""

    def trim(*names):
        def read(path, scale=None):
            study = read_study(path, scale)
            arms = [arm for arm in study.arms if type(arm.method) in kinds]
            return dataclasses.replace(study, arms=tuple(arms))

        kinds = {METHODS[name] for name in names}
        monkeypatch.setattr(studies, "read_study", read)

    return trim


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """Jobs are run one after the other; they are pickled, as on their way to a worker."""

    def sent(jobs, *, take=lambda job: job, ended=lambda outcome: None, **options):
        def passed(job):
            taken = take(job)
            return None if taken is None else pickle.loads(pickle.dumps(taken))

        return inline(jobs, take=passed, ended=ended)

    monkeypatch.setenv(QUIET, "1")
    monkeypatch.setattr(runs, "ENGINE", sent)
