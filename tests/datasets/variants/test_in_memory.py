import numpy as np

from gordium.datasets import InMemory, Shapes3D, in_memory

HELD = Shapes3D(16).hold(floor_hue=1, wall_hue=2)
BYTES = 4800 * 3 * 16 * 16


def test_images_in_memory_are_the_same_images():
    cached = in_memory(HELD, limit_bytes=BYTES)
    assert isinstance(cached, InMemory)
    assert np.array_equal(cached.images(range(4800)), HELD.images(range(4800)))
    assert cached.declaration == HELD.declaration
    assert in_memory(cached) is cached


def test_a_set_over_the_limit_is_left_alone():
    assert in_memory(HELD, limit_bytes=BYTES - 1) is HELD


def test_writing_to_a_batch_leaves_the_table_alone():
    cached = in_memory(HELD)
    before = cached.images([3])
    cached.images([3])[:] = 0
    assert np.array_equal(cached.images([3]), before)
