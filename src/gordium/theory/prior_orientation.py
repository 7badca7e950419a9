"""How well a generalised Gaussian prior fits a uniform square at each orientation.

Stühmer et al. 2020, section 3.1 and Figure 3, made exact for codes that are linear in the
position: z = s R(angle) u, with u uniform on [-1, 1]^2 and p(z) proportional to
exp(-|z_1|^p - |z_2|^p), Eq. 5.
"""

from math import lgamma, log

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.optimize import minimize_scalar


def moment(p: float, angle: float) -> float:
    """E |z_1|^p + |z_2|^p at s = 1; the angle is in radians.

    Both coordinates are distributed as a u_1 + b u_2 with a = |cos| and b = |sin|. This density is
    a trapezium, whose p-th absolute moment is (a + b)^(p + 2) - |a - b|^(p + 2) divided by
    2 a b (p + 1)(p + 2).
    """
    a, b = abs(np.cos(angle)), abs(np.sin(angle))
    if min(a, b) < 1e-4:  # the square is along the axes, where the formula is 0 / 0
        return 2 / (p + 1)
    ends = (a + b) ** (p + 2) - abs(a - b) ** (p + 2)
    return float(ends / (a * b * (p + 1) * (p + 2)))


def misfit(p: float, angle: float) -> float:
    """The KL in nats from the code's distribution to the prior, at the best scale s.

    With the moment m and the log normaliser c of a unit, it is -log 4 - 2 log s + s^p m + 2 c,
    which is least at s^p = 2 / (p m).
    """
    normaliser = log(2) + lgamma(1 + 1 / p)
    return 2 / p * (1 + log(p * moment(p, angle) / 2)) + 2 * normaliser - log(4)


def warped_misfit(p: float, bend: float, n: int = 400) -> float:
    """The KL at angle 0 after each coordinate is bent on its own: u -> u (1 + bend |u|^4).

    Bending changes the volume, so the mean of log s (1 + 5 bend |u|^4) enters the KL. The map must
    be increasing: a bend below -1/5 makes no sense.
    """
    nodes, weights = leggauss(n)
    u, mass = (nodes + 1) / 2, weights / 2
    slope = np.log1p(5 * bend * u**4)
    power = float(mass @ (u * (1 + bend * u**4)) ** p)
    unit = (1 + log(p * power)) / p + log(2) + lgamma(1 + 1 / p) - float(mass @ slope) - log(2)
    return 2 * unit


def best_warped_misfit(p: float) -> float:
    """The least `warped_misfit` over all bends."""
    found = minimize_scalar(lambda b: warped_misfit(p, b), bounds=(-0.19, 60.0), method="bounded")
    return float(found.fun)
