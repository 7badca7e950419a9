"""The addresses from which the official files of data sets are downloaded."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from gordium.datasets.readers.idx import Labelled
from gordium.datasets.readers.official import OfficialFile
from gordium.datasets.sets import cars3d, dsprites, mpi3d, shapes3d, smallnorb
from gordium.datasets.sets.fashion_mnist import FashionMNIST
from gordium.datasets.sets.mnist import MNIST
from gordium.files import read_json

VARIABLE = "GORDIUM_ADDRESSES"
UNPACKED = "md5 of the unpacked content"


class Wanted(NamedTuple):
    """A file to download; its digest is empty where none was published."""

    name: str
    algorithm: str = ""
    digest: str = ""


class Remote(NamedTuple):
    """The files of a data set, the folder they belong in, and the addresses to try in turn.

    An address that ends in a slash is a folder, to which a file's name is added. Any other
    address is the file itself, or an archive (.zip, .tar, .tar.gz) that holds all the files.
    """

    folder: str
    files: tuple[Wanted, ...]
    addresses: tuple[str, ...]


def _official(file: OfficialFile) -> Wanted:
    return Wanted(file.name, file.algorithm, file.digest)


def _idx(kind: type[Labelled], *addresses: str) -> Remote:
    files = tuple(Wanted(f"{name}.gz", UNPACKED, md5) for name, md5 in kind.digests.items())
    return Remote(kind.name, files, addresses)


def _mpi3d(kind: type[mpi3d.MPI3D]) -> Remote:
    address = "https://storage.googleapis.com/disentanglement_dataset/Final_Dataset/"
    return Remote("mpi3d", (_official(kind.official),), (address,))


def _norb() -> tuple[Wanted, ...]:
    parts = zip(smallnorb.PARTS, smallnorb.DIGESTS[".gz"], strict=True)
    images = [Wanted(f"{part}-dat.mat.gz", "sha256", digest) for part, digest in parts]
    labels = [
        Wanted(f"{part}-{what}.mat.gz") for what in ("cat", "info") for part in smallnorb.PARTS
    ]
    return (*images, *labels)


REMOTES: dict[str, Remote] = {
    "dsprites": Remote(
        "",
        (_official(dsprites.OFFICIAL),),
        ("https://github.com/google-deepmind/dsprites-dataset/raw/master/",),
    ),
    "shapes3d": Remote(
        "", (_official(shapes3d.OFFICIAL),), ("https://storage.googleapis.com/3d-shapes/",)
    ),
    "cars3d": Remote("", (_official(cars3d.OFFICIAL),), ("http://www.scottreed.info/files/",)),
    "smallnorb": Remote(
        "smallnorb", _norb(), ("https://cs.nyu.edu/~ylclab/data/norb-v1.0-small/",)
    ),
    "mpi3d-toy": _mpi3d(mpi3d.MPI3DToy),
    "mpi3d-realistic": _mpi3d(mpi3d.MPI3DRealistic),
    "mpi3d-real": _mpi3d(mpi3d.MPI3DReal),
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
