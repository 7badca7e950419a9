"""A data set of a study, with its variants: what is trained on beside the original images."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from gordium.checks import check_least
from gordium.datasets import Dataset
from gordium.fields import Declaration
from gordium.lookup import pick
from gordium.manipulation import check_epsilon
from gordium.study.arm import Arm
from gordium.study.search import Search

ORIGINAL, MODIFIED, NOISE, SEARCH = "original", "modified", "noise", "search"
EQUAL_NOISE = "equal noise"  # noise with the energy of the change
WORST_NOISE, WAVES, SWAPPED = "worst noise", "waves", "swapped"
VARIANTS = (ORIGINAL, MODIFIED, NOISE)  # of the published experiment
CONTROLS = (WORST_NOISE, WAVES, SWAPPED)  # each chosen among as many candidates as the change
ALL_VARIANTS = (*VARIANTS, EQUAL_NOISE, *CONTROLS)
NOISE_SEED = 0


class Rehearsal(NamedTuple):
    """How many runs of an arm are trained on a data set, at most, before its change is chosen."""

    arm: Arm
    n_runs: int


@dataclass(frozen=True, kw_only=True)
class Data:
    """A data set, its variants, and the size `epsilon` of what is added to its images.

    It is trained with the first `seeds` of the study's seeds; None means all. Noise is drawn with
    `noise_seed`, and candidates for the worst noise and for waves with that and the next ones.
    """

    dataset: Dataset
    variants: tuple[str, ...] = (ORIGINAL,)
    epsilon: float | None = None
    search: Search | None = None
    seeds: int | None = None
    noise_seed: int = NOISE_SEED

    def __post_init__(self) -> None:
        if self.seeds is not None and self.seeds < 1:
            raise ValueError(f"a data set needs at least one seed; got {self.seeds}.")
        check_least(0, noise_seed=self.noise_seed)
        self._check_variants()
        self._check_controls()

    def _check_variants(self) -> None:
        if len(set(self.variants)) != max(len(self.variants), 1):
            raise ValueError(f"name at least one variant, and each once; got {self.variants}.")
        for variant in self.variants:
            pick("variant", variant, dict.fromkeys(ALL_VARIANTS))
        if set(self.variants) - {ORIGINAL}:
            if self.epsilon is None:
                raise ValueError("modified and noisy images need an epsilon, the size of change.")
            check_epsilon(self.epsilon)
        if MODIFIED in self.variants and self.search is None:
            raise ValueError("modified images need a search: the runs to learn the change from.")

    def _check_controls(self) -> None:
        for variant in (EQUAL_NOISE, *CONTROLS):
            if variant in self.variants and MODIFIED not in self.variants:
                raise ValueError(f"{variant} is held against modified images: name them too.")
        search = self.search
        if search is None:
            return
        if search.n_starts > 1 and search.probe is None:
            for variant in {WORST_NOISE, WAVES} & set(self.variants):
                raise ValueError(
                    f"{variant} is the most harmful of {search.n_starts} draws, as many as there "
                    "are changes: give search.probe, the runs that find it."
                )
        if SWAPPED in self.variants and search.learning.smoothing is not None:
            raise ValueError("a designed change has no roles that could be swapped.")

    @property
    def learned(self) -> Search | None:
        """The search, if modified images are wanted."""
        return self.search if MODIFIED in self.variants else None

    def list_rehearsals(self) -> Iterator[Rehearsal]:
        """The runs by which the change and its controls are chosen; nothing else is said of them.

        A single candidate is taken unprobed.
        """
        search = self.learned
        if search is None:
            return
        yield Rehearsal(search.arm, len(search.seeds))
        if search.probe is not None and search.n_starts > 1:
            n_chosen = sum(variant in self.variants for variant in (MODIFIED, *CONTROLS))
            n_runs = n_chosen * search.n_starts * len(search.probe.seeds)
            yield Rehearsal(search.probe.arm, n_runs)

    @property
    def chosen_by(self) -> set[int]:
        """The seeds of the runs by which something is chosen."""
        if self.search is None:
            return set()
        probe = self.search.probe
        return {*self.search.seeds, *(() if probe is None else probe.seeds)}

    @property
    def declaration(self) -> Declaration:
        """The data set as JSON, with its variants and its search."""
        return {
            "dataset": self.dataset.declaration,
            "variants": list(self.variants),
            "epsilon": self.epsilon,
            "seeds": self.seeds,
            "search": None if self.search is None else self.search.declaration,
            **({} if self.noise_seed == NOISE_SEED else {"noise_seed": self.noise_seed}),
        }

    def shift_seeds(self, by: int) -> "Data":
        """The same data with all its seeds moved: of noise, search, changes and probes."""
        search = self.search and self.search.shift_seeds(by)
        return replace(self, noise_seed=self.noise_seed + by, search=search)
