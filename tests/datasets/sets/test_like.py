"""The stand-ins for Cars3D, SmallNORB and 3D Faces: the same grids, and scenes that make sense."""

import numpy as np
import pytest

from gordium.datasets import (
    Cars3D,
    Cars3DLike,
    Faces3D,
    Faces3DLike,
    SmallNORB,
    SmallNORBLike,
    from_declaration,
    load_dataset,
)
from gordium.datasets.rendering.camera import Camera, draw, look
from gordium.datasets.rendering.cars import car_mesh
from gordium.datasets.rendering.heads import head
from gordium.datasets.rendering.meshes import ball, box, join, tube
from gordium.datasets.rendering.toys import TOYS

PAIRS = [(Cars3DLike, Cars3D), (SmallNORBLike, SmallNORB), (Faces3DLike, Faces3D)]
CLOSED = {
    "ball": ball((1, 2, 3), (1, 2, 0.5), 1),
    "box": box((0, -1, 0), (2, 3, 1), 1),
    "tube": tube([(0, 0, 0), (1, 2, 2)], (1, 0.5), 1),
}


def images_of(dataset, **values):
    """Images along the factor that is given no value; the others rest at 0 or what is given."""
    (free,) = [f for f in dataset.factors if values.get(f.name, 0) is None]
    rows = np.array([[values.get(f.name) or 0 for f in dataset.factors]] * free.size)
    rows[:, dataset.factors.index(free)] = np.arange(free.size)
    return dataset.images(dataset.index_of(rows)).astype(int)


@pytest.mark.parametrize(("like", "published"), PAIRS)
def test_a_stand_in_has_the_factors_and_the_shape_of_the_published_set(like, published):
    made = like()
    assert made.factors == published.grid()
    assert made.image_shape == (published.channels, 64, 64)


@pytest.mark.parametrize("name", ["cars3d-like", "smallnorb-like", "faces3d-like"])
def test_a_stand_in_has_no_other_source(name):
    with pytest.raises(ValueError, match="source must be 'rendered'; got 'official'"):
        load_dataset(name, source="official")
    assert from_declaration(load_dataset(name, size=20).declaration) == load_dataset(name, size=20)


@pytest.mark.parametrize("shape", CLOSED)
def test_normals_of_a_closed_mesh_point_outward(shape):
    mesh = CLOSED[shape]
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    across = np.cross(b - a, c - a)
    # Areas that face each way cancel, and the volume that they enclose is above 0.
    assert np.allclose(across.sum(axis=0), 0, atol=1e-9)
    assert (a * across).sum() > 0
    assert (across * mesh.normals[mesh.triangles[:, 0]]).sum(axis=1).min() > -1e-9


def test_a_square_before_the_camera_has_the_size_it_should_and_hides_what_is_behind_it():
    # A face one unit wide, at the target's distance: half of an image with zoom 1/2.
    near = box((-0.5, 0, -0.5), (0.5, 1, 0.5), (1, 0, 0))
    far = box((-0.5, 3, -0.5), (0.5, 4, 0.5), (0, 1, 0))
    for parts in ([near, far], [far, near]):
        mesh = join(parts)
        seen = look(mesh, Camera((0, 0, 0), 10, 0.5), [0.0], [0.0]).seen
        (image,) = draw(mesh, seen, mesh.colours[None], (0, 0, 1), 16)
        square = np.zeros((16, 16))
        square[4:12, 4:12] = 1
        assert np.allclose(image, [square, 0 * square, 1 - square], atol=1e-5)


@pytest.mark.parametrize("angle", [0.0, 1.0, 2.5])
def test_a_turn_of_the_mesh_and_a_view_from_above_are_rotations(angle):
    mesh = box((-1, -1, -1), (1, 1, 1), 1)
    camera = Camera((0, 0, 0), 1e6, 1)  # from so far that nothing looks smaller for its distance
    seen = look(mesh, camera, [angle], [0.3]).seen[0, :, :2] - 0.5
    # The eight corners' distances in the plane and along the view add up to 3 each.
    assert ((seen**2).sum(axis=1) <= 3 + 1e-4).all()
    assert np.allclose((seen**2).sum(axis=0)[0], (mesh.points[:, 0] ** 2).sum(), rtol=1e-3)


def test_every_toy_car_and_head_is_its_own():
    meshes = [car_mesh(i) for i in range(20)]
    meshes += [head(np.random.default_rng([50, i])) for i in range(5)]
    meshes += [toy(np.random.default_rng([i, 0])) for i, toy in enumerate(TOYS)]
    assert len({mesh.points.tobytes() for mesh in meshes}) == len(meshes)
    assert all(np.isfinite(mesh.points).all() for mesh in meshes)
    assert all(np.allclose(np.linalg.norm(mesh.normals, axis=1), 1) for mesh in meshes)


def test_cars_stand_before_white_and_are_longer_than_wide():
    views = images_of(Cars3DLike(size=16), azimuth=None, car=4)
    assert (views[:, :, 0] == 255).all()
    assert ((views != 255).any(axis=1).sum(axis=(1, 2)) > 25).all()
    # A car is as long seen from one side as from the other, and shorter from its front.
    lengths = [(view != 255).any(axis=(0, 1)).sum() for view in views]
    assert lengths[0] == lengths[12] > lengths[6]


def test_a_face_is_brightest_on_the_side_of_the_light():
    faces = images_of(Faces3DLike(size=16), lighting=None, azimuth=10, elevation=5, identity=3)
    left, right = (faces[:, 0, 5:12, part].mean(axis=(1, 2)) for part in (slice(8), slice(8, 16)))
    assert (left[:5] > right[:5] + 5).all()
    assert np.allclose(left, right[::-1], atol=2)  # a head is its own mirror image


def test_light_changes_toys_but_not_what_is_behind_them():
    toys = images_of(SmallNORBLike(size=16), lighting=None, category=3)
    assert (toys[:, 0, 0] == toys[0, 0, 0, 0]).all()
    assert len({toy.tobytes() for toy in toys}) == 6
