"""The demo: the whole experiment of Zietlow et al. 2021 on 150 images, repeated with new seeds."""

from gordium.exhibits.demo.repetition import Repetition, find_rung, run_repetition
from gordium.exhibits.demo.seeds import seeds
from gordium.study.searching import GaveUp

__all__ = ["GaveUp", "Repetition", "find_rung", "run_repetition", "seeds"]
