"""`gordium demo`: the headline result in one command."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gordium.cli import options
from gordium.cli.printing import JSON, console, print_json, print_table

if TYPE_CHECKING:
    from gordium.exhibits.demo import Repetition
    from gordium.exhibits.demo.distribution import Distribution
    from gordium.report.rows import Row
    from gordium.report.statistics.verdicts import Verdict

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
        None,
        min=1,
        help="Run that many from 0 on, each in a folder of its number in --out, and say what they "
        "show together. One whose search finds nothing counts as failed, and the others go on.",
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
    modified and the noisy images. As in supplement B.1, the change is rendered by a decoder behind
    a single neuron (here half as wide), its objective is L_ent - L_dis (here weighted so that both
    kinds tie on the originals), and there are several runs of each kind (here two or more, there
    four). Ours are decoders in closed form, a start as a wave, 200 steps of all images at rate 3e-3
    (there 1e-4), short runs (the search at rate 4e-4), and the choice of one of several changes:
    that which lowers the MIG of probe runs most, any that puts a unit to sleep coming last.
    Controls are chosen alike. The published protocol is `studies/headline.toml`.

    Stop it at any time: the same command goes on. Started again when it has finished, it shows the
    result at once.
    """
    if scale == DEMO:
        if None not in (repetition, repetitions):
            raise ValueError("give --repetition, for one, or --repetitions, for several; not both.")
        from gordium.exhibits.demo import Repetition, find_rung

        out = out or Path("demo" if rung == "0" else f"demo-{rung}")
        how, beside = find_rung(rung), controls is not False
        if repetitions is None:
            this = Repetition(repetition or 0, how, out, workers, beside)
            _show_one(this, methods, as_json)
        else:
            folders = {k: out / str(k) for k in range(repetitions)}
            these = [Repetition(k, how, place, workers, beside) for k, place in folders.items()]
            _show_several(these, methods, as_json)
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


def _show_one(this: "Repetition", methods: bool, as_json: bool) -> None:
    """Finish a repetition and show it."""
    rows, _ = _finish(this, methods, as_json)
    if as_json:
        print_json({this.number: [row._asdict() for row in rows]})


def _show_several(these: "list[Repetition]", methods: bool, as_json: bool) -> None:
    """Finish repetitions and show what they say together; exit with 1 if any of them failed.

    One whose search finds nothing has failed, and the others go on.
    """
    from gordium.exhibits.demo import GaveUp
    from gordium.exhibits.demo.distribution import describe_distribution
    from gordium.exhibits.demo.judging import join_repetitions, judge_repetitions

    rows: dict[int, list[Row]] = {}
    others: dict[int, list[Row]] = {}
    failed: dict[int, str] = {}
    for this in these:
        try:
            rows[this.number], others[this.number] = _finish(this, methods, as_json)
        except GaveUp as error:
            failed[this.number] = str(error)
            typer.echo(f"error: {error}", err=True)
    fresh = join_repetitions(rows)
    found = describe_distribution(fresh, failed)
    if as_json:
        each = {number: [row._asdict() for row in own] for number, own in rows.items()}
        print_json({**each, "summary": found.to_json()})
    else:
        rung = these[0].rung.name
        verdicts = judge_repetitions(rung, fresh, join_repetitions(others)) if rows else []
        _show_together(rows, found, verdicts)
    if failed:
        raise typer.Exit(1)


def _finish(this: "Repetition", methods: bool, as_json: bool) -> "tuple[list[Row], list[Row]]":
    """Finish a repetition and print its tables; return its rows, and those of other methods."""
    from gordium.exhibits.demo.run import finish_factors, finish_others, finish_rows
    from gordium.report.rows import fresh_rows

    rows = fresh_rows(finish_rows(this, options.command_line()))
    factors = finish_factors(this)
    others = finish_others(this) if methods else []
    if not as_json:
        show(rows, this.folder)
        show_factors(factors)
        if methods:
            show_methods(others)
    return rows, others


def _show_together(
    rows: "dict[int, list[Row]]", found: "Distribution", verdicts: "list[Verdict]"
) -> None:
    """Print a line for each repetition, then what all of them say."""
    from gordium.exhibits.demo.distribution import ARMS_HEAD, say_counts, tabulate_arms
    from gordium.exhibits.demo.page import REPETITIONS_HEAD, repetitions_table
    from gordium.report.statistics.words import as_markdown

    print_table(REPETITIONS_HEAD, repetitions_table(rows, found.failed))
    if rows:
        print_table(ARMS_HEAD, tabulate_arms(found))
    for said in (*say_counts(found), *as_markdown(verdicts)):
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
