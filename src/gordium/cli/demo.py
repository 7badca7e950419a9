"""`gordium demo`: the headline result in one command."""

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gordium.cli import options
from gordium.cli.printing import JSON, console, print_json, print_table

if TYPE_CHECKING:
    from gordium.exhibits.demo import Repetition
    from gordium.report.rows import Row

DEMO = "demo"


def demo(
    out: Path | None = typer.Option(
        None,
        help="Folder for runs, rows and the report (default: demo, or demo-SCALE).",
    ),
    scale: str = typer.Option(
        DEMO,
        help="demo: our recipe, at most 30 minutes on two cores. Or the published protocol, a "
        "study without repetitions and controls: smoke (seconds, shows nothing), laptop (at most "
        "three hours) or paper (all of it: weeks).",
    ),
    repetition: int | None = typer.Option(
        None,
        min=0,
        help="Which repetition of the recipe (default: 0): each has seeds of its own.",
    ),
    repetitions: int | None = typer.Option(
        None, min=1, help="Run that many from 0 on, each in a folder of its number in --out."
    ),
    rung: str = typer.Option(
        "0",
        help="Which images: 0, floor hue and orientation of Shapes3D; 0-longer, those with four "
        "times as many steps of fresh runs; 1, a part of its wall hues too; 1-turned, those with "
        "turned copies of aligned runs in place of entangled ones; 1-scale, floor hue, scale and "
        "orientation; 1-designed, those with a change that is designed from the images and longer "
        "training; 2-designed, three wall hues too, likewise; 3-designed, all six factors with "
        "five hues of each kind, and a designed change; dsprites, place and size of a square; "
        "dsprites-designed, those with a designed change, likewise.",
    ),
    controls: bool | None = typer.Option(
        None,
        help="Also unlearned waves, swapped roles and the worst of several draws of noise "
        "(default: yes).",
    ),
    methods: bool = typer.Option(
        False,
        help="Also train other methods of the published Table 1 on the same images: all six, four "
        "on 1-designed, two on 2-designed.",
    ),
    workers: int = options.WORKERS,
    devices: str | None = options.DEVICES,
    as_json: bool = JSON,
) -> None:
    """Test how much of a beta-VAE's disentanglement a bounded, learned change takes away.

    Trains seeds on Shapes3D until there are disentangled and entangled ones, learns the
    manipulation of Zietlow et al. 2021 from them, and trains fresh seeds on the original, the
    modified and the noisy images. Of supplement B.1 the demo keeps the network with its single
    neuron, the objective and the ensemble; ours are decoders in closed form, a start as a wave,
    several changes judged by probe runs, and controls that are selected alike. The published
    protocol is `studies/headline.toml`. Stop it at any time: the same command goes on. Started
    again when it has finished, it shows the result at once.
    """
    if scale == DEMO:
        if None not in (repetition, repetitions):
            raise ValueError("give --repetition, for one, or --repetitions, for several; not both.")
        from gordium.exhibits.demo import Repetition, find_rung

        out = out or Path("demo" if rung == "0" else f"demo-{rung}")
        apart, how = repetitions is not None, find_rung(rung)
        numbers = [repetition or 0] if repetitions is None else range(repetitions)
        places = [out / str(number) if apart else out for number in numbers]
        pairs, beside = zip(numbers, places, strict=True), controls is not False
        these = [Repetition(k, how, place, workers, beside) for k, place in pairs]
        _repeat(these, apart, methods, as_json)
        return
    if methods or rung != "0" or (repetition, repetitions, controls) != (None, None, None):
        raise ValueError(
            f"the published protocol, --scale {scale}, has no repetitions, rungs, controls and "
            "other methods; leave --repetition, --repetitions, --rung, --controls and --methods "
            "out, or take --scale demo."
        )
    from gordium.exhibits.headline import headline_study, run_headline

    out = out or Path(f"demo-{scale}")
    study = headline_study(scale)
    rows = run_headline(study, out, command=options.command_line(), workers=workers)
    show(rows, out, as_json=as_json)


def _repeat(
    repetitions: "list[Repetition]", apart: bool, methods: bool, as_json: bool = False
) -> None:
    """Run repetitions and print a table of each, and one of all if they have folders `apart`."""
    from gordium.exhibits.demo.judging import judge_demo, read_repetitions
    from gordium.exhibits.demo.page import REPETITIONS_HEAD, repetitions_table
    from gordium.exhibits.demo.run import finish_factors, finish_others, finish_rows
    from gordium.report.rows import fresh_rows
    from gordium.report.statistics.words import as_markdown

    found = {}
    for this in repetitions:
        found[this.number] = fresh_rows(finish_rows(this, options.command_line()))
        factors = finish_factors(this)
        others = finish_others(this) if methods else None
        if as_json:
            continue
        show(found[this.number], this.folder)
        show_factors(factors)
        if others is not None:
            show_methods(others)
    if as_json:
        print_json({str(k): [r._asdict() for r in rows] for k, rows in found.items()})
    elif apart:
        print_table(REPETITIONS_HEAD, repetitions_table(found))
        together = read_repetitions(repetitions[0].folder.parent)
        verdicts = chain.from_iterable(judge_demo(together, {}).values())
        for said in as_markdown(list(verdicts)):
            console().print(said, soft_wrap=True, markup=False)


def show_factors(rows: "list[Row]") -> None:
    """Print how well a classifier finds each factor in the images of each arm."""
    head = ("accuracy of a classifier, unseen images", *dict.fromkeys(r.variant for r in rows))
    lines = [
        (metric, *(f"{row.value:.2f}" for row in rows if row.metric == metric))
        for metric in dict.fromkeys(row.metric for row in rows)
    ]
    print_table(head, lines)


def show_methods(rows: "list[Row]") -> None:
    """Print MIG of each method on each arm, seed by seed."""
    migs = [row for row in rows if row.metric == "mig"]
    arms = dict.fromkeys(row.variant for row in migs)
    lines = []
    for method in dict.fromkeys(row.method for row in migs):
        cells = [[r.value for r in migs if (r.method, r.variant) == (method, arm)] for arm in arms]
        lines.append((method, *(" ".join(f"{value:.2f}" for value in some) for some in cells)))
    print_table(("MIG", *arms), lines)


def show(rows: "list[Row]", out: Path, *, as_json: bool = False) -> None:
    """Print the table and where the page is, or the rows as JSON."""
    from gordium.exhibits.headline_page import PAGE, TABLE_HEAD, table

    if as_json:
        print_json({"page": out / PAGE, "rows": [row._asdict() for row in rows]})
        return
    print_table(TABLE_HEAD, table(rows))
    console().print(f"The whole report: {out / PAGE}", soft_wrap=True)
