"""3D Faces: grey renderings of heads (Paysan et al., 2009), read from beta-TCVAE's file."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import ClassVar, final

from gordium.datasets.base import Images
from gordium.datasets.readers.digests import content_digest
from gordium.datasets.readers.local_files import find
from gordium.datasets.readers.reader import Reader, average_blocks, check_divides, gather
from gordium.factors import Factor, Integers

FILE = "basel_face_renders.pth"
GRID = (50, 21, 11, 11)
PIXELS = (64, 64)
ROOM = 1 << 20  # bytes that a file may hold besides the pixels, which are not compressed


@final
@dataclass(frozen=True)
class Faces3D(Reader):
    """127 050 images of 50 heads: identity, azimuth, elevation and lighting, 64x64 and grey.

    `path` is basel_face_renders.pth. No hash of it was published, so `source` holds the hash of
    the user's file. Images of size 32 and 16 are means over blocks of pixels.
    """

    name: ClassVar[str] = "faces3d"
    wanted: ClassVar[str] = FILE
    channels: ClassVar[int] = 1

    def find(self) -> list[Path]:
        return find([FILE], self.path)

    def check(self) -> str:
        check_divides(self.size, PIXELS[0])
        size, wanted = self.file.stat().st_size, prod((*GRID, *PIXELS))
        if not wanted <= size <= wanted + ROOM:
            raise ValueError(
                f"{self.file} has {size:,} bytes; {FILE} holds {wanted:,} pixels and little more. "
                "It is cut short or another file: fetch it again."
            )
        return f"file {FILE}, sha256 {content_digest(self.files)}"

    @classmethod
    def grid(cls) -> tuple[Factor, ...]:
        names = ("identity", "azimuth", "elevation", "lighting")
        kinds = ("nominal", "ordered", "ordered", "ordered")
        return tuple(Factor(*of) for of in zip(names, GRID, kinds, strict=True))  # type: ignore[arg-type]

    def render(self, indices: Integers) -> Images:
        table = self.load_table(_rows, (prod(GRID), *PIXELS))
        return average_blocks(gather(table, indices)[..., None], self.size)


def _rows(files: tuple[Path]) -> Iterator[Images]:
    """All images in one chunk; anything but a tensor of bytes is refused, and no code is run."""
    import torch  # other data sets need no PyTorch

    (file,) = files
    try:
        with warnings.catch_warnings(action="ignore"):  # about the old formats of such files
            found = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:  # the loading of tensors alone fails with errors of many kinds
        reason = str(error).partition("\n")[0]
        raise ValueError(
            f"{file} cannot be read as a tensor ({reason}). Fetch it again."
        ) from error
    shape = (*GRID, *PIXELS)
    if not isinstance(found, torch.Tensor) or found.dtype != torch.uint8 or found.shape != shape:
        kind = f"{found.dtype} {tuple(found.shape)}" if torch.is_tensor(found) else type(found)
        raise ValueError(f"{file} must hold a uint8 tensor {shape}; it holds {kind}.")
    yield found.contiguous().numpy().reshape(-1, *PIXELS)
