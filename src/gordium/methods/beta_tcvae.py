"""The beta-TCVAE (Chen et al. 2018): the KL term in three parts, each with its weight."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, final

import torch
from torch import Tensor

from gordium.checks import check_weights
from gordium.lookup import pick
from gordium.methods.base import Context, Forward, Loss, Method, weighted_sum
from gordium.methods.terms import log_normal, mean_kl, reconstruction
from gordium.networks import Posterior


@final
@dataclass(frozen=True, kw_only=True)
class BetaTCVAE(Method):
    """L_rec + alpha I(z; n) + beta TC(z) + gamma sum_j KL(q(z_j) || p(z_j)): Eq. 4 of Chen et al.

    q(z) is estimated from the batch: `estimator` is "weighted" (Eq. 3), "stratified" (the
    paper's appendix) or "even" (the stratified one with the least variance).
    The three estimates add up to a sampled KL; with `analytic_kl`, alpha times the closed-form KL
    replaces alpha times this sum. With the default alpha and gamma this is the large study's
    KL + (beta - 1) TC, up to a constant that the study leaves out.
    """

    primary: ClassVar[str | None] = "beta"

    alpha: float = 1.0
    beta: float = 6.0
    gamma: float = 1.0
    estimator: str = "weighted"
    analytic_kl: bool = False

    def __post_init__(self) -> None:
        check_weights(alpha=self.alpha, beta=self.beta, gamma=self.gamma)
        pick("estimator", self.estimator, ESTIMATORS)

    def __call__(self, out: Forward, context: Context) -> Loss:
        weights = ESTIMATORS[self.estimator](len(out.z), context.n_images)
        parts = decomposition(out.z, out.posterior, weights.to(out.z))
        plain = {"reconstruction": (1.0, reconstruction(out))}
        if self.analytic_kl:
            return weighted_sum(
                **plain,
                kl=(self.alpha, mean_kl(out)),
                total_correlation=(self.beta - self.alpha, parts.total_correlation),
                dimension_wise_kl=(self.gamma - self.alpha, parts.dimension_wise_kl),
            )
        weighted = zip((self.alpha, self.beta, self.gamma), parts, strict=True)
        return weighted_sum(**plain, **dict(zip(Decomposition._fields, weighted, strict=True)))


class Decomposition(NamedTuple):
    """The parts of E_n KL(q(z | n) || p(z)), Eq. 2 of Chen et al. 2018; they add up to it."""

    mutual_information: Tensor
    total_correlation: Tensor
    dimension_wise_kl: Tensor


def decomposition(z: Tensor, posterior: Posterior, weights: Tensor) -> Decomposition:
    """Estimate each part from one sample per image; z_i is drawn from posterior i.

    q(z_i) is estimated as sum_j weights[i, j] q(z_i | n_j), and likewise for each latent unit.
    """
    each = log_normal(z[:, None], posterior.mean, posterior.log_variance)
    own = each.diagonal().sum(dim=0)
    log_weights = weights.log()
    joint = torch.logsumexp(each.sum(dim=2) + log_weights, dim=1)
    product = torch.logsumexp(each + log_weights[:, :, None], dim=1).sum(dim=1)
    prior = log_normal(z, torch.zeros_like(z), torch.zeros_like(z)).sum(dim=1)
    return Decomposition((own - joint).mean(), (joint - product).mean(), (product - prior).mean())


def weigh_minibatch(n: int, n_images: int) -> Tensor:
    """Minibatch-weighted sampling, Eq. 3: 1 / (N n) for every image of a batch of n.

    On average its log q(z) is a lower bound; the rows do not sum to 1.
    """
    return torch.full((n, n), 1 / (n_images * n), dtype=torch.float64)


def weigh_strata(n: int, n_images: int) -> Tensor:
    """Minibatch-stratified sampling: weights of an image's own posterior and of M = n - 1 others.

    The image's own posterior is one of N components and always in the batch: weight 1/N. The
    others stand for the remaining (N - 1)/N of q(z). As in the paper's appendix, M - 1 of them
    have weight 1/M; the rest, (N - 1)/N - (M - 1)/M = (N - M)/(N M), goes to one of them, here
    the next. So rows sum to 1, and q(z) is unbiased if the n images differ.
    """
    others = _count_others(n, n_images)
    if not others:
        return torch.ones(1, 1, dtype=torch.float64)
    weights = torch.full((n, n), 1 / others, dtype=torch.float64)
    rows = torch.arange(n)
    weights[rows, (rows + 1) % n] = (n_images - others) / (n_images * others)
    return weights.fill_diagonal_(1 / n_images)


def weigh_evenly(n: int, n_images: int) -> Tensor:
    """Weight 1/N for an image's own component, and (N - 1)/(N M) for each of the M others.

    This is unbiased like `weigh_strata`. The others are exchangeable, so equal weights have the
    least variance; with the whole data set as a batch, q(z) is exact.
    """
    others = _count_others(n, n_images)
    if not others:
        return torch.ones(1, 1, dtype=torch.float64)
    weight = (n_images - 1) / (n_images * others)
    return torch.full((n, n), weight, dtype=torch.float64).fill_diagonal_(1 / n_images)


def _count_others(n: int, n_images: int) -> int:
    if n > n_images:
        raise ValueError(
            f"a stratified estimate needs different images, but a batch of {n} is drawn from "
            f"{n_images}. Use a smaller batch_size, or estimator='weighted'."
        )
    return n - 1


ESTIMATORS: dict[str, Callable[[int, int], Tensor]] = {
    "weighted": weigh_minibatch,
    "stratified": weigh_strata,
    "even": weigh_evenly,
}
