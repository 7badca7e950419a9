"""What Jacobians and the distance to orthogonality cost, against PyTorch's own and MILP.

    python benchmarks/geometry.py [--points 1000] [--single 50] [--rows 3] [--matrices 50]

One thread, whose processor time is taken, so that other work on the machine does not count. The
decoder is the convolutional one for 64x64x3 images with 10 latents, first as a model's `decode`,
whose layers are known, then as a function of which nothing is. Rivals that go point by point are
timed on some points, in turns with ours, and extrapolated. The bound is the time of the
convolutions' multiplications at the speed of a large matrix product.

On an idle AMD EPYC with AVX2 forward mode point by point took 5.3, 5.2 and 4.9 times as long as
ours in three runs with the direct kernels. "The convolutions alone" are those of plain passes.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.stats import ortho_group
from torch import Tensor
from torch.autograd.functional import jacobian as torch_jacobian

from gordium.geometry import closest_signed_permutation, jacobian
from gordium.networks import Autoencoder, Convolutional, autoencoder
from gordium.networks._calls import images_inside
from gordium.networks.direct import Layers
from gordium.training.machine import keep_freed_memory

LATENTS, SHAPE = 10, (3, 64, 64)
ROUNDS = 5


def seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def model() -> Autoencoder:
    generator = torch.Generator().manual_seed(0)
    built = autoencoder(
        Convolutional(), SHAPE, LATENTS, likelihood="bernoulli", generator=generator
    )
    return built.eval().to(memory_format=torch.channels_last)  # as it is trained


def one_by_one(decode: Callable[[Tensor], Tensor], rows: Tensor, **options: Any) -> None:
    for row in rows:
        torch_jacobian(decode, row[None], **options)


def jacobians(n: int, n_single: int, n_rows: int) -> None:
    built = model()
    known = built.decode

    def decode(z: Tensor) -> Tensor:
        return built.decode(z)

    z = torch.randn(n, LATENTS, generator=torch.Generator().manual_seed(1))
    forward = {"strategy": "forward-mode", "vectorize": True}
    for warm_up in (known, decode):
        jacobian(warm_up, z[:2])
    one_by_one(decode, z[:2], **forward)
    ours, anything, singles, bare, alone = [], [], [], [], []
    for part in z.chunk(ROUNDS):  # in turns
        few = part[: max(1, n_single // ROUNDS)]
        ours.append(seconds(lambda part=part: jacobian(known, part)) / len(part))
        anything.append(seconds(lambda few=few: jacobian(decode, few)) / len(few))
        singles.append(seconds(lambda few=few: one_by_one(decode, few, **forward)) / len(few))
        with torch.no_grad():
            bare.append(seconds(lambda few=few: one_by_one(decode, few, **forward)) / len(few))
            alone.append(convolutions(built))
    print(f"Jacobians of {n} points, 64x64x3, {LATENTS} latents: {n * np.mean(ours):.2f} s")
    tell("forward mode, vectorised, point by point", singles, ours)
    tell("the same under no_grad", bare, ours)
    tell("our way for any function", anything, ours)
    lowest, least = bound(), statistics.median(alone)
    print(f"  the convolutions alone: {1e3 * least:.2f} ms a point")
    print(f"  bound: {1e3 * lowest:.2f} ms a point, {lowest / least:.0%} of that")
    print(f"  a fifth of forward mode point by point: {200 * statistics.median(singles):.2f} ms")
    if n_rows:
        by_rows = seconds(lambda: one_by_one(decode, z[:n_rows])) / n_rows
        tell("default strategy, row by row", [by_rows] * len(ours), ours)


def convolutions(built: Autoencoder, points: int = 16) -> float:
    """Seconds a point for nothing but the convolutions of images and derivatives."""
    layers = list(built.decoder)
    first = next(i for i, m in enumerate(layers) if isinstance(m, torch.nn.ConvTranspose2d))
    network = Layers(*layers[first:])
    x = images_inside(torch.randn(points, layers[first].in_channels, 4, 4))
    passes = LATENTS + 1
    return min(seconds(lambda: [network(x) for _ in range(passes)]) for _ in range(3)) / points


def tell(name: str, theirs: list[float], ours: list[float]) -> None:
    ratio = statistics.median(b / a for a, b in zip(ours, theirs, strict=True))
    each, mine = (1e3 * statistics.median(times) for times in (theirs, ours))
    print(f"  {name}: {each:.1f} ms a point against {mine:.2f}: {ratio:.1f} times", flush=True)


def bound() -> float:
    """Seconds for an image and its derivatives, at the speed of a matrix product."""
    layers = ((64, 64, 4), (64, 32, 8), (32, 32, 16), (32, 3, 32))  # channels in, out, pixels in
    products = (LATENTS + 1) * sum(16 * a * b * side**2 for a, b, side in layers)
    square = torch.ones(1024, 1024)
    taken = min(seconds(lambda: square @ square) for _ in range(10))
    return products * taken / 1024**3


def assignments(n: int) -> None:
    matrices = ortho_group.rvs(LATENTS, size=n, random_state=0)
    closest_signed_permutation(matrices[0])
    ours = seconds(lambda: [closest_signed_permutation(v) for v in matrices]) / n
    solved: list[float] = []
    theirs = seconds(lambda: solved.extend(programmes(matrices))) / n
    mine = [np.abs(v - closest_signed_permutation(v)).sum() for v in matrices]
    worst = np.abs(np.array(mine) - solved).max()
    print(f"Nearest signed permutation of {n} matrices {LATENTS} x {LATENTS}:")
    print(f"  MILP {1e3 * theirs:.1f} ms against {1e6 * ours:.0f} us: {theirs / ours:.0f} times")
    print(f"  largest difference of the optimum: {worst:.1e}")


def programmes(matrices: np.ndarray) -> Iterator[float]:
    """The optima of (S75) of Rolinek et al. 2019, solved as it stands."""
    d = matrices.shape[1]
    n, eye = d * d, np.eye(d * d)
    sums = np.vstack([np.kron(np.ones(d), np.eye(d)), np.kron(np.eye(d), np.ones(d))])
    for v in matrices:
        yield milp(
            np.repeat([0, 0, 1], n),
            integrality=np.repeat([1, 1, 0], n),
            bounds=Bounds(0, np.repeat([1, 1, np.inf], n)),
            constraints=[
                LinearConstraint(np.hstack([eye, -eye, -eye]), ub=v.ravel()),
                LinearConstraint(np.hstack([-eye, eye, -eye]), ub=-v.ravel()),
                LinearConstraint(np.hstack([sums, sums, np.zeros((2 * d, n))]), 1, 1),
            ],
        ).fun


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--single", type=int, default=50)
    parser.add_argument("--rows", type=int, default=3, help="0 leaves them out")
    parser.add_argument("--matrices", type=int, default=50)
    options = parser.parse_args()
    torch.set_num_threads(1)
    keep_freed_memory()
    assignments(options.matrices)
    jacobians(options.points, options.single, options.rows)


if __name__ == "__main__":
    main()
