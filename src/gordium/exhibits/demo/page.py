"""`rows.csv`, `figure4.png` and `report.html` of a repetition, and the table of several."""

from collections.abc import Iterable, Mapping, Sequence

from gordium.exhibits.demo.repetition import Finished, Repetition
from gordium.exhibits.headline import ROWS
from gordium.exhibits.headline_page import FIGURE4, PAGE, TABLE_HEAD, say_room, table, verdict
from gordium.files import write_bytes
from gordium.report.figures import images as figures
from gordium.report.pages import html as page
from gordium.report.rows import CHOSEN_BY, Row, fresh_rows, summarise, write_rows
from gordium.study import pictures
from gordium.study.data import VARIANTS
from gordium.study.search import Search

CONTROLLED = ", and of as many draws of noise, unlearned waves and changes with swapped roles"
FOUND_NOTHING = "failed: its search found nothing"
REPETITIONS_HEAD = ("repetition", *VARIANTS, "modified / original", "noise / original")


def write_repetition(this: Repetition, found: Finished, command: str) -> None:
    """Write the page and the picture, and the rows last: if the rows exist, so does the rest."""
    dataset, modified = this.data.dataset, found.arms["modified"]
    shown = pictures.some_indices(dataset, 3)
    before, after = (pictures.originals(each, shown) for each in (dataset, modified))
    epsilon = this.data.epsilon or 0.0
    change = [(new / 255 - old / 255) / epsilon for new, old in zip(after, before, strict=True)]
    figure4 = figures.sums(before, change, after, epsilon)
    write_bytes(this.folder / FIGURE4, figure4)
    fresh = fresh_rows(found.rows)
    n_search = sum(row.variant == "search" and row.metric == "mig" for row in found.rows)
    room = say_room(this.name, this.study, this.store)
    parts = [
        page.paragraph(" ".join(verdict(fresh, epsilon, len(dataset.factors)))),
        page.table(TABLE_HEAD, table(fresh)),
        page.paragraph(f"{_search_sentence(this, found, n_search)} {room}", small=True),
        page.picture(figures.scores(summarise(fresh, "mig"), label="MIG"), "Every fresh seed."),
        page.heading("The change (Figure 4)"),
        page.picture(figure4, "Original + epsilon × change = altered; grey is no change."),
        page.heading("Search and probes"),
        page.table(TABLE_HEAD[:-1], _search_table(found.rows)),
        page.heading("Run it again"),
        page.code(command),
    ]
    title = f"Is the success the model's, or the data set's? Repetition {this.number}"
    page.write_page(this.folder / PAGE, title, parts)
    write_rows(this.folder / ROWS, found.rows)


def _search_table(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """The scores by which runs and changes were chosen; nothing like them is published."""
    chosen_by = [row for row in rows if row.variant.startswith(CHOSEN_BY)]
    return [line[:-1] for line in table(chosen_by)]


def repetitions_table(
    rows: Mapping[int, Sequence[Row]], failed: Iterable[int] = ()
) -> list[tuple[str, ...]]:
    """A line for each repetition: the mean MIG of each arm, and two shares, or that it failed."""
    lines = {number: _repetition_cells(some) for number, some in rows.items()}
    lines |= {number: (FOUND_NOTHING,) for number in failed}
    return [(str(number), *lines[number]) for number in sorted(lines)]


def _repetition_cells(rows: Sequence[Row]) -> tuple[str, ...]:
    mean = {arm: found.mean for arm, found in summarise(rows, "mig").items()}
    shares = (f"{100 * mean[arm] / mean['original']:.0f} %" for arm in ("modified", "noise"))
    return (*(f"{mean[arm]:.2f}" for arm in VARIANTS), *shares)


def _search_sentence(this: Repetition, found: Finished, n_search: int) -> str:
    search, n = this.search, this.search.n_starts
    n_probes = 0 if search.probe is None else len(search.probe.seeds)
    chosen = (
        f"Of {n} changes{CONTROLLED if this.controls else ''}, {n_probes} probe runs each "
        "chose the most harmful; noise"
        if n > 1
        else "Nothing was chosen. Noise"
    )
    return (
        f"{_say_origin(search, found, n_search)} {chosen} is the first draw, and equal noise moves "
        "every value by the change's root mean square. Mean and standard deviation over seeds that "
        "no choice was made by."
    )


def _say_origin(search: Search, found: Finished, n_search: int) -> str:
    if search.learning.smoothing is not None:
        return "The change was designed from the original images alone."
    turns, good = search.learning.turns, len(found.chosen.disentangled)
    others = (
        f"{turns} turned copies of each" if turns else f"{len(found.chosen.entangled)} entangled"
    )
    return (
        f"The change was learned from {good} disentangled and {others} of {n_search} runs on the "
        "original images."
    )
