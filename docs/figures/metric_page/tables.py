"""What perfect, rotated and useless codes get from every metric, and what leaves a score alone."""

from inspect import signature
from typing import Any

import numpy as np

from gordium.metrics import METRICS, PROPERTIES, UNSUPERVISED, udr
from metric_page.case import Array, grid, noise, rotation, standardised

DSPRITES, SHAPES3D = (3, 6, 40, 32, 32), (10, 10, 10, 8, 4, 15)
SLOW = {  # for the tests
    *("dci", "downstream", "explicitness", "infomec", "mig_aggregate_posterior"),
    *("beta_vae_score", "factor_vae_score"),
}
WIDTH = 0.01  # of the posteriors


def names() -> tuple[str, ...]:
    """The metrics of the tables: those that take seconds."""
    return (*(name for name in METRICS if not PROPERTIES[name].named_only), "udr")


def score(
    name: str, codes: Array, factors: Array, width: Any = WIDTH, nominal: tuple[int, ...] = ()
) -> float:
    """The headline of a metric; UDR is of the codes against three noisy, shuffled copies."""
    if name == "udr":
        return float(udr([codes[:1000], *_copies(codes[:1000])]).scores[0])
    options: dict[str, Any] = {}
    if name == "mig_aggregate_posterior":
        options["log_variances"] = np.broadcast_to(2 * np.log(width), codes.shape)
    if name == "disentanglement_score":
        options["nominal"] = nominal
    given = (codes,) if name in UNSUPERVISED else (codes, factors)
    value = METRICS[name](*given, **options)
    return float(value[0] if isinstance(value, tuple) else value)


def _copies(codes: Array) -> list[Array]:
    rng = np.random.default_rng(5)
    blur = 0.01 * codes.std(axis=0)
    noisy = [codes + blur * rng.standard_normal(codes.shape) for _ in range(3)]
    return [z[:, rng.permutation(z.shape[1])] for z in noisy]


def known_codes(name: str) -> dict[str, float]:
    """Perfect codes of both data sets; dSprites rotated; noise in place of codes."""
    v, w = (grid(sizes, _rows(name)) for sizes in (DSPRITES, SHAPES3D))
    s = standardised(v, DSPRITES)
    return {
        "perfect, dSprites": score(name, s, v, nominal=(0,)),
        "perfect, Shapes3D": score(name, standardised(w, SHAPES3D), w, nominal=(4,)),
        "rotated, dSprites": score(name, s @ rotation(5, 1).T, v, nominal=(0,)),
        "noise, dSprites": score(name, noise(s.shape), v, nominal=(0,)),
    }


def _rows(name: str) -> int:
    """As in the large study: 10,000, and 5,000 more for what holds out a third of them."""
    holds_out = name in METRICS and "test" in signature(METRICS[name]).parameters
    return 15_000 if holds_out and name != "disentanglement_score" else 10_000


def changes(name: str) -> dict[str, float]:
    """By how much a score moves when codes are changed in ways that keep what they tell."""
    sizes, scale = (4, 6, 8), np.array([0.01, 1, 10])
    v = grid(sizes, 3000)
    mix = np.array([[1.0, 0.6, 0.0], [0.0, 1.0, 0.6], [0.5, 0.0, 1.0]])
    z = standardised(v, sizes) @ mix + 0.5 * noise((3000, 3))
    before = score(name, z, v)
    after = {
        "order": score(name, z[:, [2, 0, 1]], v),
        "sign": score(name, z * (-1, 1, -1), v),
        "scale": score(name, z * scale, v, width=WIDTH * scale),
        "sinh(2z)": score(name, np.sinh(2 * z), v),
        "a dead code": score(name, np.concatenate([z, np.zeros((3000, 1))], axis=1), v),
    }
    return {"score": before, **{title: abs(value - before) for title, value in after.items()}}


TABLES = {"known_codes": known_codes, "changes": changes}
