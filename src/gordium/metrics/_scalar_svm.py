"""Linear support vector machines on one number, for every class of every factor at once.

The samples of which the hinge loss is above 0 form a half-line of the code. Sums over a half-line
are differences of cumulative sums in the order of the code, so a Newton step costs one look-up
for each class, whatever the number of samples.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats, Integers

STEPS = 100  # a dozen suffice: the objective is made of finitely many parabolas
HALVINGS = 30
COST = 0.01


def fit_scalar_svms(code: Floats, factors: Integers) -> Floats:
    """Slopes and intercepts (2, classes of all factors) of one-against-rest machines.

    Each minimises (w^2 + b^2) / 2 + sum_i C_i max(0, 1 - y_i (w z_i + b))^2 with C_i = C = 0.01
    for the rest and C N / (n_k N_c) for a class of N_c of the N samples, one of n_k classes. Of
    two classes, each being the rest of the other, both are weighted.
    """
    problem = _Problem.of(code, factors)
    line = np.zeros((2, len(problem.weight_class)))
    for _ in range(STEPS):
        value, slope, (ww, wb, bb) = problem.at(line)
        step = np.stack([wb * slope[1] - bb * slope[0], wb * slope[0] - ww * slope[1]])
        step /= ww * bb - wb * wb
        gain = -(slope * step).sum(axis=0)
        line = line + step * _length(problem, line, step, value - 1e-4 * gain)
        if np.all(gain <= 1e-12 * (1 + value)):
            break
    return line


def _length(problem: "_Problem", line: Floats, step: Floats, wanted: Floats) -> Floats:
    """How much of each step to go: all of it, halved until the objective falls to `wanted`."""
    length = np.ones_like(wanted)
    for _ in range(HALVINGS):
        reached = problem.at(line + length * step)[0]
        worse = reached > wanted + 1e-12 * (1 + np.abs(wanted))
        if not worse.any():
            break
        length[worse] /= 2
    return length


@dataclass(frozen=True)
class _Problem:
    """Cumulative sums of 1, z, z^2 in the order of the code: of all samples, and class by class."""

    code: Floats
    everyone: Floats
    members: Floats
    places: Integers  # where each row of `members` stands: class * (N + 1) + rank of the sample
    starts: Integers
    weight_class: Floats
    weight_rest: Floats

    @classmethod
    def of(cls, code: Floats, factors: Integers) -> "_Problem":
        order = np.argsort(code, kind="stable")
        ranked, labels = code[order], factors[order]
        sizes = labels.max(axis=0) + 1
        labels = labels + np.concatenate([[0], np.cumsum(sizes)[:-1]])
        ranks = [np.argsort(_shorten(column), kind="stable") for column in labels.T]
        classes = [column[rank] for column, rank in zip(labels.T, ranks, strict=True)]
        rank, owner = np.concatenate(ranks), np.concatenate(classes)
        counts = np.bincount(owner)
        weight = COST * len(code) / (np.repeat(sizes, sizes) * counts)
        return cls(
            code=ranked,
            everyone=_cumulate(ranked),
            members=_cumulate(ranked[rank]),
            places=owner * (len(code) + 1) + rank,
            starts=np.concatenate([[0], np.cumsum(counts)]),
            weight_class=weight,
            weight_rest=_weight_of_rest(weight, sizes),
        )

    def at(self, line: Floats) -> tuple[Floats, Floats, Floats]:
        """Objective, gradient and curvature (ww, wb, bb) of each class at `line`."""
        w, b = line
        own = self.weight_class * self._open(w, 1 - b, rest=False)
        rest = self.weight_rest * self._open(-w, 1 + b, rest=True)
        (n, z, zz), (gap, gap_z) = own + rest, (own - rest)[:2]
        value = (w * w + b * b) / 2 + n + w * w * zz + b * b * n + 2 * w * b * z
        value -= 2 * (w * gap_z + b * gap)
        slope = np.stack([w + 2 * (w * zz + b * z - gap_z), b + 2 * (w * z + b * n - gap)])
        return value, slope, np.stack([1 + 2 * zz, 2 * z, 1 + 2 * n])

    def _open(self, w: Floats, room: Floats, *, rest: bool) -> Floats:
        """Sums (3, classes) over the samples with w z < room, of the class or of the rest."""
        steep = np.where(np.abs(w) < 1e-150, 1e-150, w)
        place = np.searchsorted(self.code, room / steep)
        begin, end = self.starts[:-1], self.starts[1:]
        inside = np.searchsorted(self.places, np.arange(len(w)) * (len(self.code) + 1) + place)
        below = self.members[:, inside] - self.members[:, begin]
        whole = self.members[:, end] - self.members[:, begin]
        if rest:
            below, whole = self.everyone[:, place] - below, self.everyone[:, -1:] - whole
        return np.where(steep > 0, below, whole - below)


def _weight_of_rest(weight: Floats, sizes: Integers) -> Floats:
    rest = np.full_like(weight, COST)
    for first in (np.cumsum(sizes) - sizes)[sizes == 2]:
        rest[first : first + 2] = weight[first : first + 2][::-1]
    return rest


def _shorten(labels: Integers) -> NDArray[np.integer]:
    """Labels as 16 bits where these suffice: NumPy sorts them in linear time."""
    return labels.astype(np.uint16) if labels.max() < 2**16 else labels


def _cumulate(z: Floats) -> Floats:
    sums = np.zeros((3, len(z) + 1))
    sums[0] = np.arange(len(z) + 1)
    np.cumsum(z, out=sums[1, 1:])
    np.cumsum(z * z, out=sums[2, 1:])
    return sums
