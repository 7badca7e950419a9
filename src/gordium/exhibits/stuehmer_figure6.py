"""Figure 6 of Stühmer et al. 2020: MIG against reconstruction on cars."""

import pandas as pd

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.studies import Studied
from gordium.exhibits.stuehmer_stand_ins import CARS, SIZES, SUBSPACE, studied_on
from gordium.exhibits.stuehmer_tradeoff import (
    HEAD,
    LOSS,
    MIG,
    NOTE,
    at_beta_one,
    body,
    curves,
    points,
)
from gordium.methods import ISAVAE, BetaVAE, Method

OWN, OTHER = "isa-vae", "beta-vae"


def make(place: Place) -> Made:
    betas = SIZES[place.scale].betas
    methods: list[Method] = [BetaVAE(beta=beta) for beta in betas]
    methods += [ISAVAE(beta=beta, layout=SUBSPACE, learn_p=True) for beta in betas]
    return made(studied_on(place, "cars", CARS, methods))


def made(found: Studied) -> Made:
    frame = found.frame[~found.frame["failed"]]
    places = points(frame)
    data = next(iter(found.study.data))
    effects = [at_beta_one(frame, data, OWN, OTHER), shrinks(places, data)]
    text = (
        f"Drawn cars stand in for Cars3D ({data}; at smoke scale a small room); "
        f"{len(found.study.seeds)} seeds. The ISA-VAE "
        "learns its exponents from 2.0, with p0 = 2.1. Published: 35 runs a beta, in a figure only."
    )
    pictures = {"cars.png": curves(places)}
    rows = found.rows((MIG, LOSS))
    return Made(HEAD, body(places), rows, effects, pictures, [found.note, text, NOTE])


def shrinks(places: pd.DataFrame, data: str) -> Effect:
    """Published: the advantage at beta = 1 decreases for larger beta."""
    table = places.pivot(index="strength", columns="method", values="y")
    text = f"{data}: the advantage of {OWN} is smaller at the greatest beta than at beta = 1"
    if not {OWN, OTHER} <= set(table) or len(table.dropna()) < 2:
        return Effect(text, False, "no finished runs of both at two values of beta here")
    gaps = (table[OWN] - table[OTHER]).dropna()
    first, last = gaps.iloc[0], gaps.iloc[-1]
    shown = ", ".join(f"{gap:+.3f} at beta {beta:g}" for beta, gap in gaps.items())
    return Effect(text, bool(first > 0 and last < first), shown)
