"""Which runs a manipulation is learned from: the most and the least disentangled."""

from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Generic, NamedTuple, Protocol, TypeVar


class Trained(Protocol):
    """What has been trained, such as a run: its losses, step by step."""

    @property
    def history(self) -> Sequence[Mapping[str, float]]:
        """One row for each recorded step."""


T = TypeVar("T")
R = TypeVar("R", bound=Trained)


class Candidate(NamedTuple, Generic[T]):
    """A run with its score, and whether it has fewer active units than there are factors."""

    run: T
    score: float
    over_pruned: bool


class Chosen(NamedTuple, Generic[T]):
    """Runs to learn a change from."""

    disentangled: list[T]
    entangled: list[T]


def choose(
    candidates: Sequence[Candidate[T]], *, disentangled: int = 1, entangled: int = 1
) -> Chosen[T]:
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


class Limits(NamedTuple):
    """The bounds of `choose_beyond`: on scores, and on a loss's relative distance to the median."""

    disentangled: float = 0.55
    entangled: float = 0.4
    loss: float = 0.03


def choose_beyond(candidates: Sequence[Candidate[R]], limits: Limits) -> Chosen[R]:
    """All runs whose score is at least `limits.disentangled`, or at most `limits.entangled`.

    Ours: 4.4 takes the extremes of a ranking, where ties are decided by rounding. A run counts
    only if it did not over-prune and its loss lies within a share `limits.loss` of the median:
    an entangled run whose loss is worse is not another minimum but an unfinished run.
    """
    usable = [c for c in candidates if not c.over_pruned]
    if not usable:
        return Chosen([], [])
    middle = median(settled_loss(c.run) for c in usable)
    near = [c for c in usable if abs(settled_loss(c.run) / middle - 1) <= limits.loss]
    return Chosen(
        [c.run for c in near if c.score >= limits.disentangled],
        [c.run for c in near if c.score <= limits.entangled],
    )


def settled_loss(run: Trained) -> float:
    """The loss averaged over the last tenth of the steps."""
    rows = run.history[-max(1, len(run.history) // 10) :]
    return fmean(row["loss"] for row in rows)
