"""The learned change of a data set (Zietlow et al. 2021): choose runs, learn, load, apply."""

from gordium.lookup import answer_at_the_border
from gordium.manipulation.choose import Candidate, Chosen, Limits, choose, choose_beyond
from gordium.manipulation.learn import (
    ManipulationSettings,
    check_epsilon,
    declare_manipulation,
    manipulate,
)
from gordium.manipulation.manipulation import (
    Manipulation,
    load_declared_dataset,
    load_declared_manipulation,
    load_manipulation,
)
from gordium.manipulation.room import Room, find_room

__all__ = [
    "Candidate",
    "Chosen",
    "Limits",
    "Manipulation",
    "ManipulationSettings",
    "Room",
    "check_epsilon",
    "choose",
    "choose_beyond",
    "declare_manipulation",
    "find_room",
    "load_declared_dataset",
    "load_declared_manipulation",
    "load_manipulation",
    "manipulate",
]

answer_at_the_border(globals())
