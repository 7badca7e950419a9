"""`gordium train`: one run."""

from pathlib import Path

import typer

from gordium.cli import options
from gordium.cli.printing import JSON, print_result


def train(
    context: typer.Context,
    dataset: str = typer.Argument(
        help="A name from `gordium datasets`, or a file or folder of yours "
        "that `gordium datasets check` accepts."
    ),
    out: Path = typer.Option(..., help="Folder of the run; if it holds a part, that goes on."),
    method: str = options.METHOD,
    hyperparameters: list[str] = options.SET,
    size: int | None = options.SIZE,
    hold: list[str] = options.HOLD,
    marginalise: list[str] = options.MARGINALISE,
    noise: float | None = options.NOISE,
    manipulation: Path | None = typer.Option(
        None, help="Folder of a manipulation: train on the data set changed by it."
    ),
    steps: int | None = options.STEPS,
    epochs: int | None = options.EPOCHS,
    latent_dim: int | None = options.LATENT_DIM,
    seed: int = typer.Option(0, min=0, help="Decides weights, data order and noise."),
    batch_size: int = options.BATCH_SIZE,
    optimiser: str = options.OPTIMISER,
    learning_rate: float | None = options.LEARNING_RATE,
    architecture: str = options.ARCHITECTURE,
    width: float = options.WIDTH,
    likelihood: str = options.LIKELIHOOD,
    device: str = options.DEVICE,
    initial: str = typer.Option(
        "glorot", help="How weights start: glorot, biases zero; or torch, PyTorch's own defaults."
    ),
    precision: str = typer.Option(
        "float32", help="float32, or bfloat16: automatic mixed precision; names another run."
    ),
    compiled: bool = typer.Option(
        False, "--compile", help="Compile the networks by torch.compile; names another run."
    ),
    threads: int | None = typer.Option(None, min=1, help="CPU threads (default: all)."),
    track: str | None = options.TRACK,
    any_kernels: bool = options.ANY_KERNELS,
    as_json: bool = JSON,
) -> None:
    """Train a method on a data set, e.g.

    gordium train shapes3d --set beta=8 --steps 20000 --out runs/a

    Ctrl-C saves; the same command goes on and ends in the same bits.
    """
    import torch

    from gordium.datasets import in_memory
    from gordium.spec import RunSpec
    from gordium.track import Tracked
    from gordium.training import Recording
    from gordium.training import train as run_training

    if threads is not None:
        torch.set_num_threads(threads)
    data = in_memory(options.dataset(dataset, context.params))
    settings = options.settings(data, context.params)
    chosen = options.method(method, hyperparameters)
    spec = RunSpec.of(chosen, data, settings)
    config = {"hash": spec.key, "declaration": spec.to_json()}
    with Tracked(track, out, config) as tracked:
        run = run_training(
            chosen,
            data,
            folder=out,
            device=device,
            settings=settings,
            log=tracked.log,
            recording=Recording(any_kernels=any_kernels),
        )
    last = {name: round(value, 4) for name, value in run.history[-1].items()}
    found = {"run": out, "key": spec.key, "last": run.history[-1]}
    print_result(found, f"finished: {out}  {last}", as_json=as_json)
