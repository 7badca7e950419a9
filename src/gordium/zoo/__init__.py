"""Trained models that come with the package, each with its scores, declaration and licence.

>>> import gordium as gd
>>> "original-0" in gd.zoo.list_models()
True
"""

from gordium.lookup import answer_at_the_border
from gordium.zoo.fetch import get, load
from gordium.zoo.index import Model, describe, list_models

__all__ = ["Model", "describe", "get", "list_models", "load"]

answer_at_the_border(globals())
