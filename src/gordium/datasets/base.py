"""What every data set is: images with factors behind them, by index."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.factors import Factor, Integers, check_indices, grid_size
from gordium.factors import index_of as place_of
from gordium.fields import Declaration, as_json, list_declared
from gordium.lookup import answer_wrong_calls
from gordium.notebook import facts, picture

if TYPE_CHECKING:  # variants are data sets: they import this file
    from matplotlib.figure import Figure

    from gordium.datasets.variants.held import Held
    from gordium.datasets.variants.marginalised import Marginalised

Images = NDArray[Any]  # uint8, or float32 where samples are vectors of real numbers
SIZES = range(16, 129)
BATCH = 64  # images read at once when a data set is iterated over


def check_size(size: int) -> None:
    """Refuse a size outside of `SIZES`; smaller images would show nothing."""
    if not isinstance(size, int) or size not in SIZES:
        raise ValueError(
            f"size must be a whole number of pixels from {SIZES[0]} to {SIZES[-1]}; got {size!r}."
        )


class Dataset(ABC):
    """A table of images with factors: a combination of values may be absent, or occur twice.

    A data set declares its `factors` and `image_shape`, and gives factor values and images by
    index; all else follows. In a `Grid`, each combination has exactly one image.
    """

    @property
    @abstractmethod
    def factors(self) -> tuple[Factor, ...]:
        """The factors that generate the images, in the order of the columns of `factors_at`."""

    @property
    @abstractmethod
    def image_shape(self) -> tuple[int, int, int]:
        """Channels, height, width."""

    @property
    @abstractmethod
    def declaration(self) -> Declaration:
        """JSON from which `from_declaration` makes this data set again; part of a run's key."""

    def show(self) -> "Figure":
        """Draw a matplotlib figure with one row per factor, along which that factor varies."""
        from gordium.datasets.contact_sheet import plot_sheet  # it imports this file

        return plot_sheet(self)

    def _repr_html_(self) -> str:
        from gordium.datasets.contact_sheet import sheet_png

        factors = ", ".join(f"{f.name} ({f.size or f.kind})" for f in self.factors)
        shape = " x ".join(map(str, self.image_shape))
        known = [("images", f"{len(self):,} of {shape}"), ("factors", factors)]
        if self.is_vector:
            return facts(self.name, known)
        words = f"a row of images of {self.name} for each factor"
        return facts(self.name, known, picture(sheet_png(self), words))

    @property
    def name(self) -> str:
        """The name in the catalogue and in rows; a variant has the name of its base."""
        found = self.declaration
        while "base" in found:
            found = found["base"]
        return str(found["name"])

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        """The factor values (n, k) at `indices`: whole numbers from 0, or reals (float64)."""

    @abstractmethod
    def render(self, indices: Integers) -> Images:
        """The images (n, c, h, w) at indices that were checked before; they may repeat."""

    @property
    def itemsize(self) -> int:
        """The number of bytes of one value of an image: 1 for uint8, 4 for float32."""
        return 1

    @property
    def is_vector(self) -> bool:
        """Whether the data are vectors, images of 1 x 1 pixel, which cannot be drawn."""
        return self.image_shape[1:] == (1, 1)

    @property
    def is_in_memory(self) -> bool:
        """Whether the images lie in memory already, so that a copy there would gain nothing."""
        return False

    @property
    def has_real_factors(self) -> bool:
        """Whether some factor is a real number, so that images cannot be found by values."""
        return any(factor.kind == "continuous" for factor in self.factors)

    @property
    def scored_factors(self) -> tuple[Factor, ...]:
        """The factors that are not nuisances, in the order of a representation's columns."""
        return tuple(factor for factor in self.factors if factor.scored)

    @property
    def is_grid(self) -> bool:
        """Whether each combination of factor values has exactly one image."""
        n = 0 if self.has_real_factors else grid_size(self.factors)
        return len(self) == n and len(self._places[0]) == n

    @property
    def clean(self) -> "Dataset":
        """This data set before noise and learned changes were added to it."""
        return self

    def with_fresh_noise(self) -> "Dataset":
        """The same data set with newly drawn noise; itself, where no noise was added."""
        return self

    def images(self, indices: ArrayLike) -> Images:
        """The images (n, c, h, w) at `indices`, in that order: uint8, or float32 in [0, 1]."""
        return self.render(check_indices(indices, len(self)))

    def index_of(self, factors: ArrayLike) -> Integers:
        """The index of the first image with each row of values (n, k); ValueError if none has."""
        places, first = self._places
        wanted = place_of(self.factors, factors)
        at = np.minimum(np.searchsorted(places, wanted), len(places) - 1)
        absent = np.flatnonzero(places[at] != wanted)
        if absent.size:
            values = np.asarray(factors)[absent[0]].tolist()
            names = ", ".join(f"{f.name} {v}" for f, v in zip(self.factors, values, strict=True))
            raise ValueError(f"no image has {names}: not every combination is there.")
        return first[at]

    @cached_property
    def _places(self) -> tuple[Integers, Integers]:
        """The sorted grid indices that have an image, and the index of the first image of each."""
        if self.has_real_factors:
            raise ValueError(
                "some factors are real numbers, so this is not a grid: images cannot be found by "
                "their values. Pairs of images, held factors and manipulations need a grid."
            )
        if grid_size(self.factors) >= 2**62:
            raise ValueError("the factors have too many combinations of values to number.")
        values = self.factors_at(np.arange(len(self)))
        places, first = np.unique(place_of(self.factors, values), return_index=True)
        return places, first

    @answer_wrong_calls
    def hold(self, **values: int | str) -> "Held":
        """Keep the images in which the named factors have these values; they leave `factors`."""
        from gordium.datasets.variants.held import Held

        return Held(self, tuple(values.items()))

    @answer_wrong_calls
    def narrow(self, **values: Sequence[int]) -> "Dataset":
        """Keep the sub-grid in which the named factors take only the given values.

        >>> from gordium.datasets import load_dataset
        >>> sprites = load_dataset("dsprites").narrow(y=range(12, 20))
        >>> [(factor.name, factor.size) for factor in sprites.factors][-2:]
        [('x', 32), ('y', 8)]
        """
        from gordium.datasets.variants.narrowed import Narrowed

        found = self
        for name, kept in values.items():
            found = Narrowed(found, name, tuple(map(index, kept)))
        return found

    @answer_wrong_calls
    def marginalise(self, *names: str) -> "Marginalised":
        """Keep the images, but make the named factors nuisances: they vary and are not scored."""
        from gordium.datasets.variants.marginalised import Marginalised

        return Marginalised(self, names)

    def __getitem__(self, index: Any) -> tuple[Images, NDArray[Any]]:
        """The image (c, h, w) and factors (k,) at an index; arrays of them at a slice or list."""
        which = np.arange(len(self))[index] if isinstance(index, slice) else np.asarray(index)
        if which.size and which.dtype.kind not in "iu":
            raise TypeError(
                "data sets are indexed by whole numbers, slices or lists of numbers; got "
                f"{index!r}. Their factors are dataset.factors and dataset.factors_at(indices)."
            )
        if which.ndim == 0:
            images, factors = self[[which + len(self) if which < 0 else which]]
            return images[0], factors[0]
        return self.images(which), self.factors_at(which)

    def __iter__(self) -> Iterator[tuple[Images, NDArray[Any]]]:
        """Images and factors one by one, from first to last."""
        for start in range(0, len(self), BATCH):
            yield from zip(*self[start : start + BATCH], strict=True)

    def __getitems__(self, indices: list[int]) -> list[tuple[Images, NDArray[Any]]]:
        """The items of a batch, which PyTorch's DataLoader asks for by this name."""
        return list(zip(*self[indices], strict=True))


@dataclass(frozen=True)
class Wrapper(Dataset):
    """A data set made from `base`, with images of the same shape."""

    base: Dataset

    @property
    def declaration(self) -> Declaration:
        options = {name: as_json(getattr(self, name)) for name in list_declared(self)[1:]}
        name = type(self).__name__.lower()
        return {"variant": name, "base": self.base.declaration, **options}

    @property
    def factors(self) -> tuple[Factor, ...]:
        return self.base.factors

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return self.base.image_shape

    @property
    def itemsize(self) -> int:
        return self.base.itemsize

    @property
    def clean(self) -> Dataset:
        return self._around(self.base.clean)

    def with_fresh_noise(self) -> Dataset:
        return self._around(self.base.with_fresh_noise())

    def _around(self, base: Dataset) -> Self:
        return self if base is self.base else replace(self, base=base)


@dataclass(frozen=True)
class Overlay(Wrapper):
    """A data set that has an image for each image of `base`, at the same index."""

    @property
    def is_grid(self) -> bool:
        return self.base.is_grid

    def __len__(self) -> int:
        return len(self.base)

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        return self.base.factors_at(indices)

    def index_of(self, factors: ArrayLike) -> Integers:
        return self.base.index_of(factors)
