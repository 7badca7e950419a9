import numpy as np
import pytest

from gordium.datasets import InMemory, Shapes3D, in_memory
from gordium.datasets.variants import in_memory as module

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


@pytest.mark.parametrize(
    ("free", "limit"),
    # An eighth of what is free, and at least 512 MB.
    [(0, 1 << 29), (1 << 30, 1 << 29), (1 << 32, 1 << 29), (1 << 34, 1 << 31)],
)
def test_the_limit_follows_the_memory_that_is_free(free, limit, monkeypatch):
    monkeypatch.setattr(module, "free_memory", lambda: free)

    class Big:
        itemsize, is_in_memory = 1, False

        def __init__(self, n):
            self.image_shape, self.n = (1, 1, n), n

        def __len__(self):
            return 1

    class Read(Exception):
        pass

    def stop(*_):
        raise Read

    monkeypatch.setattr(module.np, "empty", stop)
    with pytest.raises(Read):
        in_memory(Big(limit))
    above = Big(limit + 1)
    assert in_memory(above) is above


def test_the_free_memory_is_told_or_0(monkeypatch):
    assert module.free_memory() > 1 << 20
    monkeypatch.delattr("os.sysconf")
    assert module.free_memory() == 0
