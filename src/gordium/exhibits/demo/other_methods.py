"""The other methods of Table 1 of Zietlow et al. 2021, on the images of a repetition."""

from dataclasses import replace
from typing import NamedTuple

from gordium.exhibits.demo.recipe import OTHER_SEEDS, Recipe, seeds
from gordium.methods import AE, PCL, BetaTCVAE, FactorVAE, Method, SlowVAE, WeakGAN
from gordium.training import Settings

N_SEEDS = 2
_GAN_STEPS = 1000


class Other(NamedTuple):
    """A method, and how it is trained."""

    method: Method
    settings: Settings


def list_others(recipe: Recipe) -> list[Other]:
    """Six methods, trained as the beta-VAE is; strengths are those of the laptop study.

    The GAN takes fewer steps, since each costs as much as six of a VAE's, and has a critic that
    compares its two images by design: the published critic has to learn this, which takes longer.
    """
    fresh = recipe.fresh
    return [
        Other(AE(), fresh),
        Other(FactorVAE(gamma=7.0, width=256), fresh),
        Other(BetaTCVAE(beta=8.0), fresh),
        Other(SlowVAE(), fresh),
        Other(PCL(), fresh),
        Other(WeakGAN(critic_width=0.5, compare=True), replace(fresh, steps=_GAN_STEPS)),
    ]


def choose_seeds(repetition: int) -> tuple[int, ...]:
    """The seeds of the other methods in a repetition; nothing is chosen by them."""
    return seeds(repetition, OTHER_SEEDS, N_SEEDS)
