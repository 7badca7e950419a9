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


def choose(candidates: Sequence[Candidate], *, pairs: int = 1) -> Chosen:
    """The `pairs` runs of highest and of lowest score among those that did not over-prune.

    Zietlow et al. 2021, 4.4, choose by MIG; runs that over-pruned say nothing of alignment.
    """
    if pairs < 1:
        raise ValueError(f"pairs must be at least 1; got {pairs}.")
    usable = sorted((c for c in candidates if not c.over_pruned), key=lambda c: c.score)
    if len(usable) < 2 * pairs:
        raise ValueError(
            f"{2 * pairs} runs are needed for {pairs} pairs, but only {len(usable)} of "
            f"{len(candidates)} kept as many active units as there are factors. "
            "Train more seeds, or lower beta."
        )
    entangled = [c.run for c in usable[:pairs]]
    disentangled = [c.run for c in reversed(usable[-pairs:])]
    return Chosen(disentangled, entangled)
