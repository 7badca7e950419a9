"""Images with one label each in IDX files, the format of MNIST."""

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import IO, ClassVar

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.collection import Collection, Content
from gordium.datasets.overviews import Overview
from gordium.datasets.published import Published
from gordium.datasets.readers import local_files
from gordium.datasets.readers.digests import UNPACKED, content_digest
from gordium.datasets.readers.local_files import name_errors
from gordium.datasets.readers.official import OfficialFile, check_digest
from gordium.datasets.readers.reader import resize
from gordium.factors import Factor

IMAGES, LABELS = 0x803, 0x801  # unsigned bytes along three axes, and along one
PIXELS = (28, 28)
CLASSES = 10
MOST = 1_000_000  # a file that declares more images is not read
SPLITS = {"train": ("train",), "test": ("t10k",), "all": ("train", "t10k")}
FACTOR = Factor("label", CLASSES, "nominal")


@dataclass(frozen=True)
class _Part:
    """A base class that puts `split` before `size` in the signature: `MNIST("test")`."""

    split: str = "train"


@dataclass(frozen=True)
class Labelled(Published, _Part, Collection):
    """Grey images of ten classes; the class is the one known factor.

    `split` is train, test or all. Images are 28x28; a larger `size` is padded with black, a
    smaller one shrunk (Lanczos). `path` is the folder of the idx files, packed (.gz) or not.
    """

    title: ClassVar[str]
    digests: ClassVar[dict[str, str]]  # MD5 of the unpacked files
    below: ClassVar[tuple[str, ...]]  # subfolders that are searched too
    others: ClassVar[tuple[str, ...]] = ()  # folders of the system that are searched too
    channels: ClassVar[int] = 1

    size: int = 28

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise ValueError(f"split must be one of {', '.join(SPLITS)}; got {self.split!r}.")
        super().__post_init__()
        self.content  # noqa: B018 - read now, so that a file that cannot be used fails here

    def find(self) -> list[Path]:
        return local_files.find(self._names, self.path, below=self.below, others=self.others)

    def check(self) -> str:
        if not self.verify:
            digest = content_digest(self.files)
            return f"files in the format of {self.title}, sha256 {digest}"
        for name, file in zip(self._names, self.files, strict=True):
            check_digest(file, OfficialFile(name, UNPACKED, self.digests[name]))
        return f"official files of {self.title}"

    @property
    def _names(self) -> list[str]:
        kinds = ("images-idx3-ubyte", "labels-idx1-ubyte")
        return [f"{part}-{kind}" for part in SPLITS[self.split] for kind in kinds]

    @classmethod
    def describe_absent(cls) -> Overview:
        """What is known of the training images where their files are absent."""
        needs = "not here: needs train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz"
        return Overview(60_000, (1, *PIXELS), (FACTOR,), needs)

    def read(self) -> Content:
        found = [read_idx(file) for file in self.files]
        images, labels = np.concatenate(found[::2]), np.concatenate(found[1::2])
        if [len(part) for part in found[::2]] != [len(part) for part in found[1::2]]:
            raise ValueError(
                f"{self.files[0].parent} has {len(images)} images and {len(labels)} labels: files "
                "are mixed up. Fetch them again."
            )
        if len(labels) and labels.max() >= CLASSES:
            raise ValueError(f"{self.files[1]} must hold labels 0 to 9; it holds {labels.max()}.")
        return Content(_fit(images, self.size), labels[:, None].astype(np.int64), (FACTOR,))


def _fit(images: Images, size: int) -> Images:
    if size < PIXELS[0]:
        return resize(images[..., None], size)
    before = (size - PIXELS[0]) // 2
    after = size - PIXELS[0] - before
    padding = ((0, 0), (before, after), (before, after))
    return np.ascontiguousarray(np.pad(images, padding)[:, None])


def read_idx(file: Path) -> Images:
    """Read images (n, 28, 28) or labels (n,) from an IDX file."""
    with name_errors(file), local_files.open_file(file) as content:
        shape = _read_header(file, content)
        body = local_files.read_exactly(content, prod(shape))
        local_files.check_ended(file, content)
    return np.frombuffer(body, np.uint8).reshape(shape)


def _read_header(file: Path, content: IO[bytes]) -> tuple[int, ...]:
    magic = int.from_bytes(local_files.read_exactly(content, 4), "big")
    if magic not in (IMAGES, LABELS):
        raise ValueError(
            f"{file} is not an idx file of images or labels: it starts with {magic:#x}."
        )
    sizes = local_files.read_exactly(content, 12 if magic == IMAGES else 4)
    shape = tuple(np.frombuffer(sizes, ">u4").tolist())
    wanted = PIXELS if "images" in file.name else ()
    if shape[1:] != wanted or shape[0] > MOST:
        expected = f"n images {PIXELS}" if wanted else "n labels"
        raise ValueError(f"{file} must hold {expected}, n at most {MOST:,}; it declares {shape}.")
    return shape
