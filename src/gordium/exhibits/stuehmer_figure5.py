"""Figure 5 of Stühmer et al. 2020: MIG against reconstruction over beta, four methods."""

import dataclasses
from collections.abc import Sequence

import pandas as pd

from gordium.datasets import DATASETS
from gordium.exhibits.base import Made, Place
from gordium.exhibits.studies import NothingFinished, Studied, studied
from gordium.exhibits.stuehmer_stand_ins import FACES, SIZES, SUBSPACE, studied_on
from gordium.exhibits.stuehmer_tradeoff import (
    HEAD,
    LOSS,
    MIG,
    NOTE,
    TITLES,
    at_beta_one,
    better_tradeoff,
    body,
    curves,
    points,
    price,
)
from gordium.methods import ISATCVAE, ISAVAE, BetaTCVAE, BetaVAE, Method
from gordium.report import sweeps

STUDY = "stuehmer2020"
PUBLISHED = (
    "Published: dSprites and 3D faces with all factors at 64 x 64, 20 and 10 units, 50 runs a "
    "setting, in a figure only; Figure 5 (c) has learned exponents too, which are in Figure 7 here."
)
PAIRS = (("isa-vae", "beta-vae"), ("isa-tcvae", "beta-tcvae"))


def make(place: Place) -> Made:
    found = [studied(place, STUDY)]
    if FACES in DATASETS:
        try:
            found.append(studied_on(place, "faces", FACES, _on_faces(SIZES[place.scale].betas)))
        except NothingFinished:  # of both halves, the one that is there is shown
            half = made(*found)
            return dataclasses.replace(half, notes=["Faces: no finished run here.", *half.notes])
    return made(*found)


def _on_faces(betas: Sequence[float]) -> list[Method]:
    """The paper's exponent for faces is 1.9."""
    found: list[Method] = []
    for beta in betas:
        found += [BetaVAE(beta=beta), BetaTCVAE(beta=beta)]
        found += [isa(beta=beta, layout=SUBSPACE, p=1.9) for isa in (ISAVAE, ISATCVAE)]
    return found


def made(*studies: Studied) -> Made:
    frame = pd.concat([found.frame for found in studies], ignore_index=True)
    frame = frame[~frame["failed"]]
    places = points(frame)
    pictures, effects = {}, []
    for data in dict.fromkeys(frame["dataset"]):
        pictures[f"{data}.png"] = curves(places[places["dataset"] == data])
        pictures |= _spread(frame[frame["dataset"] == data], data)
        effects.append(at_beta_one(frame, data, "isa-vae", "beta-vae"))
        effects += [better_tradeoff(places, data, own, other) for own, other in PAIRS]
        effects += [price(places, data, other) for _, other in PAIRS]
    rows = [row for found in studies for row in found.rows((MIG, LOSS))]
    notes = [text for found in studies for text in (found.note, _size(found))]
    return Made(HEAD, body(places), rows, effects, pictures, [*notes, PUBLISHED, NOTE])


def _spread(frame: pd.DataFrame, data: str) -> dict[str, bytes]:
    """Figure 5 (a): the distribution of MIG at beta = 1."""
    used = frame[(frame["metric"] == MIG) & (frame["strength"] == 1) & frame["value"].notna()]
    groups = {TITLES.get(str(m), str(m)): v for m, v in used.groupby("method")["value"]}
    panel = {f"{data}: MIG at β = 1": groups}
    return {f"{data}-beta1.png": sweeps.distributions(panel)} if groups else {}


def _size(found: Studied) -> str:
    data = "; ".join(found.images.values())
    return f"Here: {data}; {len(found.study.seeds)} seeds, steps {found.steps}."
