"""What a study consists of, as far as it is known: a change is named when its runs are chosen."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from gordium.datasets import Dataset, Modified, Noisy
from gordium.manipulation import Chosen, Manipulation, choose, declare_manipulation
from gordium.manipulation import load_manipulation as load_change
from gordium.store import Store
from gordium.study.given import given_change
from gordium.study.study import MODIFIED, NOISE, NOISE_SEED, ORIGINAL, SEARCH, Arm, Data, Study
from gordium.study.work import SCORES, candidate
from gordium.training.folder import declaration_hash, is_finished

RUN, CHANGE = "run", "manipulation"


@dataclass(frozen=True)
class Node:
    """A run or a change to learn: its key, what it is called, and what a worker is given."""

    kind: str
    key: str
    labels: dict[str, Any]
    declaration: dict[str, Any]

    @property
    def label(self) -> str:
        return " ".join(str(part) for part in self.labels.values() if part is not None)

    @property
    def line(self) -> dict[str, Any]:
        """What the store keeps of it."""
        return {"kind": self.kind, "key": self.key, **self.labels}


class Plan(NamedTuple):
    """Nodes that are known, and how many runs wait for a change to be learned."""

    nodes: list[Node]
    waiting: int


def make_plan(study: Study, store: Store) -> Plan:
    """All nodes in the order of work: searches first, then seed by seed, so that all advance."""
    found: dict[str, Node] = {}
    waiting = 0
    fresh: list[list[Node]] = []
    for name, data in study.data.items():
        before, variants = _variants(name, data, store)
        found |= {node.key: node for node in before}
        arms = list(study.arms_on(name))
        for variant, dataset in variants.items():
            if dataset is None:
                waiting += len(arms) * len(study.seeds_on(name))
            else:
                fresh += [_runs(name, variant, arm, dataset, study) for arm in arms]
    for node in filter(None, chain.from_iterable(zip_longest(*fresh))):
        found.setdefault(node.key, node)
    return Plan(list(found.values()), waiting)


def _variants(name: str, data: Data, store: Store) -> tuple[list[Node], dict[str, Dataset | None]]:
    """The variants of a data set, None for what waits, and the nodes that it waits for."""
    variants: dict[str, Dataset | None] = {v: _variant(data, v) for v in data.variants}
    if MODIFIED not in variants or data.search is None:
        return [], variants
    searched = list(_search(name, data))
    given = given_change(data, {node.key for node in searched}, store)
    if given is not None:
        return [], {**variants, MODIFIED: _modified(data, given)}
    change = _change(name, data, searched, store)
    if change is None:
        return searched, variants
    modified = _modified(data, store.manipulation_folder(change.key))
    return [*searched, change], {**variants, MODIFIED: modified}


def _variant(data: Data, variant: str) -> Dataset | None:
    if variant == ORIGINAL:
        return data.dataset
    if variant == NOISE and data.epsilon is not None:
        return Noisy(data.dataset, data.epsilon, seed=NOISE_SEED)
    return None


def _runs(name: str, variant: str, arm: Arm, dataset: Dataset, study: Study) -> list[Node]:
    return [_run(name, variant, arm, dataset, seed) for seed in study.seeds_on(name)]


def _run(name: str, variant: str, arm: Arm, dataset: Dataset, seed: int) -> Node:
    declaration = arm.on(dataset, seed)
    labels = {
        "data": name,
        "variant": variant,
        "method": declaration["method"]["name"],
        "strength": arm.strength,
        "seed": seed,
    }
    return Node(RUN, declaration_hash(declaration), labels, declaration)


def _search(name: str, data: Data) -> Iterator[Node]:
    search = data.search
    if search is not None:
        for seed in search.seeds:
            yield _run(name, SEARCH, search.arm, data.dataset, seed)


def _change(name: str, data: Data, searched: list[Node], store: Store) -> Node | None:
    """The change to learn, once all runs of the search are there with their weights."""
    folders = [store.run_folder(node.key) for node in searched]
    if data.search is None or not all((folder / SCORES).exists() for folder in folders):
        return None
    chosen = _chosen(data, folders)
    declaration = declare_manipulation(
        data.dataset, *chosen, data.epsilon or 0.0, data.search.learning
    )
    arguments = {
        "dataset": data.dataset.declaration,
        "runs": [[str(run.folder) for run in kind] for kind in chosen],
        "epsilon": data.epsilon,
        "settings": dataclasses.asdict(data.search.learning),
    }
    labels = {"data": name, "variant": CHANGE}
    return Node(CHANGE, declaration_hash(declaration), labels, arguments)


def _chosen(data: Data, folders: list[Path]) -> Chosen:
    if data.search is None:
        raise ValueError("only a search has runs to choose from.")
    search = data.search
    candidates = [candidate(folder) for folder in folders]
    return choose(candidates, disentangled=search.disentangled, entangled=search.entangled)


def _modified(data: Data, folder: Path) -> Dataset | None:
    if not is_finished(folder):
        return None
    change: Manipulation = load_change(folder)
    return Modified(data.dataset, change)
