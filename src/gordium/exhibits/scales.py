"""The headline experiment at four sizes, from seconds to the published protocol."""

from collections.abc import Callable

from gordium.datasets import Dataset, load_dataset
from gordium.exhibits.experiment import Experiment
from gordium.manipulation import ManipulationSettings
from gordium.methods import BetaVAE
from gordium.networks import Convolutional, Mlp
from gordium.training import Adam, Settings


def smoke() -> Experiment:
    """Seconds: every part runs, nothing is shown."""
    return Experiment(
        dataset=_small_room(16),
        method=BetaVAE(beta=0.01),
        settings=Settings(
            latent_dim=2,
            steps=100,
            architecture=Mlp((64,), (64,)),
            optimiser=Adam(learning_rate=1e-2),
        ),
        search_seeds=(0, 1, 2),
        fresh_seeds=(3, 4),
        pairs=1,
        epsilon=0.175,
        manipulation=ManipulationSettings(steps=4, batch_size=8),
    )


def demo() -> Experiment:
    """Within half an hour on two cores: two factors, two latent units, 32 x 32 pixels."""
    return Experiment(
        dataset=_small_room(32),
        method=BetaVAE(beta=16.0),
        settings=Settings(
            latent_dim=2,
            steps=2000,
            architecture=Convolutional(width=0.5),
            optimiser=Adam(learning_rate=1e-3),
        ),
        search_seeds=tuple(range(6)),
        fresh_seeds=(100, 101, 102),
        pairs=2,
        epsilon=0.175,
        manipulation=ManipulationSettings(steps=600, batch_size=16),
    )


def laptop() -> Experiment:
    return demo()


def paper() -> Experiment:
    """The published protocol: all of Shapes3D, beta 32, six latent units, four pairs.

    The number of search seeds and of manipulator steps is not published; these are ours.
    """
    return Experiment(
        dataset=load_dataset("shapes3d"),
        method=BetaVAE(beta=32.0),
        settings=Settings(latent_dim=6, steps=300_000),
        search_seeds=tuple(range(10)),
        fresh_seeds=tuple(range(100, 110)),
        pairs=4,
        epsilon=0.175,
        manipulation=ManipulationSettings(steps=20_000),
    )


def _small_room(size: int) -> Dataset:
    return load_dataset("shapes3d", size=size).hold(floor_hue=0, wall_hue=5, object_hue=8, shape=0)


SCALES: dict[str, Callable[[], Experiment]] = {
    scale.__name__: scale for scale in (smoke, demo, laptop, paper)
}
