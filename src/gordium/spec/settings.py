"""How a method is trained, as a value."""

from dataclasses import dataclass, field

from gordium.checks import MOST_UNITS, check_least, check_most
from gordium.fields import added
from gordium.lookup import pick
from gordium.networks import INITIAL, LIKELIHOODS, Architecture, Convolutional
from gordium.optimisers import Adam, OptimiserSettings

PRECISIONS = ("float32", "bfloat16")
MOST_STEPS = 10**12  # a machine would need centuries; a larger number is a slip of the pen
MOST_IN_BATCH = 2**24


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a method is trained. Give `steps`, or `epochs` of passes through the whole data set.

    `precision` may be bfloat16 (automatic mixed precision) and the networks may be `compiled`:
    faster on accelerators, with other rounding, see `gordium.training.accelerate`. Weights
    start as `initial` says: "glorot", with biases of zero, or "torch", as PyTorch makes a layer.
    """

    latent_dim: int
    steps: int | None = None
    epochs: int | None = None
    seed: int = 0
    batch_size: int = 64
    architecture: Architecture = field(default_factory=Convolutional)
    likelihood: str = "bernoulli"
    optimiser: OptimiserSettings = field(default_factory=Adam)
    precision: str = added("float32")
    compiled: bool = added(False)
    initial: str = added("glorot")

    def __post_init__(self) -> None:
        if (self.steps is None) == (self.epochs is None):
            raise ValueError("give either steps or epochs, and not both.")
        check_least(1, latent_dim=self.latent_dim, steps=self.steps)
        check_least(1, epochs=self.epochs, batch_size=self.batch_size)
        check_most(MOST_STEPS, steps=self.steps, epochs=self.epochs)
        check_most(MOST_IN_BATCH, batch_size=self.batch_size)
        check_most(MOST_UNITS, latent_dim=self.latent_dim)
        check_least(0, seed=self.seed)
        pick("likelihood", self.likelihood, LIKELIHOODS)
        pick("initial", self.initial, INITIAL)
        pick("precision", self.precision, dict.fromkeys(PRECISIONS))

    def n_steps(self, n_images: int) -> int:
        """How many steps these settings ask for on a data set of `n_images`."""
        if self.steps is not None:
            return self.steps
        return (self.epochs or 0) * -(-n_images // self.batch_size)
