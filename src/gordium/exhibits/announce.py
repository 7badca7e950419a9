"""What an exhibit of a study finds finished, and what it would train: said before it begins."""

import os
import sys
from pathlib import Path

from gordium.exhibits.base import EARLIER, Place
from gordium.progress import QUIET
from gordium.study.plan import RUN, make_plan, read_known
from gordium.study.price import estimate_price
from gordium.study.runner import is_done
from gordium.study.store import Store
from gordium.study.study import Study

RESULTS = Path(__file__).resolve().parents[3] / "results"  # of a checkout


def announce(place: Place, study: Study, store: Store, known: frozenset[str]) -> None:
    """One paragraph on standard error, where more than seconds of training are ahead."""
    if place.scale == "smoke" or QUIET in os.environ:
        return
    if n := count_missing(study, store, known):
        print(say_work(place, study, n), file=sys.stderr, flush=True)


def count_missing(study: Study, store: Store, known: frozenset[str]) -> int:
    """Runs that are neither in the folder nor in committed rows; the waiting ones count too."""
    done, plan = read_known(store), make_plan(study, store)
    left = [
        node
        for node in plan.nodes
        if node.kind == RUN and node.key not in known and not is_done(node, study.wanted, done)
    ]
    return len(left) + plan.waiting


def say_work(place: Place, study: Study, n: int) -> str:
    """How many runs there are, how many will be trained, how long that takes, and the way out."""
    price = estimate_price(study)
    hours = price.hours * n / max(price.runs, 1) / max(place.workers, 1)
    lasts = f"{hours:.1f} hours" if hours >= 1 else f"{max(60 * hours, 1):.0f} minutes"
    text = (
        f"Study {study.name}: {n} of {price.runs} runs are neither in {place.folder} nor in "
        f"committed rows. They are trained now: about {lasts} with {place.workers} workers, from "
        "two seconds of trying. Stop it at any time, the same command goes on; --finished trains "
        "nothing."
    )
    earlier = _earlier_rows(study.name)
    if place.scale != EARLIER and earlier.is_file():
        text += (
            f" The runs in results/{earlier.name} are of another declaration, with strengths that "
            f"do not follow the image size: --scale {EARLIER} --finished shows them."
        )
    return text


def _earlier_rows(name: str) -> Path:
    return RESULTS / f"{name.rpartition('-')[0]}-{EARLIER}.csv"
