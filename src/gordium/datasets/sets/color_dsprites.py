"""Color-dSprites: each sprite in a colour of its own (Locatello et al. 2019)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.sets.decorated_sprites import DecoratedSprites
from gordium.factors import Integers


@final
@dataclass(frozen=True)
class ColorDSprites(DecoratedSprites):
    """Sprites times a colour whose channels are uniform in [0.5, 1]; black stays black."""

    name: ClassVar[str] = "color-dsprites"

    def decorate(self, masks: Images, indices: Integers) -> Images:
        levels = np.rint(np.linspace(127.5, 255, 256)).astype(np.uint8)
        colours = levels[self.chance(indices, 3)]
        return masks & colours[:, :, None, None]  # a mask is all bits or none
