"""`gordium manipulate`: hide the structure that VAEs depend on, in any data set."""

import dataclasses
from pathlib import Path

import typer

from gordium.cli import options
from gordium.cli.demo import show
from gordium.cli.printing import JSON

SHAPES3D = 0.175
PUBLISHED = {"shapes3d": SHAPES3D, "dsprites": 0.1}  # Zietlow et al. 2021, 5.2
SINGLE, ENSEMBLE = 1, 4  # pairs of each kind; the paper (B.1) has four on Shapes3D


def manipulate(
    context: typer.Context,
    dataset: str = typer.Argument(help="A name from `gordium datasets`."),
    out: Path = typer.Option(..., help="Folder for runs, manipulation and report."),
    epsilon: float | None = typer.Option(
        None, help="Largest change of a pixel (default: the paper's, 0.1 dSprites, else 0.175)."
    ),
    search_seeds: int = typer.Option(10, min=2, help="Runs to find both kinds of minima among."),
    fresh_seeds: int = typer.Option(
        10, min=1, help="Runs on each of original, modified and noisy."
    ),
    disentangled: int | None = typer.Option(
        None, min=1, help="Runs of highest MIG to learn from (default: 1 dSprites, else 4)."
    ),
    entangled: int | None = typer.Option(
        None, min=1, help="Runs of lowest MIG to learn from (default: 1 dSprites, else 4)."
    ),
    choose_by: str = typer.Option("mig", help="What ranks them: mig, or udr, without labels."),
    manipulation_steps: int = typer.Option(20_000, min=1, help="Steps of the manipulator."),
    manipulation_batch: int = typer.Option(64, min=1, help="Images in a step of the manipulator."),
    manipulation_rate: float = typer.Option(1e-4, help="Learning rate of the manipulator."),
    decoder_rate: float = typer.Option(1e-4, help="Learning rate of the decoders it plays with."),
    neuron_weight: float | None = typer.Option(
        None, help="Start the manipulator's neuron with weights of this size (default: random)."
    ),
    restarts: int = typer.Option(
        1, min=1, help="Manipulations to learn; the one with the lowest L_ent - L_dis is taken."
    ),
    search_hyperparameters: list[str] = typer.Option(
        [], "--search-set", help="As --set, for the search only, e.g. --search-set beta=1."
    ),
    search_steps: int | None = typer.Option(None, min=1, help="As --steps, for the search only."),
    method: str = options.METHOD,
    hyperparameters: list[str] = options.SET,
    size: int | None = options.SIZE,
    hold: list[str] = options.HOLD,
    steps: int | None = options.STEPS,
    epochs: int | None = options.EPOCHS,
    latent_dim: int | None = options.LATENT_DIM,
    batch_size: int = options.BATCH_SIZE,
    optimiser: str = options.OPTIMISER,
    learning_rate: float | None = options.LEARNING_RATE,
    architecture: str = options.ARCHITECTURE,
    width: float = options.WIDTH,
    likelihood: str = options.LIKELIHOOD,
    workers: int = options.WORKERS,
    devices: str | None = options.DEVICES,
    as_json: bool = JSON,
) -> None:
    """Do the experiment of Zietlow et al. 2021 on any data set.

    It (i) trains several seeds and finds the most and the least disentangled ones, (ii) learns the
    change x + epsilon m(w) that favours the latter, and (iii) trains fresh seeds on original,
    modified and noisy data. It writes figure4.png, rows.csv, report.html and the change itself,
    for `gordium train --manipulation OUT/manipulation`. Started again, it goes on.
    """
    from gordium.exhibits.headline import run_headline
    from gordium.manipulation import ManipulationSettings
    from gordium.manipulation.learn import check_repeats
    from gordium.study.arm import Arm
    from gordium.study.data import VARIANTS, Data
    from gordium.study.search import Search
    from gordium.study.study import Study
    from gordium.training import Adam

    options.check_positive("--manipulation-rate", manipulation_rate)
    options.check_positive("--decoder-rate", decoder_rate)
    options.check_positive("--neuron-weight", neuron_weight)
    data = options.dataset(dataset, context.params)
    check_repeats(data)  # before any run is trained
    settings = options.settings(data, context.params)
    chosen = searched = options.method(method, hyperparameters)
    if search_hyperparameters:
        searched = options.method(method, search_hyperparameters, option="--search-set")
    searching = settings
    if search_steps is not None:
        searching = dataclasses.replace(settings, steps=search_steps, epochs=None)
    if settings.latent_dim < 2:
        raise ValueError("MIG compares two latent units; latent_dim must be at least 2.")
    pairs = SINGLE if data.name == "dsprites" else ENSEMBLE
    search = Search(
        arm=Arm.of(searched, searching),
        seeds=tuple(range(search_seeds)),
        disentangled=disentangled or pairs,
        entangled=entangled or pairs,
        learning=ManipulationSettings(
            steps=manipulation_steps,
            batch_size=manipulation_batch,
            optimiser=Adam(learning_rate=manipulation_rate, eps=1e-7),
            decoder_optimiser=Adam(learning_rate=decoder_rate, eps=1e-7),
            neuron_weight=neuron_weight,
        ),
        restarts=restarts,
        by=choose_by,
    )
    if epsilon is None:
        epsilon = PUBLISHED.get(data.name, SHAPES3D)
    study = Study(
        name="manipulate",
        data={data.name: Data(dataset=data, variants=VARIANTS, epsilon=epsilon, search=search)},
        arms=(Arm.of(chosen, settings),),
        seeds=tuple(range(search_seeds, search_seeds + fresh_seeds)),
    )
    rows = run_headline(study, out, command=options.command_line(), workers=workers)
    show(rows, out, as_json=as_json)
