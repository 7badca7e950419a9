"""The conformance suite of methods: what training, saving and loading require of one."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from gordium.datasets import Dataset, in_memory, load_dataset
from gordium.fields import is_frozen
from gordium.lookup import answer_wrong_calls
from gordium.methods import METHODS, Method
from gordium.networks import Convolutional
from gordium.optimisers import Adam
from gordium.spec import from_named, to_named
from gordium.testing.purity import seed_generators
from gordium.testing.subject import fail
from gordium.training import Recording, Run, Settings, load_run, train
from gordium.training.loop import Report
from gordium.training.step import training_task

STEPS, CUT, LONG = 6, 3, 60
OFTEN = Recording(record_every=2, checkpoint_seconds=0, report_seconds=0)
HELD = {"floor_hue": 0, "wall_hue": 5, "object_hue": 8, "shape": 0}


@answer_wrong_calls
def check_method(
    method: Method, *, dataset: Dataset | None = None, falls: str | None = "loss"
) -> None:
    """Raise an AssertionError that says which part of the contract is broken, if any.

    The method is trained for a few steps on `dataset`, by default 120 images of 16 x 16 pixels.
    Its hyperparameters are JSON and build it again; its terms are finite numbers; gradients reach
    all that its optimisers name; it keeps no state and draws from no global generator; an
    interrupted run resumes to the same bits and loads as it was saved; and the term called `falls`
    decreases over 60 steps (None: no term must, as in a game of two networks).
    """
    data = dataset or in_memory(load_dataset("shapes3d", size=16).hold(**HELD))
    for problem in _find_problems(method, data, falls):
        fail(method, problem)


def _find_problems(method: Method, data: Dataset, falls: str | None) -> Iterator[str]:
    """What is wrong, as sentences without a subject; the first one ends the check."""
    yield from _check_fields(method)
    yield from _check_step(method, data)
    with _global_state(0) as moved:
        whole = _train(method, data)
        is_moved = moved()
    with _global_state(1):
        second = _train(method, data)
    if is_moved:
        yield "draws from a global generator; draw from context.noise or `weights`"
    yield from _compare(whole, second, "does not repeat itself: the same seed ends in another")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        with suppress(_Cut):
            _train(method, data, report=_interrupt, folder=folder)
        resumed = _train(method, data, folder=folder)
        yield from _compare(whole, resumed, "does not go on after a cut: it ends in another")
        loaded = load_run(folder, method=method)
        yield from _compare(whole, loaded, "is not loaded as it was saved: there is another")
    if falls is not None:
        yield from _check_falling(method, data, falls)


def _settings(steps: int) -> Settings:
    small = Convolutional(0.125)
    return Settings(
        steps=steps, latent_dim=3, batch_size=16, architecture=small, optimiser=Adam(1e-3)
    )


def _check_fields(method: Method) -> Iterator[str]:
    kind = type(method)
    if not is_frozen(method):
        yield "is not a frozen dataclass; it must be its own declaration"
    family = {**METHODS, kind.__name__: kind}
    try:
        declared = json.loads(json.dumps(to_named(method, family)))
        again = from_named("method", declared, family)
    except (TypeError, ValueError) as error:
        yield (
            f"is not made again from its fields as JSON: {error}. Give it fields that JSON has: "
            "numbers, text, true or false, and tuples of these"
        )
    if again != method:
        yield f"comes back from JSON as {again}; it was {method}"


def _check_step(method: Method, data: Dataset) -> Iterator[str]:
    """Check that in one step terms are finite numbers and every parameter gets a gradient."""
    model, task = training_task(method, data, _settings(STEPS), torch.device("cpu"))
    terms = task.step(0)
    for name, term in (*list(terms.items())[1:], ("loss", terms["loss"])):  # the total last
        if not isinstance(term, Tensor) or term.ndim != 0:
            yield f"gives the term {name!r}, which must be a tensor of one number: average it"
        if not torch.isfinite(term):
            yield f"gives the term {name!r} that is {term.item()} in the first step"
    modules = {"model": model, "critic": task.parts.get("critic")}
    names = {
        parameter: f"{owner}.{name}"
        for owner, module in modules.items()
        if isinstance(module, nn.Module)
        for name, parameter in module.named_parameters()
    }
    for part, optimiser in task.parts.items():
        if isinstance(optimiser, Optimizer):
            updated = [p for group in optimiser.param_groups for p in group["params"]]
            missed = [names[p] for p in updated if p.grad is None]
            if missed:
                yield f"gives no gradient to {', '.join(missed)} of its {part}: use them in a term"


@contextmanager
def _global_state(seed: int) -> Iterator[Callable[[], bool]]:
    """The same as `seed_generators`, with PyTorch's generator."""
    kept = torch.get_rng_state()
    torch.manual_seed(seed)
    before = torch.get_rng_state()
    try:
        with seed_generators(seed) as have_moved:
            yield lambda: have_moved() or not torch.equal(torch.get_rng_state(), before)
    finally:
        torch.set_rng_state(kept)


class _Cut(Exception):
    """Stops a training as a kill would: nothing is saved afterwards."""


def _ignore(done: int, total: int, note: str) -> None:
    pass


def _interrupt(done: int, total: int, note: str) -> None:
    if done >= CUT:
        raise _Cut


def _train(
    method: Method, data: Dataset, *, report: Report = _ignore, folder: Path | None = None
) -> Run:
    settings = _settings(STEPS)
    return train(method, data, settings=settings, recording=OFTEN, report=report, folder=folder)


def _compare(one: Run, other: Run, sentence: str) -> Iterator[str]:
    others = other.model.state_dict()
    for name, tensor in one.model.state_dict().items():
        if not torch.equal(tensor, others[name]):
            yield f"{sentence} {name}"
    if one.history != other.history:
        yield f"{sentence} history"


def _check_falling(method: Method, data: Dataset, falls: str) -> Iterator[str]:
    recording = Recording(LONG // 3)
    run = train(method, data, settings=_settings(LONG), recording=recording, report=_ignore)
    first, *_, last = (row[falls] for row in run.history)
    if not last < first:
        yield f"does not train: {falls!r} goes from {first:.4g} to {last:.4g}. Check its signs"
