"""Noisy-dSprites: white sprites on a background of noise (Locatello et al. 2019)."""

from dataclasses import dataclass
from math import prod
from typing import ClassVar, final

from gordium.datasets.base import Images
from gordium.datasets.sets.decorated_sprites import DecoratedSprites
from gordium.factors import Integers


@final
@dataclass(frozen=True)
class NoisyDSprites(DecoratedSprites):
    """Sprites plus uniform noise in [0, 1] for each pixel and channel, capped at 1.

    So sprites stay white, and everything around them is noise.
    """

    name: ClassVar[str] = "noisy-dsprites"

    def decorate(self, masks: Images, indices: Integers) -> Images:
        noise = self.chance(indices, prod(self.image_shape))
        return masks | noise.reshape(-1, *self.image_shape)  # a mask is all bits or none
