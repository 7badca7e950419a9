"""The demo: the whole experiment of Zietlow et al. 2021 on 150 images, repeated with new seeds."""

from gordium.exhibits.demo.ladder import find_rung
from gordium.exhibits.demo.phases import GaveUp
from gordium.exhibits.demo.recipe import Recipe, recipe, seeds
from gordium.exhibits.demo.repetition import Repetition, run_repetition

__all__ = ["GaveUp", "Recipe", "Repetition", "find_rung", "recipe", "run_repetition", "seeds"]
