"""Figure 5 of Stühmer et al. 2020: MIG against reconstruction over beta, four methods."""

import dataclasses

import pandas as pd

from gordium.exhibits.base import EARLIER, Exhibit, Made, Place
from gordium.exhibits.studies import NothingFinished, Studied, complete_named
from gordium.exhibits.stuehmer2020 import claims, tradeoff
from gordium.exhibits.stuehmer2020.estimates import (
    LOSS,
    MIG,
    MIGS,
    name_learned,
    name_sampled,
    unify_mig,
)
from gordium.exhibits.stuehmer2020.stand_ins import (
    FACES,
    SIZES,
    SUBSPACE,
    complete_on,
    declare_baseline,
)
from gordium.methods import ISATCVAE, ISAVAE, BetaTCVAE, Method
from gordium.report.figures import sweeps
from gordium.report.names import sort_names

STUDY = "stuehmer2020"
SHARED = ", shared"  # added to the key of a run that is shown once more
SAME = (
    "At beta = 1 the ISA-TCVAE is the ISA-VAE to the last bit: where it was not trained there, the "
    "table and the pictures show the ISA-VAE's runs for it."
)
PUBLISHED = (
    "Published: dSprites and 3D faces with all factors at 64 x 64, 20 and 10 units, 50 runs a "
    "setting (15 with learned exponents), in a figure only."
)


def make(place: Place) -> Made:
    """Complete the studies on dSprites and on faces, and show those that have finished runs."""
    found, absent = [complete_named(place, STUDY)], []
    for name, methods in (("faces", on_faces), ("faces-learned", list_learned)):
        if not methods(place.scale):
            continue
        try:
            found.append(complete_on(place, name, FACES, methods(place.scale)))
        except NothingFinished:
            absent.append(f"{name}: no finished run here.")
    whole = show(*found)
    return dataclasses.replace(whole, notes=[*absent, *whole.notes])


def on_faces(scale: str) -> list[Method]:
    """The methods on faces at each beta; there the paper's exponent is 1.9."""
    found: list[Method] = []
    for beta in SIZES[scale].betas:
        found += [declare_baseline(beta, scale), BetaTCVAE(beta=beta)]
        found += [ISAVAE(beta=beta, layout=SUBSPACE, p=1.9)]
        if beta != 1 or scale == EARLIER:  # at 1 it is the ISA-VAE to the last bit
            found += [ISATCVAE(beta=beta, layout=SUBSPACE, p=1.9)]
    return found


def list_learned(scale: str) -> list[Method]:
    """The methods of Figure 5 (c), whose exponents are learned; Figure 7 has the same runs."""
    return [ISAVAE(beta=b, layout=SUBSPACE, learn_p=True) for b in SIZES[scale].learned]


def show(*given: Studied) -> Made:
    """Make the exhibit from rows alone."""
    studies = [
        dataclasses.replace(found, frame=name_learned(name_sampled(found.frame))) for found in given
    ]
    held = pd.concat([found.usable for found in studies], ignore_index=True)
    frame = unify_mig(share_isa_vae(held))
    places = tradeoff.points(frame)
    pictures = {}
    for data in dict.fromkeys(frame["dataset"]):
        pictures[f"{data}.png"] = tradeoff.curves(places[places["dataset"] == data])
        pictures |= _draw_spread(frame[frame["dataset"] == data], data)
    rows = [row for found in studies for row in found.rows((*MIGS, LOSS))]
    notes = [text for found in studies for text in (found.note, _size(found))]
    notes += [PUBLISHED, tradeoff.say_estimates(held)]
    notes += [SAME] if len(frame["run"].unique()) > len(held["run"].unique()) else []
    return Made(tradeoff.HEAD, tradeoff.body(places), rows, pictures, notes)


def share_isa_vae(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows in which the ISA-VAE's runs at beta = 1 stand for the ISA-TCVAE too.

    There both have the same loss and gradients to the last bit, so the ISA-TCVAE is not trained;
    data sets without an ISA-TCVAE, or with one that was trained at beta = 1, stay as they are.
    """
    at_one = frame[frame["strength"] == 1]
    trained = set(at_one.loc[at_one["method"] == "isa-tcvae", "dataset"])
    wanted = set(frame.loc[frame["method"] == "isa-tcvae", "dataset"]) - trained
    shared = at_one[(at_one["method"] == "isa-vae") & at_one["dataset"].isin(wanted)]
    copied = shared.assign(method="isa-tcvae", run=shared["run"] + SHARED)
    return pd.concat([frame, copied], ignore_index=True)


def _draw_spread(frame: pd.DataFrame, data: str) -> dict[str, bytes]:
    """Draw Figure 5 (a): the distribution of MIG at beta = 1."""
    used = frame[(frame["metric"] == MIG) & (frame["strength"] == 1) & frame["value"].notna()]
    found = dict(iter(used.groupby("method")["value"]))
    groups = {tradeoff.TITLES.get(m, m): found[m] for m in sort_names(map(str, found))}
    panel = {f"{data}, β = 1": groups}
    return {f"{data}-beta1.png": sweeps.distributions(panel, label="MIG")} if groups else {}


def _size(found: Studied) -> str:
    data = "; ".join(found.images.values())
    return f"Here: {data}; {len(found.study.seeds)} seeds, steps {found.steps}."


figure5 = Exhibit(
    "Figure 5", "MIG against reconstruction over beta, four methods", make, claims.figure5
)
