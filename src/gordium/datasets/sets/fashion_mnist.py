"""Fashion-MNIST: pictures of clothes (Xiao et al., 2017), read from the original files."""

from dataclasses import dataclass
from typing import ClassVar, final

from gordium.datasets.readers.idx import Labelled


@final
@dataclass(frozen=True)
class FashionMNIST(Labelled):
    __doc__ = f"Clothes and shoes. {Labelled.__doc__}"
    name: ClassVar[str] = "fashion-mnist"
    title: ClassVar[str] = "Fashion-MNIST"
    digests: ClassVar[dict[str, str]] = {
        "train-images-idx3-ubyte": "f4a8712d7a061bf5bd6d2ca38dc4d50a",
        "train-labels-idx1-ubyte": "9018921c3c673c538a1fc5bad174d6f9",
        "t10k-images-idx3-ubyte": "8181f5470baa50b63fa0f6fddb340f0a",
        "t10k-labels-idx1-ubyte": "15d484375f8d13e6eb1aabb0c3f46965",
    }
    below: ClassVar[tuple[str, ...]] = ("fashion-mnist", "FashionMNIST/raw")
    # The Debian package dataset-fashion-mnist puts the files here.
    others: ClassVar[tuple[str, ...]] = ("/usr/share/datasets/fashion-mnist",)
