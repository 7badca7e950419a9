"""The ladder: the demo's experiment on more of its images. Rung 0 is the demo itself."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from gordium.datasets import load_dataset
from gordium.exhibits.demo.others import OTHERS
from gordium.exhibits.demo.recipe import Recipe, recipe
from gordium.lookup import pick
from gordium.training import Adam


class Rung(NamedTuple):
    """How the experiment is done on a rung, and the methods beside the beta-VAE."""

    recipe: Recipe
    methods: tuple[str, ...]


def three_factors() -> Recipe:
    """The floor's hue, the wall's hue and the orientation are free: 1,500 images, 3 units.

    The two hues have nearly the same local variance, so both
    kinds of minima are frequent, at the same loss, where the search stops; fresh runs go on.
    """
    base = recipe()
    dataset = load_dataset("shapes3d", size=32).hold(object_hue=0, scale=4, shape=0)
    fresh = replace(base.fresh, latent_dim=3, steps=4000, optimiser=Adam(learning_rate=2e-3))
    return replace(
        base,
        dataset=dataset,
        search=replace(fresh, steps=3000, optimiser=Adam(learning_rate=1e-3)),
        probe=replace(fresh, steps=3000),
        fresh=fresh,
        waves=(1.0, 0.6),
    )


def rung(name: str) -> Rung:
    """The rung of that number."""
    return pick("rung", name, _RUNGS)()


_RUNGS: dict[str, Callable[[], Rung]] = {
    "0": lambda: Rung(recipe(), OTHERS),
    "1": lambda: Rung(three_factors(), ("ae", "beta-tcvae", "slow-vae", "pcl")),
}
