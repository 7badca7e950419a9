"""The ISA-VAE (Stühmer et al. 2020), whose prior has independent subspaces."""

from dataclasses import dataclass
from typing import Any, ClassVar

from torch import Generator, Tensor

from gordium.checks import check_positive, check_weights
from gordium.fields import added
from gordium.methods.base import Context, Forward, Loss, Method, weighted_sum
from gordium.methods.terms import log_normal, reconstruction
from gordium.priors import NestedPrior, TreePrior, check_layout, make_tree, subspace_sizes

Prior = NestedPrior | TreePrior


@dataclass(frozen=True, kw_only=True)
class ISAVAE(Method):
    """L_rec + beta (log q(z | x) - log p_ISA(z)), Eq. 12 of Stühmer et al. 2020.

    `layout` is the largest size of a subspace (20 units give the paper's 5 x 4), or the size of
    each. `p0` is the exponent over subspaces. `p` is the exponent within them: by default 2.2 as
    for dSprites; learned ones start from 2.0 by default and are recorded as p1, p2, ...
    With exponents of 2 the prior is normal with variance `scale` / 2. `p_rate` is the learning
    rate of learned exponents; by default it is the run's own, as in the paper (its code has 5e-4).
    `tree` nests deeper (`make_tree`) and replaces `layout`, `p0` and `p`.
    """

    primary: ClassVar[str | None] = "beta"

    beta: float = 1.0
    layout: int | tuple[int, ...] = 4
    p0: float = 2.1
    p: float | None = None
    learn_p: bool = False
    learn_p0: bool = False
    scale: float = 2.0
    p_rate: float | None = None
    tree: tuple[Any, ...] | None = added(None)

    def __post_init__(self) -> None:
        check_weights(beta=self.beta)
        check_layout(self.layout)
        if self.tree is not None:
            self._check_tree()
        check_positive(p0=self.p0, p=self._start, scale=self.scale)
        if self.p_rate is not None:
            check_positive(p_rate=self.p_rate)
            if not (self.learn_p or self.learn_p0):
                raise ValueError("p_rate is for learned exponents: set learn_p or learn_p0.")

    @property
    def parts_rate(self) -> float | None:
        return self.p_rate

    @property
    def _start(self) -> float:
        if self.p is not None:
            return self.p
        return 2.0 if self.learn_p else 2.2

    def _check_tree(self) -> None:
        if (self.layout, self.p0, self.p) != (ISAVAE.layout, ISAVAE.p0, ISAVAE.p):
            raise ValueError("tree has sizes and exponents of its own: leave out layout, p0 and p.")
        # From JSON it comes as lists, which have no hash.
        object.__setattr__(self, "tree", make_tree(self.tree or ()).to_tuple())

    def parts(self, latent_dim: int, weights: Generator) -> Prior:
        learned = {"learn_p0": self.learn_p0, "learn_p": self.learn_p}
        if self.tree is not None:
            tree = make_tree(self.tree)
            if tree.n != latent_dim:
                raise ValueError(
                    f"tree has {tree.n} coordinates, but latent_dim is {latent_dim}: they must "
                    "be equal."
                )
            return TreePrior(tree, scale=self.scale, **learned)
        sizes = subspace_sizes(self.layout, latent_dim)
        return NestedPrior(sizes, self.p0, self._start, scale=self.scale, **learned)

    def __call__(self, out: Forward, context: Context) -> Loss:
        return loss_with_prior(out, self.beta)


def loss_with_prior(out: Forward, beta: float) -> Loss:
    """The loss of Eq. 12 with the prior that the model is trained with."""
    prior = out.model.parts
    if not isinstance(prior, Prior):
        raise TypeError("the model has no prior: set model.parts = method.parts(...).")
    kl = monte_carlo_kl(out, prior)
    loss = weighted_sum(reconstruction=(1.0, reconstruction(out)), kl=(beta, kl))
    return Loss(loss.total, {**loss.terms, **prior.read_learned()})


def monte_carlo_kl(out: Forward, prior: Prior) -> Tensor:
    """log q(z | x) - log p(z) at the decoded sample, averaged: the KL term of Eq. 12."""
    posterior = log_normal(out.z, out.mean, out.log_variance).sum(dim=1)
    return (posterior - prior.density().log_density(out.z)).mean()
