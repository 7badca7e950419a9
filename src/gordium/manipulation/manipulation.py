"""A learned manipulation: the change that it makes of each image, and how it is loaded."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from gordium.datasets import Dataset, from_declaration
from gordium.evaluation.representation import Floats
from gordium.factors import Factor, Integers
from gordium.fields import Declaration
from gordium.files import check_path
from gordium.manipulation.manipulator import Manipulator, standardise
from gordium.networks import ARCHITECTURES, build
from gordium.networks.direct import use_pytorch_alone
from gordium.notebook import facts, shorten
from gordium.spec import from_named
from gordium.training.checkpoint import identity_of
from gordium.training.folder import MODEL, Row, load_finished, read_config, read_history

# Always the same number of rows, because the last bits of a product depend on its size.
_ROWS = 64


@dataclass(frozen=True)
class Manipulation:
    """x' = x + epsilon m(w), inequality (12) of Zietlow et al. 2021 in the maximum norm."""

    network: Manipulator
    factors: tuple[Factor, ...]
    epsilon: float
    declaration: Declaration
    history: list[Row]
    folder: Path

    def __repr__(self) -> str:
        return f"Manipulation(epsilon {self.epsilon:g}, {str(self.folder)!r})"

    def _repr_html_(self) -> str:
        last = self.history[-1] if self.history else {}
        known = [
            ("largest change of a pixel", f"{self.epsilon:g}"),
            ("factors", ", ".join(factor.name for factor in self.factors)),
            ("folder", self.folder),
            *((name.replace("_", " "), shorten(value)) for name, value in last.items()),
        ]
        return facts("A learned change of a data set", known)

    @torch.no_grad()
    def changes(self, factors: Integers) -> Floats:
        """epsilon m(w) of each row of factor values: (n, c, h, w), at most epsilon in size."""
        padding = -len(factors) % _ROWS
        w = standardise(self.factors, np.pad(factors, ((0, padding), (0, 0)), mode="edge"))
        device = next(self.network.parameters()).device
        with use_pytorch_alone():  # so that the images are the same on every machine
            parts = [self.epsilon * self.network(rows.to(device)).cpu() for rows in w.split(_ROWS)]
        return torch.cat(parts)[: len(factors)].numpy()


def load_manipulation(folder: str | Path) -> Manipulation:
    """Load a finished manipulation from its folder."""
    place = check_path("folder", folder)
    known = read_config(place, "manipulation")["declaration"]
    factors = tuple(Factor(**factor) for factor in known["factors"])
    network = new_manipulator(known, torch.Generator())
    load_finished(place, "manipulation", network)
    identity = {"folder": str(place.resolve()), "sha256": identity_of(place / MODEL)}
    history = read_history(place)
    return Manipulation(network.eval(), factors, known["epsilon"], identity, history, place)


def load_declared_manipulation(declaration: Declaration) -> Manipulation:
    """Load the manipulation that a changed data set names; refuse one that was replaced since."""
    if not all(isinstance(declaration.get(name), str) for name in ("folder", "sha256")):
        raise ValueError(
            "the change of a modified data set is declared by its folder and sha256, both text; "
            f"got {dict(declaration)}."
        )
    folder = Path(declaration["folder"])
    if not folder.is_dir():
        raise FileNotFoundError(f"the manipulation of this data set was in {folder}; put it back.")
    found = load_manipulation(folder)
    if found.declaration["sha256"] != declaration["sha256"]:
        raise ValueError(f"{folder} now holds another manipulation than this data set's.")
    return found


def load_declared_dataset(declaration: Declaration) -> Dataset:
    """Load the data set of a declaration, with its manipulation if it has one."""
    return from_declaration(declaration, load_change=load_declared_manipulation)


def new_manipulator(declaration: Declaration, generator: torch.Generator) -> Manipulator:
    """Build the network of a manipulation's declaration with fresh weights."""
    architecture = from_named("architecture", declaration["architecture"], ARCHITECTURES)
    n_factors, shape = len(declaration["factors"]), declaration["image_shape"]
    network = build(lambda: Manipulator(architecture, n_factors, shape), generator)
    assert isinstance(network, Manipulator)
    return network
