"""Tell the user how many runs an exhibit will train, and how long that takes, before it starts."""

import os
import sys
from pathlib import Path

from gordium.exhibits.base import EARLIER, Place
from gordium.progress import QUIET
from gordium.study.nodes import RUN, read_known
from gordium.study.plan import make_plan
from gordium.study.price import estimate_price
from gordium.study.runner import is_done
from gordium.study.store import Store
from gordium.study.study import Study

RESULTS = Path(__file__).resolve().parents[3] / "results"  # of a checkout


def announce(place: Place, study: Study, store: Store, known: frozenset[str]) -> None:
    """Print what is to be trained on standard error, unless the scale is `smoke`."""
    if place.scale == "smoke" or QUIET in os.environ:
        return
    if n := count_missing(study, store, known):
        print(say_work(place, study, n), file=sys.stderr, flush=True)


def count_missing(study: Study, store: Store, known: frozenset[str]) -> int:
    """Count runs that are neither in the folder nor in committed rows, with those that wait."""
    done, plan = read_known(store), make_plan(study, store)
    left = [
        node
        for node in plan.nodes
        if node.kind == RUN and node.key not in known and not is_done(node, study.wanted, done)
    ]
    return len(left) + plan.waiting


def say_work(place: Place, study: Study, n: int) -> str:
    """How many runs will be trained, how long that takes, and how to train none of them."""
    price = estimate_price(study)
    hours = price.hours * n / max(price.runs, 1) / max(place.workers, 1)
    lasts = f"{hours:.1f} hours" if hours >= 1 else f"{max(60 * hours, 1):.0f} minutes"
    text = (
        f"Study {study.name}: {n} of {price.runs} runs are neither in {place.folder} nor in "
        f"committed rows. They are trained now, which takes about {lasts} with {place.workers} "
        "workers (estimated from two seconds of training). Stop it at any time: the same command "
        "goes on from there. The option --finished trains nothing."
    )
    earlier = RESULTS / f"{study.name.rpartition('-')[0]}-{EARLIER}.csv"
    if place.scale != EARLIER and earlier.is_file():
        text += (
            f" The runs in results/{earlier.name} have other strengths, which do not follow the "
            f"image size: --scale {EARLIER} --finished shows them."
        )
    return text
