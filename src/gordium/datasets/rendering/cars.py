"""Cars as small meshes: a body, a cabin with windows, and wheels; lengths in metres."""

import numpy as np
from numpy.typing import ArrayLike

from gordium.datasets.rendering.meshes import (
    Floats,
    Mesh,
    join,
    patch,
    polygon,
    prism,
    sides,
    tube,
)

GLASS, RUBBER, RIM, TRIM = (0.16, 0.21, 0.27), (0.09, 0.09, 0.1), (0.62, 0.63, 0.65), (0.2,) * 3
LAMP, TAIL, SHADOW = (0.95, 0.93, 0.75), (0.8, 0.1, 0.1), (0.66, 0.66, 0.68)
PAINTS = np.array(
    [
        *((0.80, 0.10, 0.10), (0.12, 0.25, 0.70), (0.85, 0.85, 0.87), (0.18, 0.18, 0.20)),
        *((0.95, 0.75, 0.10), (0.10, 0.50, 0.22), (0.55, 0.57, 0.60), (0.90, 0.42, 0.08)),
        *((0.35, 0.62, 0.82), (0.45, 0.10, 0.35), (0.50, 0.36, 0.20), (0.75, 0.70, 0.55)),
    ]
)


def car_mesh(number: int) -> Mesh:
    """Car `number`, whose measures are drawn from a generator with that seed."""
    rng = np.random.default_rng([183, number])
    # Half length, half width, belt, roof; bonnet, boot; slants of windscreen and rear window.
    low = [1.75, 0.76, 0.78, 1.25, 0.75, 0.05, 0.35, 0.10]
    high = [2.35, 0.92, 0.98, 1.75, 1.25, 1.00, 0.80, 0.70]
    half, width, belt, roof, bonnet, boot, slant, rear = rng.uniform(low, high)
    wheel, nose, tail = rng.uniform([0.28, 0.06, 0.0], [0.38, 0.24, 0.12])
    paint = (PAINTS[number % len(PAINTS)] + rng.uniform(-0.08, 0.08, 3)).clip(0.03, 0.97)
    roof_paint = paint if rng.random() < 0.8 else np.full(3, rng.choice([0.15, 0.9]))
    front, back = half - bonnet, boot - half
    body = _body(half, width, (belt, belt - nose, belt - tail), (front, back), paint)
    cabin = [(back, belt), (front, belt), (front - slant, roof), (back + min(rear, roof), roof)]
    return join([*body, *_cabin(cabin, width, roof_paint), *_wheels(half, width, wheel)])


def _body(
    half: float, width: float, heights: tuple[float, ...], cabin: tuple[float, ...], paint: Floats
) -> list[Mesh]:
    belt, nose, tail = heights
    front, back = cabin
    profile = [
        *((-half, 0.36), (-half + 0.15, 0.22), (half - 0.15, 0.22), (half, 0.34)),
        *((half, nose - 0.10), (half - 0.14, nose), (front, belt), (back, belt)),
        *((-half + 0.06, tail), (-half, tail - 0.14)),
    ]
    widths = width * np.array([0.92, 0.95, 0.95, 0.86, 0.86, 0.88, 0.97, 0.97, 0.93, 0.92])
    right, left = sides(profile, widths)
    ahead = [right[3], left[3], left[4], right[4]]
    behind = [left[0], right[0], right[9], left[9]]
    lamps = [patch(ahead, across, (0.55, 0.95), LAMP) for across in ((0.05, 0.26), (0.74, 0.95))]
    tails = [patch(behind, across, (0.55, 0.95), TAIL) for across in ((0.04, 0.24), (0.76, 0.96))]
    grille = patch(ahead, (0.32, 0.68), (0.35, 0.85), TRIM)
    return [prism(profile, widths, paint), *lamps, *tails, grille]


def _cabin(profile: list[tuple[float, float]], width: float, paint: Floats) -> list[Mesh]:
    """A cabin with a windscreen, a rear window and two windows on each side."""
    widths = width * np.array([0.95, 0.95, 0.76, 0.76])
    right, left = sides(profile, widths)
    flanks = (right, left[[1, 0, 3, 2]])
    panes = [patch(q, s, (0.08, 0.86), GLASS) for q in flanks for s in ((0.07, 0.48), (0.52, 0.93))]
    ahead = [right[1], left[1], left[2], right[2]]
    behind = [left[0], right[0], right[3], left[3]]
    ends = [patch(quad, (0.06, 0.94), (0.08, 0.9), GLASS) for quad in (ahead, behind)]
    return [prism(profile, widths, paint), *panes, *ends]


def _wheels(half: float, width: float, radius: float) -> list[Mesh]:
    """Four wheels, and the shadow on the ground."""
    parts = [wheel(0.62 * x, y, radius) for x in (half, -half) for y in (width, -width)]
    return [*parts, shadow(1.06 * half, 1.1 * width, SHADOW)]


def wheel(x: float, y: float, radius: float) -> Mesh:
    """A wheel at `y` to the left of the middle, or to the right if `y` is negative."""
    hub, across = np.array([x, y, radius]), np.array([0, np.sign(y), 0])
    arch = tube([hub - 0.3 * across, hub - 0.015 * across], 1.22 * radius, TRIM, n=20)
    tyre = tube([hub - 0.3 * across, hub + 0.02 * across], radius, RUBBER)
    return join([arch, tyre, tube([hub, hub + 0.035 * across], 0.6 * radius, RIM)])


def shadow(length: float, width: float, colour: ArrayLike) -> Mesh:
    """A shadow: an ellipse on the ground."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return polygon(
        np.stack([length * np.cos(turn), width * np.sin(turn), 0 * turn], axis=1), colour
    )
