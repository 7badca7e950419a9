"""A data set made of arrays in memory."""

from collections.abc import Mapping, Sequence
from typing import Any, final

from numpy.typing import ArrayLike

from gordium.datasets.collection import Collection, Content
from gordium.datasets.own.check_arrays import content_hash, to_content
from gordium.datasets.own.columns import Meaning
from gordium.fields import Declaration


@final
class FromArrays(Collection):
    """`images` with the `factors` behind them, which need not form a grid.

    Images are uint8, or floats in [0, 1]; (n, c, h, w), (n, h, w, c) or (n, h, w), with any
    number of channels; or vectors (n, d) of real numbers. Factors are an array (n, k) with
    `names`, columns by name, or a DataFrame. Whole numbers and words become 0, 1, ... in their
    order; real numbers stay. `kinds` says which are circular, nominal or continuous; `labels`
    gives words for the values 0, 1, ... of a factor. The declaration holds a hash of the content,
    which is part of a run's key; only the same arrays can make the data set again.
    """

    def __init__(
        self,
        images: ArrayLike | None = None,
        factors: Any = None,
        *,
        names: Sequence[str] | None = None,
        kinds: Mapping[str, str] | None = None,
        labels: Mapping[str, Sequence[str]] | None = None,
        sha256: str = "",
    ) -> None:
        if images is None or factors is None:
            raise ValueError(
                f"this data set was made of arrays in memory (sha256 {sha256 or 'unknown'}), which "
                "its declaration does not hold. Make it again with FromArrays(images, factors) "
                "and give it to gordium.encode yourself; or keep it in an .npz file and use "
                "FromNpz, whose declaration holds the path."
            )
        self._content = to_content(images, factors, names, Meaning(kinds or {}, labels or {}))
        self.sha256 = content_hash(self._content)

    def read(self) -> Content:
        return self._content

    @property
    def declaration(self) -> Declaration:
        return {"name": "from-arrays", "options": {"sha256": self.sha256}, "source": "arrays"}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FromArrays) and self.sha256 == other.sha256

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __repr__(self) -> str:
        names = ", ".join(factor.name for factor in self.factors)
        return f"FromArrays({len(self)} images {self.image_shape}, factors {names})"
