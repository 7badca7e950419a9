"""Making the page of trained runs."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path

from gordium._version import __version__
from gordium.datasets import Dataset
from gordium.explorer.blob import Blob
from gordium.explorer.layers import check_weights
from gordium.explorer.of_data import Shown, data_name, describe_data
from gordium.explorer.of_run import describe_run
from gordium.explorer.page import assemble, frame
from gordium.explorer.stored import choose
from gordium.files import write_text
from gordium.lookup import answer_wrong_calls
from gordium.manipulation import load_declared_dataset
from gordium.progress import progress
from gordium.spec import RunSpec, declaration_hash
from gordium.training import Run, load_run

HEIGHT = 900
POINTS = 1000
MOST_RUNS = 6


@dataclass(frozen=True)
class Explorer:
    """A finished page, which notebooks show and `save` writes to one file."""

    title: str
    page: str = field(repr=False)

    def save(self, path: str | Path) -> Path:
        """Write the page; return its path."""
        place = Path(path)
        if place.suffix != ".html":
            raise ValueError(f"the page is an .html file; got {place}.")
        write_text(place, self.page)
        return place

    def _repr_html_(self) -> str:
        return frame(self.page, HEIGHT)


@answer_wrong_calls
def explore(
    *runs: Run | str | Path,
    dataset: Dataset | None = None,
    points: int = POINTS,
    seed: int = 0,
    command: str = "",
) -> Explorer:
    """One offline, interactive page of runs, given as runs or folders, side by side.

    Each run is shown on the data set that it was trained on, or all on `dataset`. All runs are
    given the same inputs, so their data sets must have the same factors.
    """
    _check(len(runs), points)
    loaded = [
        _move_to_cpu(run) if isinstance(run, Run) else load_run(run, device="cpu") for run in runs
    ]
    check_weights(*(run.model for run in loaded))
    blob, found = Blob(), []
    shown: dict[str, Shown] = {}
    with progress("exploring", len(loaded) + 1) as advance:
        for run in loaded:
            name = _show(run, dataset, shown, points=points, seed=seed)
            about, at = shown[name], list(shown).index(name)
            found.append({**describe_run(run, about, blob, seed=seed), "dataset": at})
            advance(1)
        described = [describe_data(about, blob) for about in shown.values()]
        advance(1)
    title = _title([run.spec for run in loaded])
    content = {
        "title": title,
        "version": __version__,
        "command": command,
        "datasets": described,
        "runs": found,
    }
    return Explorer(title, assemble(content, blob, title))


def _move_to_cpu(run: Run) -> Run:
    """The run itself, or a copy if its model lies on another device."""
    if next(run.model.parameters()).device.type == "cpu":
        return run
    return replace(run, model=deepcopy(run.model).cpu())


def _show(
    run: Run, given: Dataset | None, shown: dict[str, Shown], *, points: int, seed: int
) -> str:
    """The name of the run's data set in `shown`, which holds each once and gets it if need be."""
    declared = run.config["declaration"]
    name = declaration_hash(given.declaration if given else declared["dataset"])
    if name not in shown:
        data = given or load_declared_dataset(declared["dataset"])
        first = next(iter(shown.values())).dataset if shown else data
        if first.factors != data.factors:
            raise ValueError(
                "runs side by side are given the same inputs, so their data sets must have the "
                f"same factors; got {_names(first)} and {_names(data)}."
            )
        shown[name] = Shown(data, choose(data, n_points=points, seed=seed))
    trained, there = tuple(declared["image_shape"]), shown[name].dataset.image_shape
    if trained != there:
        raise ValueError(f"the run was trained on images of shape {trained}; got {there}.")
    return name


def _names(data: Dataset) -> str:
    return ", ".join(f"{f.name} ({f.size})" for f in data.factors)


def _check(n_runs: int, points: int) -> None:
    if not 1 <= n_runs <= MOST_RUNS:
        raise ValueError(f"a page shows 1 to {MOST_RUNS} runs; got {n_runs}.")
    if not 1 <= points <= POINTS:
        raise ValueError(f"points must lie in 1 to {POINTS}; got {points}.")


def _title(runs: Sequence[RunSpec]) -> str:
    methods = ", ".join(dict.fromkeys(run.method.name for run in runs))
    data = ", ".join(dict.fromkeys(data_name(run.dataset.declaration) for run in runs))
    return f"{methods} on {data}" if len(runs) == 1 else f"{len(runs)} runs: {methods} on {data}"
