import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gordium.datasets import Modified, Shapes3D
from gordium.datasets.variants.reflect import add_change, reflect

BASE = Shapes3D(16)


class Uniform:
    """Noise of one seed, whatever the factors."""

    declaration = {"change": "uniform"}  # noqa: RUF012
    factors = BASE.factors

    def __init__(self, epsilon, image_shape=(3, 16, 16)):
        self.epsilon, self.image_shape = epsilon, image_shape
        self.seen = None

    def changes(self, factors):
        self.seen = factors
        rng = np.random.default_rng(0)
        size = (len(factors), *self.image_shape)
        return rng.uniform(-self.epsilon, self.epsilon, size).astype(np.float32)


def test_reflection_at_known_points():
    # 1.25 is a quarter above white, so a quarter below it; -0.25 likewise at black.
    x = np.array([-0.25, 0, 0.5, 1, 1.25], np.float32)
    assert reflect(x.copy()).tolist() == [0.25, 0, 0.5, 1, 0.75]


@given(arrays(np.float32, 20, elements=st.floats(-1, 2, width=32)))
def test_reflection_is_the_formula_of_the_paper(x):
    relu = lambda v: np.maximum(v, 0)  # noqa: E731
    folded = reflect(x.copy())
    assert folded == pytest.approx(x - 2 * relu(x - 1) + 2 * relu(-x), abs=1e-6)
    assert ((folded >= 0) & (folded <= 1)).all()


@given(
    arrays(np.uint8, 50),
    st.floats(0, 1, width=32).flatmap(
        lambda e: st.tuples(st.just(e), arrays(np.float32, 50, elements=st.floats(-e, e, width=32)))
    ),
)
def test_no_pixel_changes_by_more_than_epsilon_and_rounding(images, epsilon_and_change):
    epsilon, change = epsilon_and_change
    moved = np.abs(add_change(images, lambda part: change[part]).astype(float) - images) / 255
    assert moved.max() <= epsilon + 0.5 / 255 + 1e-6


def test_no_change_gives_every_grey_level_back():
    levels = np.arange(256, dtype=np.uint8)
    assert np.array_equal(
        add_change(levels, lambda part: np.zeros(len(levels[part]), np.float32)), levels
    )


def test_the_change_sees_the_factors_of_the_images():
    change = Uniform(0.1)
    images = Modified(BASE, change).images([7, 480_000 - 1])
    assert np.array_equal(change.seen, BASE.factors_at([7, 480_000 - 1]))
    moved = np.abs(images.astype(float) - BASE.images([7, 480_000 - 1])) / 255
    assert 0.09 < moved.max() <= 0.1 + 0.5 / 255


def test_a_change_of_another_size_is_refused():
    with pytest.raises(ValueError, match=r"the change gave .* made for another data set or size"):
        Modified(BASE, Uniform(0.1, (3, 8, 8))).images([0])


def test_a_change_made_for_other_factors_is_refused():
    with pytest.raises(ValueError, match=r"made for the factors floor_hue \(10\).* Hold the same"):
        Modified(BASE.hold(shape=0), Uniform(0.1))


def test_a_change_beyond_the_range_is_refused():
    with pytest.raises(ValueError, match=r"must lie in 0 to 1; got 1\.5"):
        Modified(BASE, Uniform(1.5))
