"""The learned change of a data set (Zietlow et al. 2021): choose runs, learn, load, apply."""

from gordium.manipulation.choose import Candidate, Chosen, choose
from gordium.manipulation.learn import (
    ManipulationSettings,
    check_epsilon,
    declare_manipulation,
    manipulate,
)
from gordium.manipulation.manipulation import (
    Manipulation,
    declared_manipulation,
    load_manipulation,
)

__all__ = [
    "Candidate",
    "Chosen",
    "Manipulation",
    "ManipulationSettings",
    "check_epsilon",
    "choose",
    "declare_manipulation",
    "declared_manipulation",
    "load_manipulation",
    "manipulate",
]
