"""The headline experiment: a study of one data set and one method, with its rows and its page."""

from pathlib import Path

from gordium.exhibits import runs
from gordium.exhibits.headline_page import PAGE, write_page
from gordium.exhibits.studies import study_file
from gordium.files import write_bytes
from gordium.report.rows import Row, fresh_rows, read_rows, write_rows
from gordium.report.study_rows import study_rows
from gordium.study.data import VARIANTS
from gordium.study.phases import find_change
from gordium.study.plan import make_plan
from gordium.study.read import read_study
from gordium.study.runner import run_study
from gordium.study.store import Store
from gordium.study.study import Study

ROWS, CHANGE = "rows.csv", "manipulation"


def headline_study(scale: str) -> Study:
    """Read the demo's study from `studies/headline.toml`."""
    return read_study(study_file("headline"), scale)


def run_headline(study: Study, folder: Path, *, command: str, workers: int = 2) -> list[Row]:
    """Run what is not done yet and write `rows.csv`, `figure4.png` and `report.html`."""
    store = Store(folder)
    is_written = (folder / ROWS).exists() and (folder / PAGE).exists()
    if is_written and store.holds(study.declaration):
        return read_rows(folder / ROWS)
    runs.raise_unfinished(run_study(study, store, workers=workers, engine=runs.ENGINE))
    planned = study_rows(store, [node.line for node in make_plan(study, store).nodes])
    rows = sorted(fresh_rows(planned), key=lambda row: VARIANTS.index(row.variant))
    [name] = study.data
    change = find_change(name, study, store)
    assert change is not None  # since nothing is unfinished
    for file in change.folder.iterdir():
        write_bytes(folder / CHANGE / file.name, file.read_bytes())
    write_rows(folder / ROWS, rows)
    write_page(study, store, change, rows, command)
    return rows
