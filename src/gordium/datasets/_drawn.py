"""What the drawn stand-ins share: a size and one source."""

from dataclasses import dataclass
from typing import Any, ClassVar

from gordium.datasets._official import RENDERED, check_rendered
from gordium.datasets.base import Dataset, check_size


@dataclass(frozen=True)
class Drawn(Dataset):
    """Square pictures of `channels`, by a data set that is only ever rendered."""

    name: ClassVar[str]
    channels: ClassVar[int] = 1

    size: int = 64
    source: str = RENDERED

    def __post_init__(self) -> None:
        check_size(self.size)
        check_rendered(self.source)

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (self.channels, self.size, self.size)

    @property
    def declaration(self) -> dict[str, Any]:
        return {"name": self.name, "options": {"size": self.size}, "source": RENDERED}
