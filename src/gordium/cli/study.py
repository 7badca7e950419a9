"""`gordium study`: many runs declared in one file, worked off, counted and summed up."""

import json
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gordium.cli import options
from gordium.cli.guard import Guarded
from gordium.cli.printing import JSON, print_json, print_result, print_table

if TYPE_CHECKING:
    from gordium.report.rows import Row
    from gordium.study.runner import Ended, Engine
    from gordium.study.store import Store

app = typer.Typer(
    cls=Guarded,
    help="Run many runs declared in one TOML file; count them, and sum them up.",
    no_args_is_help=True,
)
FILE = typer.Argument(help="A study's TOML file, e.g. studies/zietlow2021.toml.")
FOLDER = typer.Argument(help="The folder or address of a study, the --out of `study run`.")
SCALE = typer.Option(None, help="smoke, laptop or paper, if the file has such scales.")


@app.command("run")
def run(
    file: Path = FILE,
    out: str = typer.Option(
        ...,
        help="Folder for the runs, or an address like s3://bucket/study; "
        "the same command goes on there.",
    ),
    scale: str | None = SCALE,
    workers: int | None = typer.Option(
        None,
        min=1,
        help="Runs at a time, one thread each (default: 2, or one for each of --devices; ray: all "
        "its CPUs, or what its GPUs allow).",
    ),
    devices: str | None = options.DEVICES,
    gpus_per_run: float = typer.Option(
        0.0, min=0.0, help="GPUs of a Ray cluster for each run, e.g. 1, or 0.5 for two on one."
    ),
    engine: str = typer.Option("local", help="local (processes of this machine) or ray."),
    address: str | None = typer.Option(
        None, help="A Ray cluster, e.g. auto or HOST:6379 (default: one on this machine)."
    ),
    rows: list[str] = typer.Option(
        [], help="CSV files of rows; the runs in them count as finished (repeatable)."
    ),
    into: Path | None = typer.Option(
        None, help="Like --rows, and rows of runs are added to this CSV file as they finish."
    ),
    change: list[Path] = typer.Option(
        [], help="Folder of a learned change to take, so that no search is run (repeatable)."
    ),
    lease: float = typer.Option(
        60.0, min=1.0, help="Seconds without a sign of life after which a run may be taken over."
    ),
    track: str | None = options.TRACK,
    retry_failed: bool = typer.Option(False, help="Try failed runs again."),
    dry_run: bool = typer.Option(False, help="Only print what would be run, and how long."),
    as_json: bool = JSON,
) -> None:
    """Work a study off, on this machine or on a cluster.

    Stop it at any time, start it again, start it several times at once: nothing is done twice
    and nothing is lost. Ends with code 1 if a run failed or cannot be made.
    """
    if dry_run:
        from gordium.study.price import estimate_price
        from gordium.study.read import read_study

        typer.echo(json.dumps(estimate_price(read_study(file, scale))._asdict(), indent=2))
        return
    if engine == "ray" and devices is not None:
        raise typer.BadParameter("--devices is for this machine; with Ray, give --gpus-per-run.")
    if engine == "local":
        workers = workers or len((devices or "auto,auto").split(","))
    # The engine comes first: its workers import while we plan.
    with _engine(engine, address, workers, gpus_per_run) as chosen:
        from gordium.report.study_rows import add_rows, list_known_runs
        from gordium.study.address import is_address
        from gordium.study.imported_changes import take_change
        from gordium.study.read import read_study
        from gordium.study.remote import fetch_file, open_store
        from gordium.study.runner import run_study

        study = read_study(file, scale)
        store = open_store(out if is_address(out) else str(Path(out).absolute()), lease)
        committed = [into] if into is not None and into.exists() else []
        known = list_known_runs([*(fetch_file(place) for place in rows), *committed], study.metrics)
        store.declare(study.declaration)
        if retry_failed:
            store.forget_failures()
        for folder in change:
            take_change(store, folder)
        if into is not None:
            add_rows(into, store)  # what an earlier runner finished but was killed before adding
        ended = run_study(
            study,
            store,
            workers=workers,
            engine=chosen,
            known=known,
            after_each=None if into is None else partial(add_rows, into, store),
            track=track,
        )
    show(store, as_json=as_json)
    conclude(ended, quiet=as_json)


@app.command("status")
def status(folder: str = FOLDER, as_json: bool = JSON) -> None:
    """Say how many runs are done, running and failed."""
    show(_open(folder), as_json=as_json)


@app.command("rows")
def rows(
    folder: str = FOLDER,
    out: Path | None = typer.Option(None, help="The file to write (default: FOLDER/rows.csv)."),
    form: str = typer.Option("csv", "--format", help="csv or parquet."),
    into: Path | None = typer.Option(
        None, help="A CSV file of rows to add these to; rows of other runs in it stay."
    ),
    as_json: bool = JSON,
) -> None:
    """Write one line for each score of each run, with all that it came from."""
    from gordium.lookup import pick
    from gordium.report.rows import write_runs
    from gordium.report.study_rows import add_to, study_rows, study_runs

    pick("format", form, {"csv": None, "parquet": None})
    if into is not None and (out is not None or form != "csv"):
        raise typer.BadParameter("--into adds to a CSV file: give it without --out and --format.")
    store = _open(folder)
    name = f"rows.{form}"
    target = into or out or store.folder / name
    if into is not None:
        n = len(add_to(into, study_rows(store)))
    elif form == "csv":
        n = write_runs(target, study_runs(store))
    else:
        n = _write_parquet(target, study_rows(store))
    where = str(into or out or store.publish(name))
    print_result({"written": where, "n_rows": n}, f"wrote {n:,} rows to {where}", as_json=as_json)


@app.command("report")
def report(
    folder: str = FOLDER,
    out: Path | None = typer.Option(None, help="Folder to write (default: FOLDER/report)."),
    discard: list[str] = typer.Option(
        [], help="Leave out runs that are over_pruned or failed; they are counted (repeatable)."
    ),
    as_json: bool = JSON,
) -> None:
    """Write one page with tables and figures, and the tables as Markdown and LaTeX."""
    from gordium.report.pages.study_report import write_report

    store = _open(folder)
    place = out or store.folder / "report"
    page = write_report(store, place, options.command_line(), discard=discard)
    where = f"{out or store.publish('report')}/{page.name}"
    print_result({"page": where}, f"wrote {where}", as_json=as_json)


def _open(folder: str) -> "Store":
    from gordium.study.remote import open_store

    store = open_store(folder)
    store.declaration()  # an error if it is not a study
    return store


def conclude(ended: "Ended", *, quiet: bool = False) -> None:
    """Say what failed and what waits; a study that is not finished ends with code 1."""
    if quiet and (ended.failed or ended.waiting):
        raise typer.Exit(1)
    for failure in ended.failed.values():
        typer.echo(f"failed: {failure['label']}: {failure['error'].strip().splitlines()[-1]}")
    if ended.failed:
        typer.echo("Start it again with --retry-failed to try these anew.")
    if ended.waiting:
        typer.echo(
            f"{ended.waiting} runs on modified images are not made: the change that they need "
            "cannot be learned here, because runs of its search failed or are known from rows "
            "alone. Try the failed ones again, give the change with --change, or leave --rows out."
        )
    if ended.failed or ended.waiting:
        raise typer.Exit(1)


def _engine(
    name: str, address: str | None, workers: int | None, gpus: float
) -> "AbstractContextManager[Engine]":
    from gordium.lookup import pick
    from gordium.study.local_engine import start_workers

    pick("engine", name, {"local": None, "ray": None})
    if name == "ray":
        from gordium.study.ray_engine import ray_engine

        return ray_engine(address, gpus_per_run=gpus)
    if address is not None or gpus:
        option = "--address" if address is not None else "--gpus-per-run"
        raise typer.BadParameter(f"{option} needs a Ray cluster: add --engine ray.")
    return start_workers(workers or 2)


def _write_parquet(target: Path, found: "list[Row]") -> int:
    import pandas

    try:
        pandas.DataFrame(found).to_parquet(target)
    except ImportError as error:
        raise ValueError("parquet needs pyarrow: pip install 'gordium[parquet]'.") from error
    return len(found)


def show(store: "Store", *, as_json: bool = False) -> None:
    """Print a table by data set, variant and method, or the same as JSON."""
    finished, failed, running = store.list_finished(), store.read_failed(), store.list_claimed()
    counts: dict[tuple[str, ...], list[int]] = {}
    for node in store.read_plan():
        name = (node["data"], node["variant"], node.get("method") or "")
        key, is_open = node["key"], node["key"] not in finished
        at_work, gave_up = is_open and key in running, is_open and key in failed
        flags = (True, not is_open, at_work, gave_up, finished.get(key, False))
        counts[name] = [n + flag for n, flag in zip(counts.get(name, [0] * 5), flags, strict=True)]
    head = ("data", "variant", "method", "runs", "done", "running", "failed", "over-pruned")
    if as_json:
        print_json([dict(zip(head, (*n, *line), strict=True)) for n, line in counts.items()])
        return
    lines = [(*names, *map(str, line)) for names, line in counts.items()]
    total = [sum(column) for column in zip(*counts.values(), strict=True)] or [0] * 5
    print_table(head, [*lines, ("all", "", "", *map(str, total))])
