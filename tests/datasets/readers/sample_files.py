"""Small files in the published formats, which the readers take for the published ones."""

import gzip
import io
import tarfile

import numpy as np
from scipy.io import savemat

from gordium.datasets.sets import cars3d, faces3d, mpi3d, smallnorb


def pictures(shape, seed=0):
    return np.random.default_rng(seed).integers(256, size=shape, dtype=np.uint8)


def cars(folder, monkeypatch):
    """Three cars from few sides; the value of all pixels is 60 car + 2 azimuth + elevation."""
    monkeypatch.setattr(cars3d, "CARS", 3)
    monkeypatch.setattr(cars3d, "SHAPE", (128, 128, 3, 5, 2))
    folder.mkdir(parents=True, exist_ok=True)
    azimuth, elevation = np.arange(5)[:, None], np.arange(2)
    for car, name in enumerate(("001", "020", "199")):
        views = np.broadcast_to(60 * car + 2 * azimuth + elevation, cars3d.SHAPE).astype(np.uint8)
        savemat(folder / f"car_{name}_mesh.mat", {"im": views}, do_compression=True)
    return folder


def archive(path, members, mode="w:gz"):
    """A tar archive of (name, bytes) pairs."""
    with tarfile.open(path, mode) as file:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    return path


def matrix(values, magic):
    """A binary matrix file as bytes: magic, axes, at least three sizes, data."""
    sizes = (*values.shape, 1, 1)[: max(3, values.ndim)]
    header = np.array([magic, values.ndim, *sizes], "<i4").tobytes()
    return header + values.tobytes()


def norb(folder, monkeypatch, packed=True):
    """Toys in arbitrary order; gives the images (n, 96, 96) of the grid, in the grid's order."""
    grid = (2, 4, 2, 3, 2)
    monkeypatch.setattr(smallnorb, "GRID", grid)
    n = int(np.prod(grid))
    images = pictures((n, 2, 96, 96))
    labels = np.stack(np.unravel_index(np.arange(n), grid), axis=1).astype("<i4")
    labels[:, 3] *= 2
    # Instances 0 and 1 are for testing, the others for training, each in arbitrary order.
    rng = np.random.default_rng(1)
    testing = labels[:, 1] < 2
    folder.mkdir(parents=True, exist_ok=True)
    for part, mine in zip(smallnorb.PARTS, (~testing, testing), strict=True):
        rows = rng.permutation(np.flatnonzero(mine))
        contents = {
            "dat": matrix(images[rows], smallnorb.BYTES),
            "cat": matrix(labels[rows, 0], smallnorb.INTEGERS),
            "info": matrix(np.ascontiguousarray(labels[rows, 1:]), smallnorb.INTEGERS),
        }
        for what, content in contents.items():
            name = f"{part}-{what}.mat"
            if packed:
                (folder / f"{name}.gz").write_bytes(gzip.compress(content, 1))
            else:
                (folder / name).write_bytes(content)
    return images[:, 0]


def arm(path, monkeypatch, save=np.savez):
    """An archive like that of MPI3D with few images; gives them (n, 64, 64, 3)."""
    grids = ((2, 2, 2, 1, 1, 2, 3), (1, 1, 2, 1, 1, 2, 3))
    monkeypatch.setattr(mpi3d, "GRIDS", grids)
    images = pictures((48, 64, 64, 3))
    path.parent.mkdir(parents=True, exist_ok=True)
    save(path, images=images)
    return images


def heads(path, monkeypatch):
    import torch

    monkeypatch.setattr(faces3d, "GRID", (2, 3, 2, 2))
    images = pictures((2, 3, 2, 2, 64, 64))
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(torch.from_numpy(images), path)
    return images.reshape(-1, 64, 64)
