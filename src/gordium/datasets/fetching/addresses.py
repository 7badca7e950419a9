"""The addresses from which the official files of data sets are downloaded."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from gordium.datasets.readers.digests import UNPACKED
from gordium.datasets.readers.idx import Labelled
from gordium.datasets.readers.official import OfficialFile
from gordium.datasets.sets import smallnorb
from gordium.datasets.sets.cars3d import Cars3D
from gordium.datasets.sets.dsprites import DSprites
from gordium.datasets.sets.fashion_mnist import FashionMNIST
from gordium.datasets.sets.mnist import MNIST
from gordium.datasets.sets.mpi3d import MPI3DReal, MPI3DRealistic, MPI3DToy
from gordium.datasets.sets.shapes3d import Shapes3D
from gordium.files import read_json

VARIABLE = "GORDIUM_ADDRESSES"
_MPI3D = "https://storage.googleapis.com/disentanglement_dataset/Final_Dataset/"


class Remote(NamedTuple):
    """The files of a data set, the folder they belong in, and the addresses to try in turn.

    An address that ends in a slash is a folder, to which a file's name is added. Any other
    address is the file itself, or an archive (.zip, .tar, .tar.gz) that holds all the files.
    """

    folder: str
    files: tuple[OfficialFile, ...]
    addresses: tuple[str, ...]


def _idx(kind: type[Labelled], *addresses: str) -> Remote:
    files = tuple(OfficialFile(f"{name}.gz", UNPACKED, md5) for name, md5 in kind.digests.items())
    return Remote(kind.name, files, addresses)


def _norb() -> tuple[OfficialFile, ...]:
    names = [f"{part}-{what}.mat.gz" for what in ("dat", "cat", "info") for part in smallnorb.PARTS]
    digests = smallnorb.DIGESTS[".gz"]
    images = [OfficialFile(*of) for of in zip(names, ["sha256"] * 2, digests, strict=False)]
    return (*images, *map(OfficialFile, names[2:]))


REMOTES: dict[str, Remote] = {
    "dsprites": Remote(
        "",
        (DSprites.official,),
        ("https://github.com/google-deepmind/dsprites-dataset/raw/master/",),
    ),
    "shapes3d": Remote("", (Shapes3D.official,), ("https://storage.googleapis.com/3d-shapes/",)),
    "cars3d": Remote("", (Cars3D.official,), ("http://www.scottreed.info/files/",)),
    "smallnorb": Remote(
        "smallnorb", _norb(), ("https://cs.nyu.edu/~ylclab/data/norb-v1.0-small/",)
    ),
    **{
        kind.name: Remote("mpi3d", (kind.official,), (_MPI3D,))
        for kind in (MPI3DToy, MPI3DRealistic, MPI3DReal)
    },
    "mnist": _idx(
        MNIST,
        "http://yann.lecun.com/exdb/mnist/",
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
    ),
    "fashion-mnist": _idx(
        FashionMNIST, "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"
    ),
}


def own_addresses(name: str) -> tuple[str, ...]:
    """Read the user's own addresses of a data set from the JSON file GORDIUM_ADDRESSES."""
    if not (place := os.environ.get(VARIABLE)):
        return ()
    table = read_json(Path(place))
    found = table.get(name, []) if isinstance(table, Mapping) else None
    if isinstance(found, str):
        found = [found]
    if not isinstance(found, list) or not all(isinstance(address, str) for address in found):
        raise ValueError(
            f"{place}, which {VARIABLE} names, must be like "
            '{"mnist": ["https://example.org/mnist/"]}; it is not.'
        )
    return tuple(found)
