"""Which runs a manipulation is learned from: the most and the least disentangled."""

from collections.abc import Sequence
from typing import NamedTuple

from gordium.training import Run


class Candidate(NamedTuple):
    """A run with its score, and whether it has fewer active units than there are factors."""

    run: Run
    score: float
    over_pruned: bool


class Chosen(NamedTuple):
    disentangled: list[Run]
    entangled: list[Run]


def choose(candidates: Sequence[Candidate], *, disentangled: int = 1, entangled: int = 1) -> Chosen:
    """The runs of highest and of lowest score among those that did not over-prune.

    Zietlow et al. 2021, 4.4, choose by MIG; runs that over-pruned say nothing of alignment.
    """
    if min(disentangled, entangled) < 1:
        raise ValueError(
            f"at least one run of each kind is needed; got {disentangled} and {entangled}."
        )
    usable = sorted((c for c in candidates if not c.over_pruned), key=lambda c: c.score)
    if len(usable) < disentangled + entangled:
        raise ValueError(
            f"{disentangled} disentangled and {entangled} entangled runs are needed, but only "
            f"{len(usable)} of {len(candidates)} kept as many active units as there are factors. "
            "Train more seeds, or lower beta."
        )
    best = [c.run for c in reversed(usable[-disentangled:])]
    return Chosen(best, [c.run for c in usable[:entangled]])
