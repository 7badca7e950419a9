"""The distance to orthogonality of a decoder (Rolinek et al. 2019)."""

from collections.abc import Sequence
from typing import NamedTuple

from gordium.arrays import Floats
from gordium.geometry.jacobian import CHUNK, AnyDecoder, Points, gram_matrices
from gordium.geometry.orthogonality import matrix_distance, near_degenerate


class Orthogonality(NamedTuple):
    """The mean distance, the distance at each point, and at how many V is hardly determined."""

    distance: float
    per_point: Floats
    n_near_degenerate: int


def distance_to_orthogonality(
    decoder: AnyDecoder, z: Points, *, units: Sequence[int] | None = None, chunk: int = CHUNK
) -> Orthogonality:
    """DtO, Eq. (29): the mean over rows of z of |V - P(V)|_F, for the Jacobian J = U S V^T.

    All units count, as in the paper, or only `units`, e.g. the active ones: the columns of
    passive units are noise, and so are the rows of V that belong to them. V comes from J^T J,
    P(V) from linear assignment. Where singular values nearly repeat, V is arbitrary; such points
    are counted (see `near_degenerate`) and stay in the mean, as in the paper.
    """
    grams = gram_matrices(decoder, z, chunk=chunk).cpu().numpy()
    if units is not None:
        grams = grams[:, units][:, :, units]
    distances = matrix_distance(grams)
    return Orthogonality(float(distances.mean()), distances, int(near_degenerate(grams).sum()))
