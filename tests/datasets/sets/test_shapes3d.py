import numpy as np
import pytest

from gordium.datasets import Shapes3D
from gordium.datasets.rendering.room import buffers
from gordium.datasets.rendering.solids import SOLIDS, nearest_hit

RED, CYAN = 0, 5
CUBE, CYLINDER, BALL, CAPSULE = range(4)


def one_image(size=64, **values):
    dataset = Shapes3D(size)
    row = [values.get(factor.name, 0) for factor in dataset.factors]
    return dataset.images(dataset.index_of([row]))[0].astype(int)


def test_genuine_images_are_met_within_3_levels(reference):
    genuine = np.load(reference / "shapes3d" / "genuine_30.npz")
    dataset = Shapes3D()
    rendered = dataset.images(dataset.index_of(genuine["factors"])).transpose(0, 2, 3, 1)
    assert np.abs(rendered.astype(float) - genuine["images"]).mean() <= 3.0


def test_the_grid_is_the_published_one():
    names = ["floor_hue", "wall_hue", "object_hue", "scale", "shape", "orientation"]
    assert [factor.name for factor in Shapes3D().factors] == names
    assert [factor.size for factor in Shapes3D().factors] == [10, 10, 10, 8, 4, 15]
    assert len(Shapes3D()) == 480_000


def test_the_sky_is_above_and_the_hues_are_where_they_belong():
    image = one_image(floor_hue=RED, wall_hue=CYAN, object_hue=6, shape=BALL, orientation=7)
    assert image[:, 0, 0].tolist() == [153, 226, 249]
    wall, floor, ball = image[:, 25, 4], image[:, 60, 4], image[:, 40, 32]
    assert wall[0] == 0 < wall[1] == wall[2]  # cyan
    assert floor[0] > 0 == floor[1] == floor[2]  # red
    assert ball[2] > ball[1] > ball[0] > 0  # blue, with a grey shine


def test_the_object_grows_with_scale():
    background = one_image(object_hue=RED, orientation=7)
    areas = [
        (one_image(object_hue=CYAN, scale=s, orientation=7) != background).any(axis=0).sum()
        for s in (0, 7)
    ]
    # The first count is the small cube itself; the large one covers (1.25 / 0.75)^2 as much,
    # and the small cube's own red pixels count in the second as well.
    assert areas[1] > 2.5 * areas[0]


def test_the_corner_is_on_the_right_at_the_first_orientation():
    image = one_image(wall_hue=RED, orientation=0)[0, 25]  # red along a row of wall pixels
    assert np.abs(np.diff(image[40:])).max() > 40 > np.abs(np.diff(image[:20])).max()


@pytest.mark.parametrize("size", [16, 128])
def test_other_sizes_show_the_same_scene(size):
    def pooled(side):
        channels = next(buffers(side))
        return channels.reshape(*channels.shape[:3], 16, side // 16, 16, side // 16).mean((4, 6))

    assert np.abs(pooled(size) - pooled(64)).mean() < 0.005


def test_any_size_can_be_composed():
    assert one_image(37, shape=CAPSULE).shape == (3, 37, 37)


@pytest.mark.parametrize(("shape", "depth"), [(CUBE, 0.161), (CYLINDER, 0.1655), (CAPSULE, 0.151)])
def test_a_level_ray_meets_a_solid_at_its_half_depth(shape, depth):
    origin, direction = np.array([[0], [-1], [0.2]]), np.array([[0.0], [1], [0]])
    distance, normal = nearest_hit(SOLIDS[shape], 1.0, origin, direction)
    assert distance == pytest.approx(1 - depth, abs=1e-6)
    assert normal[:, 0] == pytest.approx([0, -1, 0], abs=1e-6)


def test_a_ray_from_above_meets_the_top():
    origin, direction = np.array([[0.0], [0], [2]]), np.array([[0.0], [0], [-1]])
    for solid, height in zip(SOLIDS, (0.322, 0.346, 0.3932, 0.618), strict=True):
        with np.errstate(divide="ignore", invalid="ignore"):
            distance, _ = nearest_hit(solid, 0.5, origin + 1e-9, direction + 1e-9)
        assert distance == pytest.approx(2 - height / 2, abs=1e-6)


def test_a_cache_that_cannot_be_written_changes_nothing(tmp_path, monkeypatch):
    expected = Shapes3D(16).images(range(50))
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "file" / "cache"))
    assert np.array_equal(Shapes3D(16).images(range(50)), expected)
