"""Recording the steps of one or several runs, to be launched all at once.

Small networks on a GPU wait for kernel launches. A CUDA graph needs one launch for all that a step
does, and the runs in it share the GPU. A step's inputs and outputs lie at fixed addresses. No GPU
was at hand: the tests use the same code on the CPU, where a recording is a list of calls.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import torch
from torch import Generator, Tensor
from torch.optim import SGD, Optimizer

from gordium.methods import Batch, Context
from gordium.training.checkpoint import Part
from gordium.training.step import Steps

Call = Callable[[], None]
WARM_UP = 3  # steps before a recording, in which memory and optimisers' states are allocated


class Recorder(Protocol):
    """How independent calls are made, and recorded to be made again."""

    def call(self, calls: Sequence[Call]) -> None:
        """Make the calls once."""

    def record(self, calls: Sequence[Call], noise: Sequence[Generator]) -> Call:
        """Return a call that makes all calls again; `noise` are the generators they draw from."""


class InTurns:
    """Makes calls one after the other and records nothing, for the CPU."""

    def call(self, calls: Sequence[Call]) -> None:
        for call in calls:
            call()

    def record(self, calls: Sequence[Call], noise: Sequence[Generator]) -> Call:
        return lambda: self.call(calls)


class CudaGraphs:
    """Makes each call on its own CUDA stream. This class is untested for want of a GPU."""

    def __init__(self, n: int) -> None:
        self.streams = [torch.cuda.Stream() for _ in range(n)]

    def call(self, calls: Sequence[Call]) -> None:
        main = torch.cuda.current_stream()
        for stream, call in zip(self.streams, calls, strict=True):
            stream.wait_stream(main)
            with torch.cuda.stream(stream):
                call()
        for stream in self.streams:
            main.wait_stream(stream)

    def record(self, calls: Sequence[Call], noise: Sequence[Generator]) -> Call:
        graph = torch.cuda.CUDAGraph()
        for generator in noise:
            graph.register_generator_state(generator)
        with torch.cuda.graph(graph):
            self.call(calls)
        return graph.replay


class RecordedSteps:
    """The steps of several runs: the first ones are taken directly, the others by a recording.

    A step with other sizes than the recorded one, such as the last of an epoch, is taken directly,
    and so is every step of a method that depends on the step's number.
    """

    def __init__(self, runs: Sequence[Steps], recorder: Recorder) -> None:
        self.runs, self.recorder = runs, recorder
        self.taken, self.is_scheduled = 0, False
        self.names: list[list[str]] = [[] for _ in runs]
        self.given = [torch.empty(0) for _ in runs]
        self.places: list[Batch] = []
        self.replay: Call | None = None

    def __call__(self, i: int) -> dict[str, Tensor]:
        batches = [run.draw(i) for run in self.runs]
        if self.replay is None and self.taken >= WARM_UP and not self.is_scheduled:
            self._record(i, batches)
        if self.replay is not None and all(map(_is_alike, self.places, batches)):
            for place, batch in zip(self.places, batches, strict=True):
                _fill(place, batch)
            self.replay()
        else:
            self.recorder.call([self._step(k, i, batch) for k, batch in enumerate(batches)])
            self.taken += 1
        return {
            f"{k}.{name}": term
            for k, given in enumerate(self.given)
            for name, term in zip(self.names[k], given.clone().unbind(), strict=True)
        }

    def _record(self, i: int, batches: Sequence[Batch]) -> None:
        self.places = [_make_places(batch) for batch in batches]
        calls = [self._step(k, i, place) for k, place in enumerate(self.places)]
        noise = [p for run in self.runs for p in run.parts.values() if isinstance(p, Generator)]
        self.replay = self.recorder.record(calls, noise)

    def _step(self, k: int, i: int, batch: Batch) -> Call:
        """Return a call that takes run k's step and writes its terms to their fixed place."""

        def step() -> None:
            context = _Watched(*self.runs[k].context(i))
            terms = self.runs[k].work(context, batch)
            self.is_scheduled |= context.was_asked
            found = [term.detach() for term in terms.values()]
            if not self.names[k]:
                self.names[k], self.given[k] = list(terms), torch.stack(found)
            torch.stack(found, out=self.given[k])

        return step


class _Watched(Context):
    """Notices whether the step's number is read, which a recording would repeat unchanged."""

    was_asked = False

    @property
    def step(self) -> int:
        self.was_asked = True
        return self[0]


def recorder_for(device: torch.device, runs: Sequence[Steps]) -> Recorder:
    """CUDA graphs on CUDA, where optimisers must count steps on the device; else turns."""
    if device.type != "cuda":
        return InTurns()
    for run in runs:
        for part in run.parts.values():
            _make_recordable(part)
    return CudaGraphs(len(runs))


def _make_recordable(part: Part) -> None:
    if not isinstance(part, Optimizer) or isinstance(part, SGD):
        return
    for group in part.param_groups:
        if "capturable" not in group:
            raise ValueError(
                f"{type(part).__name__} cannot be recorded as a CUDA graph; use adam or sgd, or "
                "train the seeds one by one."
            )
        group["capturable"] = True


def _make_places(batch: Batch) -> Batch:
    shared, other = (None if t is None else torch.empty_like(t) for t in batch[1:])
    return Batch(torch.empty_like(batch.x), shared, other)


def _is_alike(place: Batch, batch: Batch) -> bool:
    first, second = ([None if t is None else t.shape for t in some] for some in (place, batch))
    return first == second


def _fill(place: Batch, batch: Batch) -> None:
    for to, tensor in zip(place, batch, strict=True):
        if to is not None and tensor is not None:
            to.copy_(tensor)
