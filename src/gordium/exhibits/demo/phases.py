"""The phases of a repetition as pure functions of the recipe and of what was found before."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

import numpy as np

from gordium.datasets import Dataset, Noisy, Waved
from gordium.exhibits.demo.recipe import CHANGE, FRESH, NOISE, PROBE, SEARCH, Recipe, seeds
from gordium.manipulation import Candidate, Chosen, ManipulationSettings, choose_beyond
from gordium.study.study import EQUAL_NOISE
from gordium.training import Run

WORST_NOISE, WAVES, SWAPPED = "worst noise", "waves", "swapped"


class GaveUp(RuntimeError):
    """Raised if the search finds no runs of both kinds: the repetition has failed."""


class Probed(NamedTuple):
    """The score of a probe run on a candidate's images, and whether it over-pruned."""

    mig: float
    over_pruned: bool


def list_controls(recipe: Recipe) -> tuple[str, ...]:
    """The controls of a recipe; a designed change has no roles that could be swapped."""
    drawn = (WORST_NOISE, WAVES)
    return drawn if recipe.learning.smoothing is not None else (*drawn, SWAPPED)


def next_search_seeds(
    recipe: Recipe, repetition: int, found: Sequence[Candidate[Run]]
) -> list[int]:
    """The seeds of the search's next runs; none if both kinds have been found."""
    chosen = choose_beyond(found, recipe.limits)
    kinds = {"disentangled": len(chosen.disentangled)}
    if not recipe.learning.needs_one_kind:
        kinds["entangled"] = len(chosen.entangled)
    if min(kinds.values()) >= recipe.each_kind:
        return []
    n = len(found)
    if n >= recipe.most_runs:
        counts = " and ".join(f"{count} are {kind}" for kind, count in kinds.items())
        raise GaveUp(
            f"of {n} runs on the original images, {counts}, with a loss near the median; "
            f"{recipe.each_kind} of each are needed. Repetition {repetition} has failed: there is "
            "nothing to learn a change from."
        )
    upto = min(n + recipe.search_round, recipe.most_runs)
    return list(seeds(repetition, SEARCH, upto)[n:])


def learning_settings(recipe: Recipe, repetition: int) -> list[ManipulationSettings]:
    """The settings of each candidate, which differ in the seed and in the size of the start."""
    each = seeds(repetition, CHANGE, len(recipe.waves))
    pairs = zip(each, recipe.waves, strict=True)
    return [replace(recipe.learning, seed=seed, wave=wave) for seed, wave in pairs]


def roles(recipe: Recipe, chosen: Chosen[Run], kind: str) -> Chosen[Run]:
    """Which runs a change is learned to favour: the entangled ones, unless roles are swapped.

    Where turned copies stand for the entangled runs, or none is asked, those that were found are
    left out.
    """
    if recipe.learning.needs_one_kind:
        chosen = Chosen(disentangled=chosen.disentangled, entangled=[])
    if kind == SWAPPED:
        return Chosen(disentangled=chosen.entangled, entangled=chosen.disentangled)
    return chosen


def draw_candidates(recipe: Recipe, repetition: int) -> dict[str, list[Dataset]]:
    """Draws of noise and of unlearned waves, as many as there are learned changes."""
    base, epsilon = recipe.dataset, recipe.epsilon
    chance = seeds(repetition, NOISE, len(recipe.waves))
    return {
        WORST_NOISE: [Noisy(base, epsilon, seed=seed) for seed in chance],
        WAVES: [Waved(base, epsilon, seed=seed) for seed in chance],
    }


def pick_most_harmful(probes: Sequence[Sequence[Probed]]) -> int:
    """The candidate with the lowest mean MIG; those that put units to sleep come after the others.

    A sleeping unit lowers MIG without saying anything of alignment.
    """

    def rank(k: int) -> tuple[int, float]:
        return sum(p.over_pruned for p in probes[k]), fmean(p.mig for p in probes[k])

    return min(range(len(probes)), key=rank)


def arms(recipe: Recipe, repetition: int, taken: Mapping[str, Dataset]) -> dict[str, Dataset]:
    """What fresh seeds are trained on: the change, noise, and noise of the change's energy."""
    if "modified" not in taken:
        return dict(taken)
    plain = draw_candidates(recipe, repetition)[WORST_NOISE][0]
    return {**taken, "noise": plain, EQUAL_NOISE: draw_equal_noise(recipe, repetition, taken)}


def draw_equal_noise(recipe: Recipe, repetition: int, taken: Mapping[str, Dataset]) -> Dataset:
    """Draw noise of the change's energy within the same bound: every value moves by one size.

    Uniform noise has less energy than a change of the same bound. Values that leave the pixel
    range are reflected, so the size is corrected once by the energy that was measured.
    """
    (seed,) = seeds(repetition, NOISE, 1)
    wanted = measure_size(recipe.dataset, taken["modified"])
    first = Noisy(recipe.dataset, round(wanted, 4), seed, two_valued=True)
    came = measure_size(recipe.dataset, first)
    size = wanted**2 / came if came else 0.0
    return replace(first, epsilon=min(round(size, 4), recipe.epsilon))


def measure_size(base: Dataset, changed: Dataset, most: int = 2000) -> float:
    """The root mean square of a change over all images, or over evenly spaced ones of many."""
    n = len(base)
    indices = np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.int64)
    before, after = (each.images(indices).astype(np.float64) for each in (base, changed))
    return float(np.sqrt(np.square((after - before) / 255).mean()))


def probe_seeds(recipe: Recipe, repetition: int) -> tuple[int, ...]:
    """The seeds of the short runs by which a repetition chooses among candidates."""
    return seeds(repetition, PROBE, recipe.probes)


def fresh_seeds(recipe: Recipe, repetition: int) -> tuple[int, ...]:
    """The seeds that a repetition reports; nothing is chosen by them."""
    return seeds(repetition, FRESH, recipe.n_fresh)
