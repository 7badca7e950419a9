"""Figure 6 of Stühmer et al. 2020: MIG against reconstruction on cars."""

import dataclasses

from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.studies import Studied
from gordium.exhibits.stuehmer2020 import claims
from gordium.exhibits.stuehmer2020.estimates import LOSS, MIGS, name_sampled, unify_mig
from gordium.exhibits.stuehmer2020.stand_ins import (
    CARS,
    SIZES,
    SUBSPACE,
    complete_on,
    declare_baseline,
    say_images,
)
from gordium.exhibits.stuehmer2020.tradeoff import HEAD, body, curves, points, say_estimates
from gordium.methods import ISAVAE, Method


def make(place: Place) -> Made:
    """Complete the study on cars and show it."""
    return show(complete_on(place, "cars", CARS, on_cars(place.scale)))


def on_cars(scale: str) -> list[Method]:
    """The methods of Figure 6 at each strength of a scale."""
    betas = SIZES[scale].betas
    methods: list[Method] = [declare_baseline(beta, scale) for beta in betas]
    return [*methods, *(ISAVAE(beta=beta, layout=SUBSPACE, learn_p=True) for beta in betas)]


def show(given: Studied) -> Made:
    """Make the exhibit from rows alone."""
    found = dataclasses.replace(given, frame=name_sampled(given.frame))
    places = points(unify_mig(found.usable))
    text = (
        f"{say_images(CARS, found.study)} {len(found.study.seeds)} seeds. The ISA-VAE learns its "
        "exponents from 2.0, with p0 = 2.1. Published: 35 runs a beta, in a figure only."
    )
    pictures = {"cars.png": curves(places)}
    rows = found.rows((*MIGS, LOSS))
    notes = [found.note, text, say_estimates(found.usable)]
    return Made(HEAD, body(places), rows, pictures, notes)


figure6 = Exhibit("Figure 6", "MIG against reconstruction on cars", make, claims.figure6)
