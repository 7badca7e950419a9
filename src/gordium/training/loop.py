"""The loop behind everything that is trained: steps, records, checkpoints, Ctrl-C."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import torch
from torch import Tensor, nn

from gordium.checks import check_least
from gordium.history import check_history, history_digest
from gordium.progress import progress
from gordium.training import checkpoint
from gordium.training.folder import CHECKPOINT, Row, note_kernels, read_history, write_history
from gordium.training.machine import PYTORCH, SWITCH, Used, flush_denormals, kernels_on

Report = Callable[[int, int, str], None]
Log = Callable[[int, Mapping[str, float]], None]


@dataclass(frozen=True)
class Task:
    """Something trained in steps: `step(i)` does one and returns its loss terms, the total first.

    `parts` is all the state that a step changes or reads: modules, optimisers, generators.
    `measure` returns further columns for each row of the history; `log` is called with each row.
    Neither may change the state. `batches` are the numbers of images that networks take at a time;
    `others` are networks that are no parts, as no step changes them.
    """

    label: str
    steps: int
    step: Callable[[int], dict[str, Tensor]]
    parts: dict[str, checkpoint.Part]
    measure: Callable[[], Mapping[str, float]] | None = None
    log: Log | None = None
    batches: tuple[int, ...] = ()
    others: Sequence[nn.Module] = ()


@dataclass(frozen=True)
class Recording:
    """How often losses are recorded (in steps), and the state saved and progress shown (seconds).

    Without `record_every` there is a row every 1 % of the steps, and at least every 100 steps.
    With `any_kernels` a run may be resumed that was begun with other kernels; its bits are then
    those of neither.
    """

    record_every: int | None = None
    checkpoint_seconds: float = 30.0
    report_seconds: float = 0.1
    any_kernels: bool = False

    def __post_init__(self) -> None:
        check_least(1, record_every=self.record_every)

    def interval(self, steps: int) -> int:
        """The number of steps between two rows of the history."""
        return self.record_every or max(1, min(100, steps // 100))


@dataclass
class _Progress:
    """How far a task is: steps done, rows recorded, terms of the steps since the last row."""

    done: int = 0
    history: list[Row] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    window: list[list[Tensor]] = field(default_factory=list)


def run_steps(
    task: Task,
    *,
    folder: Path | None = None,
    configs: Sequence[Path] | None = None,
    recording: Recording | None = None,
    report: Report | None = None,
) -> list[Row]:
    """Take all steps, resuming from the folder's checkpoint if there is one; return the history.

    Losses stay on their device until they are recorded, so that a step does not wait for them.
    Checkpoints are saved at intervals, so that a killed task resumes and ends in the same bits.
    `configs` are the folders whose configs say by which kernels, if not `folder` alone.
    """
    recording = recording or Recording()
    interval = recording.interval(task.steps)
    if configs is None:
        configs = [] if folder is None else [folder]
    state = _load(task, folder, configs, any_kernels=recording.any_kernels)
    reporting = _reporting(task, state.done, report, recording.report_seconds)
    with reporting as tell, _interruptions() as interrupted, flush_denormals():
        saved = time.monotonic()
        while state.done < task.steps:
            terms = task.step(state.done)
            state.names = list(terms)
            state.window.append([term.detach() for term in terms.values()])
            state.done += 1
            if state.done % interval == 0 or state.done == task.steps:
                _record(task, state, folder)
            stop = not tell(state) or interrupted()
            due = time.monotonic() - saved > recording.checkpoint_seconds
            if folder is not None and (due or stop):
                _save(task, state, folder)
                saved = time.monotonic()
            if stop:
                raise KeyboardInterrupt
    _check_weights(task, state, folder)
    return state.history


def _collect_window(state: _Progress) -> Tensor:
    """The terms (steps, terms) since the last row, on the CPU; this waits for the device."""
    flat = [term for row in state.window for term in row]
    if len({term.device for term in flat}) > 1:  # some were restored from a file
        flat = [term.cpu() for term in flat]
    if not flat:
        return torch.zeros(0, len(state.names))
    return torch.stack(flat).cpu().unflatten(0, (len(state.window), -1))


def _record(task: Task, state: _Progress, folder: Path | None) -> None:
    values = _collect_window(state)
    _check_losses(values, state, folder)
    means = values.double().mean(dim=0).tolist()
    measured = task.measure() if task.measure is not None else {}
    losses = dict(zip(state.names, means, strict=True))
    state.history.append({"step": state.done, **losses, **measured})
    if task.log is not None:
        task.log(state.done, {**losses, **measured})
    state.window = []


def _check_losses(values: Tensor, state: _Progress, folder: Path | None) -> None:
    bad = (~torch.isfinite(values)).nonzero()
    if len(bad):
        row, column = bad[0].tolist()
        # The total comes first and is bad whenever a term is, so name a bad term if there is one.
        terms = [int(c) for r, c in bad.tolist() if r == row and c > 0]
        name = state.names[terms[0] if terms else column]
        step = state.done - len(values) + row + 1
        _stop(f"the loss term {name!r} is not finite at step {step}", folder)


def _check_weights(task: Task, state: _Progress, folder: Path | None) -> None:
    modules = {name: p for name, p in task.parts.items() if isinstance(p, nn.Module)}
    tensors = checkpoint.tensors_of(modules).values()
    if not all(torch.isfinite(t).all() for t in tensors if t.is_floating_point()):
        _stop(f"the weights are not finite after step {state.done}", folder)


def _stop(what: str, folder: Path | None) -> None:
    kept = folder / CHECKPOINT if folder is not None else None
    if kept is not None and kept.exists():
        step = checkpoint.load_tensors(kept)[1]["step"]
        where = f"The last good checkpoint, of step {step}, is {kept}."
    else:
        where = "There is no checkpoint yet."
    raise FloatingPointError(f"{what}. {where} Try a smaller learning rate or weight.")


def _save(task: Task, state: _Progress, folder: Path) -> None:
    window = _collect_window(state)
    _check_losses(window, state, folder)
    _check_weights(task, state, folder)
    # History first: a kill in between leaves rows of later steps, which loading drops.
    write_history(folder, state.history)
    tensors = {**checkpoint.tensors_of(task.parts), "loop.window": window}
    about = {"step": state.done, "names": state.names, **_kernels_of(task)._asdict()}
    about["history"] = history_digest(state.history)
    checkpoint.save_tensors(folder / CHECKPOINT, tensors, **about)


def _load(
    task: Task, folder: Path | None, configs: Sequence[Path], *, any_kernels: bool
) -> _Progress:
    here = _kernels_of(task)
    if folder is None or not (folder / CHECKPOINT).exists():
        _note_kernels(configs, here, 0)
        return _Progress()
    tensors, stated = checkpoint.load_tensors(folder / CHECKPOINT)
    done = stated["step"]
    if not _is_same(stated, here):
        if not any_kernels and os.environ.get(SWITCH) != "any":
            raise ValueError(_refuse_kernels(folder, stated, here))
        _note_kernels(configs, here, done)
    checkpoint.restore(task.parts, tensors)
    rows = [row for row in read_history(folder) if row["step"] <= done]
    check_history(folder, rows, stated.get("history"))
    return _Progress(done, rows, stated["names"], [list(row) for row in tensors["loop.window"]])


def _note_kernels(configs: Sequence[Path], here: Used, step: int) -> None:
    for place in configs:
        note_kernels(place, here, step)


def _kernels_of(task: Task) -> Used:
    parts = [part for part in task.parts.values() if isinstance(part, nn.Module)]
    devices = (parameter.device for part in parts for parameter in part.parameters())
    networks = [*parts, *task.others]
    return kernels_on(next(devices, torch.device("cpu")), networks, task.batches)


def _is_same(stated: checkpoint.Stated, here: Used) -> bool:
    """Whether a checkpoint's kernels are those here.

    An old one states no build; and earlier versions did not say `(losses)` where they might have.
    """
    names = (here.kernels, here.kernels.partition(" ")[0])
    return stated.get("kernels", PYTORCH) in names and stated.get("build", here.build) == here.build


def _refuse_kernels(folder: Path, stated: checkpoint.Stated, here: Used) -> str:
    """Why a run is not resumed with other kernels, which round differently, and what to do."""
    began, build, done = stated.get("kernels", PYTORCH), stated.get("build", ""), stated["step"]
    go_on = (
        f"or {SWITCH}=any or --any-kernels to go on with these, which the config will say; or "
        "delete the folder and start again."
    )
    if began == here.kernels:
        return (
            f"{folder} was trained with the build {build!r} of the kernels {began!r} up to step "
            f"{done}; here it is {here.build!r}, by another compiler or for another processor, "
            f"which rounds differently. Go on with the first compiler and processor; {go_on}"
        )
    switch = "off" if began == PYTORCH else "on"
    return (
        f"{folder} was trained with the kernels {began!r} up to step {done}; here {here.kernels!r} "
        f"are in use, which round differently. Set {SWITCH}={switch} to use the first ones if they "
        f"are available; {go_on}"
    )


@contextmanager
def _reporting(
    task: Task, done: int, report: Report | None, seconds: float
) -> Iterator[Callable[[_Progress], bool]]:
    """Yield a function that calls `report`, or updates a progress line, every so many seconds.

    It returns whether to go on: a report that raises KeyboardInterrupt stops the task.
    """
    told, when = done, 0.0
    with progress(task.label, task.steps, done=done, show=False if report else None) as advance:

        def tell(state: _Progress) -> bool:
            nonlocal told, when
            if time.monotonic() - when < seconds and state.done < task.steps:
                return True
            when = time.monotonic()
            last = state.history[-1] if state.history else {}
            note = " ".join(f"{k} {v:.4g}" for k, v in last.items() if k != "step")
            advance(state.done - told, note)
            told = state.done
            try:
                if report is not None:
                    report(state.done, task.steps, note)
            except KeyboardInterrupt:
                return False
            return True

        yield tell


@contextmanager
def _interruptions() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C and SIGTERM wait for the end of a step; a second one interrupts at once.

    A run could not be resumed bit for bit from the middle of a step.
    """
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
