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
    arms = [(name, data, arm) for name, data in study.data.items() for arm in study.arms_on(name)]
    share = seconds / len(arms)
    times: dict[str, float] = {}
    steps, total = 0, 0.0
    for name, data, arm in arms:
        n = _steps(arm, data)
        label = f"{name} {_title(arm)}"
        times[label] = _seconds_per_step(arm, data, share)
        n_runs = len(data.variants) * len(study.seeds_on(name))
        steps, total = steps + n * n_runs, total + n * n_runs * times[label]
    for data in study.data.values():
        for arm, n_runs in data.list_rehearsals():
            n = _steps(arm, data) * n_runs
            steps, total = steps + n, total + n * _seconds_per_step(arm, data, share)
    each = {label: round(1000 * value, 2) for label, value in times.items()}
    return Price(study.n_runs, steps, round(total / 3600, 3), each)


def _title(arm: Arm) -> str:
    return f"{type(arm.method).__name__} {arm.strength if arm.strength is not None else ''}".strip()


def _steps(arm: Arm, data: Data) -> int:
    return arm.settings_on(data.dataset).n_steps(len(data.dataset))


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
