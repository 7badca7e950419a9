"""How long a study will take on this machine, from two seconds of training."""

import time
from typing import NamedTuple

import torch

from gordium.datasets import in_memory
from gordium.study.arm import Arm
from gordium.study.data import Data
from gordium.study.study import Study
from gordium.training.step import training_task

SECONDS = 2.0


class Price(NamedTuple):
    """`hours` are of one worker; learning changes and scoring runs are not in them."""

    runs: int
    steps: int
    hours: float
    milliseconds_per_step: dict[str, float]


def estimate_price(study: Study, seconds: float = SECONDS) -> Price:
    """Time steps of each arm on each of its data sets, for `seconds` in all, then of the rest."""
    fresh = [
        (name, data, arm, len(data.variants) * len(study.seeds_on(name)))
        for name, data in study.data.items()
        for arm in study.arms_on(name)
    ]
    before = [("", data, *some) for data in study.data.values() for some in data.list_rehearsals()]
    times: dict[str, float] = {}
    steps, total = 0, 0.0
    for name, data, arm, n_runs in [*fresh, *before]:
        n = arm.settings_on(data.dataset).n_steps(len(data.dataset)) * n_runs
        each = _seconds_per_step(arm, data, seconds / len(fresh))
        steps, total = steps + n, total + n * each
        if name:
            strength = "" if arm.strength is None else f" {arm.strength}"
            times[f"{name} {type(arm.method).__name__}{strength}"] = round(1000 * each, 2)
    return Price(study.n_runs, steps, round(total / 3600, 3), times)


def _seconds_per_step(arm: Arm, data: Data, seconds: float) -> float:
    dataset = in_memory(data.dataset, limit_bytes=1 << 24)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        _, task = training_task(
            arm.method, dataset, arm.settings_on(data.dataset), torch.device("cpu")
        )
        task.step(0)
        begun, n = time.perf_counter(), 0
        while n == 0 or time.perf_counter() - begun < seconds:
            n += 1
            task.step(n)
        return (time.perf_counter() - begun) / n
    finally:
        torch.set_num_threads(threads)
