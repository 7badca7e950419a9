"""Small steps that always improve, so that every local minimum is a global one.

The two lemmas behind Theorem 2(a) of Rolinek et al. 2019, supplement 7.1.
"""

import numpy as np

from gordium.arrays import Floats
from gordium.theory.columns import rotation


def equalise(values: Floats, delta: float) -> Floats:
    """Lemma S4: lower the sum and keep the product, unless all values are equal.

    The largest value is divided and the smallest multiplied by 1 + delta, or by less if that
    would overshoot their geometric mean. No value may be negative; a zero stays zero.
    """
    high, low = int(np.argmax(values)), int(np.argmin(values))
    factor = 1 + delta
    if values[low] > 0:
        factor = min(factor, np.sqrt(values[high] / values[low]))
    changed = values.copy()
    changed[high] /= factor
    changed[low] *= factor
    return changed


def orthogonalise(matrix: Floats, delta: float) -> Floats:
    """Lemma S5: M R with a smaller product of column norms, for a rotation R by at most `delta`.

    R turns the two columns with the largest cosine (S57). At the angle t their squared norms are
    a +- r cos 2 (t - t0), and their product a^2 - r^2 cos^2 2 (t - t0) falls towards the angle t0
    where they are orthogonal, which is at most 45 degrees away.
    """
    gram = matrix.T @ matrix
    norms = np.sqrt(np.diag(gram))
    cosines = np.abs(np.triu(gram / np.outer(norms, norms), 1))
    i, j = np.unravel_index(np.argmax(cosines), cosines.shape)
    angle = float(np.clip(_orthogonal_angle(gram, int(i), int(j)), -delta, delta))
    turned = matrix.copy()
    turned[:, [i, j]] = matrix[:, [i, j]] @ rotation(angle)
    return turned


def _orthogonal_angle(gram: Floats, i: int, j: int) -> float:
    """The smallest turn of columns i and j that makes them orthogonal."""
    difference, product = gram[i, i] - gram[j, j], 2 * gram[i, j]
    sign = 1.0 if difference >= 0 else -1.0
    return 0.5 * float(np.arctan2(sign * product, abs(difference)))
