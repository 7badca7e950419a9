"""What comes before the runs on a data set's variants: the search, the changes, the probes.

Each phase is a function of what is known. It returns its nodes and those before it, and what they
lead to, or None as long as that is not known.
"""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from gordium.datasets import Dataset, Modified, Noisy, Waved
from gordium.manipulation import Manipulation, load_manipulation
from gordium.study.changes import list_changes
from gordium.study.data import (
    CONTROLS,
    EQUAL_NOISE,
    MODIFIED,
    NOISE,
    ORIGINAL,
    WAVES,
    WORST_NOISE,
    Data,
)
from gordium.study.equal_noise import draw_equal_noise
from gordium.study.here import Here, Planned
from gordium.study.imported_changes import find_given_change
from gordium.study.nodes import Node, make_run_node, read_known
from gordium.study.searching import plan_search, read_mig, search_nodes
from gordium.study.store import Store
from gordium.study.study import Study


class Probed(NamedTuple):
    """The score of a probe run on a candidate's images, and whether it over-pruned."""

    mig: float
    over_pruned: bool


def plan_variants(here: Here) -> tuple[list[Node], dict[str, Dataset | None]]:
    """The nodes before a data set's variants, and the variants; None is one that waits.

    Controls come after the change that they are held against.
    """
    data = here.data
    found: dict[str, Dataset | None] = {v: _draw(data, v) for v in data.variants}
    if MODIFIED not in found:
        return [], found
    nodes, modified = _plan_chosen(here, MODIFIED)
    if modified is None:
        return nodes, found
    found[MODIFIED] = modified
    if EQUAL_NOISE in found:
        equal = draw_equal_noise(data.dataset, modified, data.epsilon or 0.0, data.noise_seed)
        found[EQUAL_NOISE] = equal
    for variant in (control for control in CONTROLS if control in found):
        before, found[variant] = _plan_chosen(here, variant)
        nodes = [*nodes, *before]
    return nodes, found


def find_variants(name: str, study: Study, store: Store) -> dict[str, Dataset | None]:
    """The variants of a data set, as far as they are known from a store."""
    return plan_variants(Here(name, study, store, read_known(store)))[1]


def find_change(name: str, study: Study, store: Store) -> Manipulation | None:
    """The change of a data set's modified images, or None if it is not known yet."""
    _, found = _plan_chosen(Here(name, study, store, read_known(store)), MODIFIED)
    change = getattr(found, "change", None)
    return change if isinstance(change, Manipulation) else None


def draw_candidates(data: Data, variant: str) -> list[Dataset]:
    """Draws of noise or of unlearned waves, as many as there are learned changes."""
    kind = Noisy if variant == WORST_NOISE else Waved
    n = 1 if data.search is None else data.search.n_starts
    seeds = range(data.noise_seed, data.noise_seed + n)
    return [kind(data.dataset, data.epsilon or 0.0, seed=seed) for seed in seeds]


def pick_most_harmful(probes: Sequence[Sequence[Probed]]) -> int:
    """The candidate with the lowest mean MIG; those that put units to sleep come after the others.

    A sleeping unit lowers MIG without saying anything of alignment.
    """

    def rank(k: int) -> tuple[int, float]:
        return sum(p.over_pruned for p in probes[k]), fmean(p.mig for p in probes[k])

    return min(range(len(probes)), key=rank)


def _load(here: Here, change: Path) -> Dataset:
    return Modified(here.data.dataset, load_manipulation(change))


def _draw(data: Data, variant: str) -> Dataset | None:
    if variant == ORIGINAL:
        return data.dataset
    return draw_candidates(data, WORST_NOISE)[0] if variant == NOISE else None


def _plan_chosen(here: Here, variant: str) -> Planned[Dataset]:
    """Which candidate a variant is: the most harmful, or without probes that of lowest loss."""
    if variant in (WORST_NOISE, WAVES):
        return _plan_probes(here, variant, [], draw_candidates(here.data, variant))
    given = {node.key for node in search_nodes(here.name, here.study)}
    change = find_given_change(here.data, given, here.store) if variant == MODIFIED else None
    if change is not None:
        return [], _load(here, change)
    nodes, changes = _plan_changes(here, variant)
    if changes is None:
        return nodes, None
    folders = [here.store.manipulation_folder(node.key) for node in changes]
    if here.search.probe is not None:
        return _plan_probes(here, variant, nodes, [_load(here, folder) for folder in folders])
    # L_ent - L_dis at the end of learning
    settled = [here.known.records[node.key]["settled"] for node in changes]
    return nodes, _load(here, folders[settled.index(min(settled))])


def _plan_changes(here: Here, variant: str) -> Planned[list[Node]]:
    """The changes to learn when the search has found its runs: one for each start."""
    searched, chosen = plan_search(here)
    if chosen is None:
        return searched, None
    changes = list_changes(here, chosen, variant)
    return [*searched, *changes], changes if here.known.has(changes) else None


def _plan_probes(
    here: Here, variant: str, before: list[Node], candidates: Sequence[Dataset]
) -> Planned[Dataset]:
    """The probe runs on all candidates, and the most harmful candidate; one needs no probe."""
    probe = here.search.probe
    if probe is None or len(candidates) == 1:
        return before, candidates[0]
    nodes = [
        [
            make_run_node(here.name, f"probe {variant} {k + 1}", spec, kept=True)
            for spec in here.study.runs_of(here.name, probe.arm, candidate, probe.seeds)
        ]
        for k, candidate in enumerate(candidates)
    ]
    planned = [*before, *chain.from_iterable(zip(*nodes, strict=True))]
    if not here.known.has(planned):
        return planned, None
    records = [[here.known.records[node.key] for node in some] for some in nodes]
    probed = [[Probed(read_mig(r), bool(r["over_pruned"])) for r in some] for some in records]
    return planned, candidates[pick_most_harmful(probed)]
