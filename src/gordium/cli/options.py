"""Options that several commands share, and the values that they stand for."""

import dataclasses
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gordium.method_names import METHOD_NAMES

if TYPE_CHECKING:
    from gordium.datasets import Dataset
    from gordium.methods import Method
    from gordium.networks import Architecture
    from gordium.training import Run, Settings


def use_devices(devices: str | None) -> str | None:
    """Set the devices of this process and its workers; a missing device is an error."""
    if devices is None:
        return None
    from gordium.progress import DEVICES as variable
    from gordium.training.machine import pick_device

    names = [name.strip() for name in devices.split(",")]
    try:
        found = [str(pick_device(name)) for name in names]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    os.environ[variable] = ",".join(found)
    return os.environ[variable]


SUFFIXES = (".npz", ".csv", ".parquet")  # of files that may hold a data set of the user's
SIZE = typer.Option(
    None, help="Height and width of the images, 16 to 128 (default: the data set's own, mostly 64)."
)
HOLD = typer.Option(
    [],
    help="Hold a factor at one value, e.g. --hold scale=4, or --hold colour=red where values have "
    "labels (repeatable): the rest is free.",
)
MARGINALISE = typer.Option(
    [], help="A factor that varies and is not scored, e.g. --marginalise instance (repeatable)."
)
NOISE = typer.Option(None, help="Add to each image its own fixed uniform noise in [-NOISE, NOISE].")
METHOD = typer.Option(
    "beta-vae",
    help=f"{', '.join(METHOD_NAMES[:-1])} or {METHOD_NAMES[-1]}.",
)
SET = typer.Option(
    [],
    "--set",
    help="A hyperparameter of the method, e.g. --set beta=8 or --set layout=4,4,2 (repeatable).",
)
STEPS = typer.Option(None, help="Training steps (default: 20000, unless --epochs).")
EPOCHS = typer.Option(None, help="Passes through the whole data set, instead of --steps.")
LATENT_DIM = typer.Option(None, help="Latent units (default: the number of free factors).")
BATCH_SIZE = typer.Option(64, help="Images in a step.")
OPTIMISER = typer.Option("adam", help="adam, adagrad or sgd.")
LEARNING_RATE = typer.Option(None, help="Step size (default: 1e-4 for adam, 1e-2 for the others).")
ARCHITECTURE = typer.Option("convolutional", help="convolutional, mlp or linear.")
WIDTH = typer.Option(1.0, help="Scales the channels of the convolutional networks.")
LIKELIHOOD = typer.Option(
    "bernoulli",
    help="bernoulli, bernoulli-x4 (each pixel counts as four) or gaussian (squared error).",
)
WORKERS = typer.Option(2, min=1, help="Worker processes, one thread each.")
TRACK = typer.Option(None, help="Log to tensorboard, mlflow or wandb as well.")
DEVICE = typer.Option("auto", help="auto, cpu, cuda, cuda:1 or mps.")
DEVICES = typer.Option(
    None,
    callback=use_devices,
    help="Devices that workers take turns with, e.g. cuda:0,cuda:1: one run on each at a time, or "
    "several with more --workers (default: the best there is, for all).",
)
DATA = typer.Option(
    None, help="Where the run's data set lies now, if it is a file or folder of yours that moved."
)
ANY_KERNELS = typer.Option(
    False, "--any-kernels", help="Go on with a run that other kernels began; its config notes it."
)


def command_line() -> str:
    """The command that is running, as it would be typed again."""
    return shlex.join(["gordium", *sys.argv[1:]])


def numbers(option: str, pairs: Sequence[str]) -> dict[str, float]:
    """`name=number` pairs as a dictionary; whole numbers come as int."""
    found: dict[str, float] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        try:
            value = float(text)
        except ValueError:
            name, value = "", 0.0
        if not name:
            raise typer.BadParameter(f"{option} takes name=number, not {pair!r}.")
        key = name.replace("-", "_")
        if key in found:
            raise typer.BadParameter(f"{option} {name} is given twice.")
        found[key] = int(value) if value.is_integer() else value
    return found


def check_positive(option: str, value: float | None) -> None:
    """Refuse anything but a number above 0 before hours of training."""
    if value is not None and not 0 < value < inf:
        raise typer.BadParameter(f"{option} must be a number above 0; got {value}.")


def dataset(name: str, given: Mapping[str, Any]) -> "Dataset":
    """The data set that the options of a command describe, which its context has by name."""
    from gordium.datasets import Modified, Noisy

    found = _find_dataset(name, given["size"])
    if held := _parse_held(found, given["hold"]):
        found = found.hold(**held)
    if nuisances := given.get("marginalise"):
        found = found.marginalise(*nuisances)
    if (noise := given.get("noise")) is not None:
        found = Noisy(found, noise)
    if (folder := given.get("manipulation")) is None:
        return found
    from gordium.manipulation import load_manipulation

    return Modified(found, load_manipulation(folder))


def _parse_held(data: "Dataset", pairs: Sequence[str]) -> dict[str, int | str]:
    """The values to hold factors at: whole numbers, or words where values have labels."""
    from gordium.lookup import pick

    known = {factor.name: factor for factor in data.factors}
    words = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        is_word = bool(text) and not text.replace(".", "").lstrip("-").isdigit()
        if is_word and not pick("factor", name, known).labels:
            raise typer.BadParameter(
                f"--hold {name}={text}: the values of {name} have no labels; give a whole number."
            )
        if is_word or (name in known and text in known[name].labels):
            words[pair] = (name, text)
    found = numbers("--hold", [pair for pair in pairs if pair not in words])
    for factor, value in found.items():
        if not isinstance(value, int):
            raise ValueError(f"--hold takes a whole number or a label; got {factor}={value}.")
    return {**{name: int(value) for name, value in found.items()}, **dict(words.values())}


def _find_dataset(name: str, size: int | None) -> "Dataset":
    """A data set of the catalogue, or of the user's if the name is that of a file or folder."""
    from gordium.datasets import DATASETS, load_dataset, open_path
    from gordium.lookup import pick

    path = Path(name)
    sizes = {} if size is None else {"size": size}
    load: Callable[..., Dataset]
    if name not in DATASETS and (path.suffix in SUFFIXES or path.is_dir()):
        is_sized, load = path.suffix != ".npz", partial(open_path, path)
    else:
        kind: Any = pick("data set", name, DATASETS)
        is_sized = any(field.name == "size" for field in dataclasses.fields(kind))
        load = partial(load_dataset, name)
    if sizes and not is_sized:
        raise typer.BadParameter(f"--size {size}: {name} has one size only; leave --size out.")
    return load(**sizes)


def load_run_and_data(
    folder: Path, *, data: Path | None = None, device: str = "auto"
) -> "tuple[Run, Dataset]":
    """A finished run and the data set that it was trained on, in memory if that gains speed."""
    from gordium.datasets import in_memory, relocate
    from gordium.manipulation import load_declared_dataset
    from gordium.training import load_run

    run = load_run(folder, device=device)
    declaration = run.config["declaration"]["dataset"]
    found = load_declared_dataset(declaration if data is None else relocate(declaration, data))
    return run, in_memory(found)


def method(name: str, hyperparameters: Sequence[str], *, option: str = "--set") -> "Method":
    """The method called `name` with the hyperparameters that were set."""
    from gordium.lookup import pick
    from gordium.methods import METHODS

    kind: Any = pick("method", name, METHODS)
    fields = {f.name: f for f in dataclasses.fields(kind)}
    words = [pair for pair in hyperparameters if _is_special(fields.get(_key(pair)), pair)]
    plain = numbers(option, [pair for pair in hyperparameters if pair not in words])
    for given in plain:
        pick(f"hyperparameter of {name}", given, fields)
    others = {_key(pair): _word(option, pair, fields[_key(pair)].default) for pair in words}
    return kind(**{**plain, **others})


def _is_special(field: Any, pair: str) -> bool:
    """Whether a pair holds something else than one number: a word, a switch, or a tuple."""
    if field is None:
        return False
    return isinstance(field.default, str | bool) or ("," in pair and "tuple" in str(field.type))


def _key(pair: str) -> str:
    return pair.partition("=")[0].replace("-", "_")


def _word(option: str, pair: str, default: Any) -> str | bool | tuple[float, ...]:
    text = pair.partition("=")[2]
    if isinstance(default, str):
        return text
    if not isinstance(default, bool):
        parts = text.removesuffix(",").split(",")
        return tuple(numbers(option, [f"{_key(pair)}={part}"])[_key(pair)] for part in parts)
    if text not in ("true", "false"):
        raise typer.BadParameter(f"{option} {_key(pair)} takes true or false, not {text!r}.")
    return text == "true"


def settings(data: "Dataset", given: Mapping[str, Any]) -> "Settings":
    """The settings that the options of a command stand for, which its context has by name."""
    from gordium.training import Settings

    names = {field.name for field in dataclasses.fields(Settings)}
    plain = {name: value for name, value in given.items() if name in names and value is not None}
    if not {"steps", "epochs"} & set(plain):
        plain["steps"] = 20_000
    plain["optimiser"] = _optimiser(given["optimiser"], given["learning_rate"])
    plain["architecture"] = _architecture(given["architecture"], given["width"])
    return Settings(**{"latent_dim": len(data.factors), **plain})


def _optimiser(name: str, learning_rate: float | None) -> Any:
    from gordium.lookup import pick
    from gordium.training import OPTIMISERS

    kind: Any = pick("optimiser", name, OPTIMISERS)
    check_positive("--learning-rate", learning_rate)
    return kind() if learning_rate is None else kind(learning_rate=learning_rate)


def _architecture(name: str, width: float) -> "Architecture":
    from gordium.lookup import pick
    from gordium.networks import ARCHITECTURES, Convolutional

    kind = pick("architecture", name, ARCHITECTURES)
    if kind is Convolutional:
        return Convolutional(width)
    if width != 1:
        raise typer.BadParameter(f"--width is for convolutional networks only, not for {name}.")
    return kind()
