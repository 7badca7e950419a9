"""Damaged files for every reader: each must be read, or refused by an error that names the file.

    python tests/datasets/fuzz.py [--count 10000] [--seed 0] [format ...]

Small valid files are changed at random, packed ones inside and outside, and read. Nothing in a
file may run, no read may take longer than SECONDS, and with a limit on memory (set here when run
as a script) none may need more than it.
"""

import argparse
import gzip
import io
import pickle
import resource
import signal
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import numpy as np
from PIL import Image
from scipy.io import savemat

from gordium.datasets import FromFolder, FromNpz
from gordium.datasets.readers import archives
from gordium.datasets.readers import h5 as _h5
from gordium.datasets.readers import idx as _idx
from gordium.datasets.readers import npz as _npz
from gordium.datasets.readers.local_files import name_errors
from gordium.datasets.readers.official import OfficialFile
from gordium.datasets.sets import cars3d, faces3d
from gordium.datasets.sets import smallnorb as norb
from gordium.datasets.sets.dsprites import pack_rows

SECONDS = 10
MEMORY = 1 << 30  # bytes beyond what the process has at its start
EXTREMES = [b"\0" * 4, b"\xff" * 4, b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\1", b"\x80"]
SHAPE = (4, 16, 16)
FILE = OfficialFile("small", "md5", "", "imgs", SHAPE)
ROOMS = OfficialFile("small", "md5", "", "images", (*SHAPE, 3))


class Marker:
    """An object whose pickle, if it is ever loaded, leaves a file."""

    place = Path(tempfile.gettempdir()) / "gordium-fuzz-a-pickle-was-run"

    def __reduce__(self):
        return (Path.touch, (self.place,))


class Format(NamedTuple):
    """A file's name, seeds with how each is packed, and how the file is read."""

    name: str
    seeds: list[tuple[bytes, Callable[[bytes], bytes]]]
    read: Callable[[Path], object]


def mutated(content: bytes, rng: np.random.Generator) -> bytes:
    """Some bytes set, cut, doubled, moved or added."""
    data = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 4])):
        if not data:
            break
        at = int(rng.integers(min(len(data), 512) if rng.random() < 0.5 else len(data)))
        span = int(rng.integers(1, 33))
        match rng.integers(7):
            case 0:
                data[at] ^= 1 << int(rng.integers(8))
            case 1:
                data[at : at + span] = rng.bytes(span)
            case 2:
                field = EXTREMES[rng.integers(len(EXTREMES))]
                data[at : at + len(field)] = field
            case 3:
                del data[at:]
            case 4:
                del data[at : at + span]
            case 5:
                data[at:at] = data[at : at + span]
            case 6:
                data[at:at] = rng.bytes(span)
    return bytes(data)


def plain(content: bytes) -> bytes:
    return content


def packed(content: bytes) -> bytes:
    return gzip.compress(content, 1)


def arrays(**found: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **found)
    return stream.getvalue()


def array(values: object) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(values), allow_pickle=True)
    return stream.getvalue()


def zipped(name: str, others: dict[str, bytes]) -> Callable[[bytes], bytes]:
    """A zip of others and of one member whose content was changed; its checksum is right."""

    def pack(content: bytes) -> bytes:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as file:
            for member, held in {**others, name: content}.items():
                file.writestr(member, held)
        return stream.getvalue()

    return pack


def tarred(*members: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as file:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    return stream.getvalue()


IMAGES = np.random.default_rng(0).integers(2, size=SHAPE, dtype=np.uint8)
VALUES = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
BOMB = bytes(1 << 21)


def own_npz() -> Format:
    held = {"images": IMAGES, "factors": VALUES, "names": ["a", "b"]}
    members = {f"{name}.npy": array(values) for name, values in held.items()}
    seeds = [(arrays(**held), plain)]
    seeds += [(content, zipped(name, members)) for name, content in members.items()]
    seeds += [(array(np.array([Marker()], object)), zipped(name, members)) for name in members]
    return Format("own.npz", seeds, lambda path: len(FromNpz(path)))


def official_npz() -> Format:
    inside = zipped("imgs.npy", {"metadata.npy": array(np.array([Marker()], object))})
    seeds = [(arrays(imgs=IMAGES), plain), (array(IMAGES), inside)]

    def read(path: Path) -> object:
        list(pack_rows(path, FILE))
        _npz.headers(path)
        if _npz.map_array(path, "imgs") is None:
            list(_npz.rows(path, "imgs"))
        return None

    return Format("official.npz", seeds, read)


def h5() -> Format:
    import h5py

    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        file.create_dataset("images", data=np.zeros(ROOMS.shape, np.uint8), compression="gzip")
        file["labels"] = np.zeros((4, 6))

    def read(path: Path) -> object:
        images = _h5.open_h5.__wrapped__(path, ROOMS)
        try:
            with name_errors(path):
                return images[:].sum()
        finally:
            images.file.close()

    return Format("rooms.h5", [(stream.getvalue(), plain)], read)


def mesh(compress: bool) -> bytes:
    stream = io.BytesIO()
    savemat(stream, {"im": np.ones((8, 8, 3, 2, 2), np.uint8), "x": 1}, do_compression=compress)
    return stream.getvalue()


def mat() -> Format:
    def read(path: Path) -> object:
        with path.open("rb") as content, mock.patch.object(cars3d, "SHAPE", (8, 8, 3, 2, 2)):
            return cars3d.read_mesh(path.name, content)

    return Format("car_001_mesh.mat", [(mesh(False), plain), (mesh(True), plain)], read)


def tar() -> Format:
    whole = tarred(("data/cars/car_001_mesh.mat", mesh(True)), ("data/cars/list.txt", b"car_001"))

    def read(path: Path) -> object:
        with mock.patch.object(cars3d, "SHAPE", (8, 8, 3, 2, 2)):
            return list(cars3d.views((path,)))

    bomb = packed(tarred(("data/x", BOMB), ("data/cars/car_001_mesh.mat", mesh(False))))
    seeds = [(whole, packed), (packed(whole), plain), (bomb, plain)]
    return Format("nips2015-analogy-data.tar.gz", seeds, read)


def archive(name: str, seeds: list[tuple[bytes, Callable[[bytes], bytes]]]) -> Format:
    def read(path: Path) -> object:
        return archives.unpack(path, path.parent / "out", ["wanted"])

    return Format(name, seeds, read)


def idx() -> Format:
    header = bytes([0, 0, 8, 3]) + b"".join(n.to_bytes(4, "big") for n in (3, 28, 28))
    content = header + bytes(3 * 28 * 28)
    seeds = [(content, packed), (packed(content), plain), (packed(content + BOMB), plain)]
    return Format("train-images-idx3-ubyte.gz", seeds, _idx.read_idx)


def plain_idx() -> Format:
    content = bytes([0, 0, 8, 1, 0, 0, 0, 9, *range(9)])
    return Format("train-labels-idx1-ubyte", [(content, plain)], _idx.read_idx)


def matrix(values: np.ndarray, magic: int) -> bytes:
    sizes = (*values.shape, 1, 1)[: max(3, values.ndim)]
    return np.array([magic, values.ndim, *sizes], "<i4").tobytes() + values.tobytes()


def smallnorb() -> Format:
    images = matrix(np.zeros((2, 2, 96, 96), np.uint8), norb.BYTES)
    seeds = [(images, packed), (packed(images), plain), (packed(images + BOMB), plain)]

    def read(path: Path) -> object:
        with mock.patch.object(norb, "GRID", (1, 2, 1, 2, 1)):
            return list(norb._images((path, path), 16))

    return Format("smallnorb-dat.mat.gz", seeds, read)


def labels() -> Format:
    content = matrix(np.arange(40, dtype="<i4").reshape(10, 4), norb.INTEGERS)
    read = lambda path: norb.matrix(path, norb.INTEGERS, (10, 4))  # noqa: E731
    return Format("smallnorb-info.mat", [(content, plain)], read)


def pictures() -> Format:
    """The table of a folder of pictures, or its second picture."""
    seeds = [(b"file,scale,word\na.png,1,x\nb,2,y\n", plain)]
    for kind in ("PNG", "GIF", "JPEG", "BMP", "TIFF", "PPM", "WEBP"):
        stream = io.BytesIO()
        Image.fromarray(100 * IMAGES[0]).save(stream, kind)
        seeds.append((stream.getvalue(), plain))

    def read(path: Path) -> object:
        content = path.read_bytes()
        is_table = content[:3] == b"fil" or b"a.png" in content
        path.parent.joinpath("factors.csv").write_bytes(content if is_table else seeds[0][0])
        path.parent.joinpath("b").write_bytes(seeds[1][0] if is_table else content)
        path.parent.joinpath("a.png").write_bytes(seeds[1][0])
        return len(FromFolder(path.parent, size=16))

    return Format("content", seeds, read)


def pth() -> Format:
    import torch

    seeds = []
    for found in (torch.zeros(1, 2, 1, 1, 64, 64, dtype=torch.uint8), {"a": torch.zeros(3)}):
        stream = io.BytesIO()
        torch.save(found, stream)
        seeds.append((stream.getvalue(), plain))
    seeds.append((pickle.dumps(Marker()), plain))

    def read(path: Path) -> object:
        with mock.patch.object(faces3d, "GRID", (1, 2, 1, 1)):
            return list(faces3d._rows((path,)))

    return Format("basel_face_renders.pth", seeds, read)


FORMATS: dict[str, Callable[[], Format]] = {
    "npz": own_npz,
    "official npz": official_npz,
    "h5": h5,
    "mat": mat,
    "tar.gz": tar,
    "idx.gz": idx,
    "idx": plain_idx,
    "smallnorb": smallnorb,
    "smallnorb labels": labels,
    "folder": pictures,
    "pth": pth,
    "unpack zip": lambda: archive(
        "a.zip",
        [
            (zipped("deep/wanted", {"other": bytes(999)})(b"content"), plain),
            (zipped("wanted", {})(BOMB), plain),
        ],
    ),
    "unpack tar": lambda: archive(
        "a.tar.gz", [(tarred(("other", b"1"), ("deep/wanted", bytes(600))), packed)]
    ),
}


class Found(NamedTuple):
    """How many files were read and refused, and what went wrong otherwise."""

    read: int
    refused: int
    wrong: list[str]


class TooLong(BaseException):
    """A read took over SECONDS."""


@contextmanager
def limited_time():
    """A read that hangs is ended by an error that no reader expects."""

    def stop(*_):
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fuzz(name: str, count: int, folder: Path, seed: int = 0) -> Found:
    """Read `count` damaged files of one format."""
    form = FORMATS[name]()
    rng = np.random.default_rng([seed, *name.encode()])
    path = folder / form.name
    read = refused = 0
    wrong = []
    Marker.place.unlink(missing_ok=True)
    for i in range(count):
        content, pack = form.seeds[rng.integers(len(form.seeds))]
        path.write_bytes(pack(mutated(content, rng) if i >= len(form.seeds) else content))
        try:
            with limited_time():
                form.read(path)
            read += 1
        except (ValueError, TypeError, OSError) as error:
            refused += 1
            if path.name not in str(error) and str(folder) not in str(error):
                wrong.append(f"{i}: the file is not named: {error!r}")
        except BaseException as error:
            wrong.append(f"{i}: {error!r}")
        if Marker.place.exists():
            Marker.place.unlink()
            wrong.append(f"{i}: a pickle was run")
    return Found(read, refused, wrong)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("formats", nargs="*", default=list(FORMATS))
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    bad = 0
    for name in options.formats:
        FORMATS[name]()  # imports what it needs, before memory is limited
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
        start = time.perf_counter()
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with tempfile.TemporaryDirectory() as folder:
            found = fuzz(name, options.count, Path(folder), options.seed)
        seconds = time.perf_counter() - start
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - resident) / 1024
        print(
            f"{name:18} {options.count:7,} files: {found.read:,} read, {found.refused:,} refused, "
            f"{len(found.wrong)} wrong; {grown:.0f} MB more, {seconds:.0f} s",
            flush=True,
        )
        for line in found.wrong[:5]:
            print(f"    {line[:300]}", flush=True)
        bad += len(found.wrong)
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
