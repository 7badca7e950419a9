"""Toys as small meshes: animals, people, airplanes, trucks and cars, with random measures.

They look along x and stand on the ground; lengths are roughly in metres.
"""

from collections.abc import Callable

import numpy as np

from gordium.datasets.rendering.cars import GLASS, RUBBER, TRIM, car_mesh, shadow, wheel
from gordium.datasets.rendering.meshes import (
    Floats,
    Mesh,
    ball,
    box,
    join,
    patch,
    polygon,
    prism,
    sides,
    transform,
    tube,
)

Draws = np.random.Generator
GREY, DARK, LIGHT, SHADE = 0.62, 0.32, 0.8, 0.6
FORWARD, UP = np.array([1.0, 0, 0]), np.array([0, 0, 1.0])


def animal(rng: Draws) -> Mesh:
    """A trunk on four legs, with neck, head, ears and tail."""
    length, fat, leg, neck, head = rng.uniform(
        [0.75, 0.30, 0.45, 0.15, 0.22], [1.15, 0.52, 1.0, 0.95, 0.34]
    )
    rise, snout, ear, tail = rng.uniform([0.35, 0.20, 0.10, 0.3], [1.3, 0.45, 0.26, 0.8])
    back = leg + 0.8 * fat
    hip = 0.75 * length
    legs = [
        tube([(x, y, 0), (x, y, back - 0.2)], (0.09, 0.14), GREY)
        for x in (hip, -hip)
        for y in (0.6 * fat, -0.6 * fat)
    ]
    shoulder = np.array([0.85 * length, 0, back + 0.1])
    skull = shoulder + (neck + head) * np.array([np.cos(rise), 0, np.sin(rise)])
    mouth = skull + np.array([head + snout, 0, -0.35 * head])
    ears = [
        ball(skull + head * np.array([-0.3, side * 0.7, 0.8]), (0.06, 0.08, ear), GREY, 6)
        for side in (-1, 1)
    ]
    parts = [
        ball((0, 0, back), (1.15 * length, fat, fat), GREY),
        tube([shoulder - (0.25, 0, 0.1), skull], (0.7 * fat, 0.75 * head), GREY),
        ball(skull, head, GREY, 10),
        tube([skull, mouth], (0.75 * head, 0.45 * head), GREY, cap=DARK),
        tube([(-1.1 * length, 0, back), (-1.1 * length - 0.5 * tail, 0, back - tail)], 0.06, GREY),
    ]
    return join([*parts, *legs, *ears, shadow(1.2 * length, 1.1 * fat, SHADE)])


def human(rng: Draws) -> Mesh:
    """A person with arms at any height, legs together or in step, and perhaps a hat."""
    leg, trunk, wide, head = rng.uniform([0.8, 0.6, 0.22, 0.17], [1.05, 0.8, 0.34, 0.24])
    step, left, right, bend = rng.uniform([0, -1.3, -1.3, 0.1], [0.5, 1.3, 1.0, 0.8])
    shoulder, hat = leg + trunk, rng.random() < 0.4
    parts = [
        ball((0, 0, leg + 0.5 * trunk), (0.19, 0.9 * wide, 0.62 * trunk), GREY, 10),
        tube([(0, -wide, shoulder - 0.05), (0, wide, shoulder - 0.05)], 0.12, GREY),
        tube([(0, 0, shoulder - 0.1), (0, 0, shoulder + 0.15)], 0.09, LIGHT),
        ball((0, 0, shoulder + 0.1 + head), (head, 0.85 * head, 1.15 * head), LIGHT, 10),
    ]
    for side, lift in ((1, left), (-1, right)):
        joint = np.array([0, side * (wide + 0.06), shoulder - 0.05])
        elbow = joint + 0.38 * np.array([0.2, side * np.cos(lift), np.sin(lift)])
        hand = elbow + 0.36 * np.array([bend, side * 0.3, np.sin(lift) * 0.9])
        foot = np.array([side * step, side * 0.16, 0.06])
        parts += [
            tube([joint, elbow], (0.1, 0.085), GREY, n=10),
            tube([elbow, hand], (0.085, 0.07), GREY, n=10),
            ball(hand, 0.09, LIGHT, 6),
            tube(np.array([foot, (0, side * 0.12, leg)]), (0.1, 0.15), DARK, n=10),
            ball(foot + 0.08 * FORWARD, (0.2, 0.09, 0.08), DARK, 6),
        ]
    if hat:
        top = shoulder + 0.1 + 1.75 * head
        parts.append(tube([(0, 0, top), (0, 0, top + 0.04)], 1.6 * head, DARK))
        parts.append(tube([(0, 0, top), (0, 0, top + 0.25)], (0.95 * head, 0.8 * head), DARK))
    return transform(join([*parts, shadow(0.5, 0.5, SHADE)]), scale=1.15)


def airplane(rng: Draws) -> Mesh:
    """A hull with wings, a tail and engines, on three short legs."""
    half, hull, span, chord = rng.uniform([1.3, 0.17, 1.1, 0.4], [1.8, 0.3, 1.9, 0.65])
    sweep, place, fin, low = rng.uniform([0.0, -0.2, 0.35, -0.6], [0.8, 0.3, 0.6, 0.6])
    height = 0.35 + hull
    wings = height + low * hull
    foot, tip = height + 0.3 * hull, height + 0.3 * hull + fin
    tail = [(-0.98 * half, foot), (-0.6 * half, foot), (-0.85 * half, tip), (-half, tip)]
    parts = [
        tube([(-0.55 * half, 0, height), (0.7 * half, 0, height)], hull, GREY),
        ball((0.7 * half, 0, height), (0.3 * half, hull, hull), GREY),
        tube([(-half, 0, height + 0.4 * hull), (-0.55 * half, 0, height)], (0.06, hull), GREY),
        ball((0.72 * half, 0, height + 0.5 * hull), (0.16 * half, 0.6 * hull, 0.5 * hull), DARK, 8),
        _wing((place, wings), span, (chord, 0.5 * chord, sweep)),
        _wing((-0.85 * half, height + 0.4 * hull), 0.4 * span, (0.3, 0.18, 0.25)),
        prism(tail, 0.03, LIGHT),
    ]
    if rng.random() < 0.7:
        at = place + 0.3 * chord - 0.35 * sweep
        parts += [
            tube([(at - 0.4, y, wings - 0.1), (at + 0.25, y, wings - 0.1)], 0.12, DARK, cap=LIGHT)
            for y in (0.42 * span, -0.42 * span)
        ]
    else:
        parts.append(box((half, -0.45, height - 0.05), (half + 0.03, 0.45, height + 0.05), DARK))
    legs = [(0.6 * half, 0), (place, 0.2 * span), (place, -0.2 * span)]
    parts += [tube([(x, y, 0), (x, y, height)], 0.05, DARK, n=8) for x, y in legs]
    return join([*parts, shadow(half, 0.35 * half, SHADE)])


def _wing(place: tuple[float, float], span: float, shape: tuple[float, float, float]) -> Mesh:
    """Both wings: thin plates that are narrower and further back at their tips."""
    x, z = place
    root, tip, sweep = shape
    along = [x - 0.5 * root, x + 0.5 * root, x + 0.5 * tip - sweep, x - 0.5 * tip - sweep]
    across = np.array([0, 0, span, span])
    right, left = (np.column_stack([along, side * across, np.full(4, z)]) for side in (-1, 1))
    return join([_plate(right[::-1]), _plate(left)])


def _plate(corners: Floats) -> Mesh:
    """A flat polygon, counter-clockwise seen from above, given some thickness."""
    top, bottom = corners + 0.05 * UP, corners - 0.05 * UP
    n = len(corners)
    rims = [polygon([bottom[i - 1], bottom[i], top[i], top[i - 1]], GREY) for i in range(n)]
    return join([polygon(top, GREY), polygon(bottom[::-1], GREY), *rims])


def truck(rng: Draws) -> Mesh:
    """A cab in front of a load, which is a box, a tank or an open bed."""
    half, width, cab, top = rng.uniform([1.7, 0.7, 0.8, 1.4], [2.3, 0.9, 1.1, 1.8])
    radius, load, kind = rng.uniform(0.3, 0.4), rng.uniform(1.3, 2.0), rng.integers(3)
    front = half - cab
    outline = [(front, 0.4), (half, 0.4), (half, 1.0), (half - 0.3, top), (front, top)]
    right, left = sides(outline, 0.95 * width)
    screen = [right[2], left[2], left[3], right[3]]
    door = [(front + 0.1, 1.0), (half - 0.15, 1.0), (half - 0.35, top), (front + 0.1, top)]
    near, far = sides(door, 0.96 * width)
    panes = [patch(q, (0.1, 0.9), (0.1, 0.85), 0.15) for q in (near, far[[1, 0, 3, 2]])]
    parts = [
        prism(outline, 0.95 * width, GREY),
        patch(screen, (0.08, 0.92), (0.1, 0.9), 0.15),
        box((-half, -0.9 * width, 0.4), (front, 0.9 * width, 0.6), DARK),
        *panes,
        *_load(("box", "tank", "bed")[kind], (-half, front - 0.12), width, load),
    ]
    places = (0.68 * half, -0.45 * half, -0.8 * half)
    wheels = [wheel(x, y, radius) for x in places for y in (width, -width)]
    return join([*parts, *wheels, shadow(1.05 * half, 1.1 * width, SHADE)])


def _load(kind: str, along: tuple[float, float], width: float, top: float) -> list[Mesh]:
    back, front = along
    if kind == "box":
        return [box((back, -width, 0.6), (front, width, top), LIGHT)]
    if kind == "tank":
        radius = min(0.45 * top, width)
        return [tube([(back, 0, 0.6 + radius), (front, 0, 0.6 + radius)], radius, LIGHT, n=24)]
    return [
        box((back, -width, 0.6), (front, -width + 0.08, 1.1), LIGHT),
        box((back, width - 0.08, 0.6), (front, width, 1.1), LIGHT),
        box((back, -width, 0.6), (back + 0.08, width, 1.1), LIGHT),
        box((front - 0.08, -width, 0.6), (front, width, 1.3), LIGHT),
    ]


def car(rng: Draws) -> Mesh:
    """One of the cars of `Cars3DLike`, in grey."""
    mesh = car_mesh(int(rng.integers(183)))
    grey = 0.2 + 0.8 * mesh.colours @ np.array([0.3, 0.59, 0.11])
    is_paint = ~np.isin(mesh.colours[:, 0], [c[0] for c in (GLASS, RUBBER, TRIM)])
    grey = np.where(is_paint, grey.clip(0.5), grey)
    return mesh._replace(colours=grey[:, None].repeat(3, axis=1))


TOYS: tuple[Callable[[Draws], Mesh], ...] = (animal, human, airplane, truck, car)
