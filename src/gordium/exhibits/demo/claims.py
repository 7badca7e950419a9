"""What the repeated demo says of Zietlow et al. 2021: the paper's sentences, and our own controls.

The change is the unit, and where noise is set against originals its draw: fresh seeds of one
repetition are averaged first. Holm's correction runs over all of these claims together, since all
are about the same changes.
"""

from collections.abc import Sequence

import pandas as pd

from gordium.arrays import Floats
from gordium.exhibits.published import read_published
from gordium.exhibits.zietlow2021.claims import (
    MODIFIED,
    NOISE,
    ORIGINAL,
    UNITS,
    change_line,
    judge_unmoved,
    pair_by_change,
    with_change,
)
from gordium.report.statistics.claims import (
    NONE,
    RULE_DATE,
    Claim,
    Line,
    mean_direction,
    paired_direction,
)

DATASET, METHOD = "shapes3d", "beta-vae"  # the demo's own
# Of the methods that the demo trains beside the beta-VAE: published to fall, and to stay.
FALLING, STAYING = ("factor-vae", "beta-tcvae", "slow-vae"), ("ae", "pcl", "weak-gan")
IN_WORDS = {
    "factor-vae": "FactorVAE",
    "beta-tcvae": "beta-TCVAE",
    "slow-vae": "SlowVAE",
    "ae": "the autoencoder",
    "pcl": "PCL",
    "weak-gan": "the weakly supervised GAN",
}
TABLES = {  # the score's name in rows and in print, and the published table
    "dci": ("DCI", "zietlow2021-table3"),
    "factor_vae_score": ("FactorVAE score", "zietlow2021-table4"),
    "sap": ("SAP", "zietlow2021-table5"),
}
EQUAL_NOISE, CHOICE = "equal noise", "choice"  # by which a strength is chosen
CONTROLS = {
    EQUAL_NOISE: "noise of equal energy",
    "waves": "the worst of four unlearned waves",
    "swapped": "the worst of four changes with swapped roles",
    "worst noise": "the worst of four draws of noise",
}


def claim_published(
    fresh: pd.DataFrame, methods: pd.DataFrame, scores: pd.DataFrame
) -> list[Claim]:
    """The paper's sentences on modified and noisy images; methods and scores nest under them.

    `fresh` has the beta-VAE's MIG, `methods` that of other methods, and `scores` other scores of
    the beta-VAE; the last two may be empty.
    """
    migs = with_change(_select_mig(pd.concat([fresh, methods])))
    others = [name for name in (*FALLING, *STAYING) if name in set(migs["method"])]
    vaes = [METHOD, *(name for name in others if name in FALLING)]

    def falls_from(variant: str) -> tuple[Line, ...]:
        return (*_fall(migs, vaes, variant), *_compare_scores(with_change(scores), variant))

    noise, modified = pair_by_change(migs[migs["method"] == METHOD], NOISE, MODIFIED)
    lower = f"MIG of the beta-VAE in {int((modified < noise).sum())} of {len(noise)} repetitions"
    claims = [
        Claim("VAEs score lower on modified than on original images", falls_from(ORIGINAL)),
        Claim("VAEs score lower on modified than on noisy images", falls_from(NOISE), lower),
        Claim(
            "modified images leave methods that are no VAE as they are",
            _stay(migs, [name for name in others if name in STAYING], MODIFIED),
        ),
        Claim("noise leaves all methods as they are", _stay(migs, [METHOD, *others], NOISE)),
    ]
    return [claim for claim in claims if claim.lines]


def claim_others(methods: pd.DataFrame, where: str, rule_date: str) -> list[Claim]:
    """The paper's sentences on the methods that a rung has beside the beta-VAE, which they name."""
    migs = with_change(_select_mig(methods))
    vaes, rest = ([n for n in kind if n in set(migs["method"])] for kind in (FALLING, STAYING))
    lower = f"{_name(vaes)} {'scores' if len(vaes) == 1 else 'score'} lower on modified than on"
    said = {
        f"{lower} original images": _fall(migs, vaes, ORIGINAL),
        f"{lower} noisy images": _fall(migs, vaes, NOISE),
        f"modified images leave {_say_unmoved(rest)}": _stay(migs, rest, MODIFIED),
        f"noise leaves {_say_unmoved([*vaes, *rest])}": _stay(migs, [*vaes, *rest], NOISE),
    }
    return [
        Claim(f"{where}: {text}", lines, rule_date=rule_date)
        for text, lines in said.items()
        if lines
    ]


def _name(methods: Sequence[str]) -> str:
    """Methods in words, in one breath."""
    *first, last = [IN_WORDS[name] for name in methods] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def _say_unmoved(methods: Sequence[str]) -> str:
    return f"{_name(methods)} as {'it is' if len(methods) == 1 else 'they are'}"


def claim_controls(fresh: pd.DataFrame, longer: pd.DataFrame) -> list[Claim]:
    """Sentences of ours: how far MIG falls, what noise leaves, and each control that was trained.

    `longer` has runs of four times as many steps, and may be empty.
    """
    migs = with_change(_select_mig(fresh))
    original, modified = pair_by_change(migs, ORIGINAL, MODIFIED)
    plain, noisy = pair_by_change(migs, ORIGINAL, NOISE)
    theirs = read_means(METHOD, DATASET)
    half, most = theirs[ORIGINAL] / 2, 0.7 * theirs[ORIGINAL]
    claims = [
        Claim(
            "MIG on modified images is at most half of that on original ones",
            (_differ(modified - original / 2, -1, MODIFIED, theirs[MODIFIED] - half),),
            f"in {int((modified <= original / 2).sum())} of {len(original)} repetitions",
        ),
        Claim(
            "MIG on noisy images keeps 70 % of that on original ones",
            (_differ(noisy - 0.7 * plain, 1, NOISE, theirs[NOISE] - most),),
        ),
        *(
            lies_below(migs, variant, f"MIG is lower on modified images than on {text}")
            for variant, text in CONTROLS.items()
            if variant in set(migs["variant"])
        ),
    ]
    if len(longer):
        text = "MIG is lower on modified than on noisy images after four times as many steps"
        claims.append(lies_below(with_change(_select_mig(longer)), NOISE, text))
    return claims


def claim_rung(frame: pd.DataFrame, where: str, rule_date: str) -> list[Claim]:
    """The demo on a rung's images: scores are lower on modified images than on each other kind."""
    migs = with_change(_select_mig(frame))
    theirs = read_means(METHOD, str(migs["dataset"].iloc[0]))
    others = {
        NOISE: "on modified than on noisy images",
        ORIGINAL: "on modified than on original images",
        EQUAL_NOISE: "on modified images than on noise of equal energy",
    }
    gaps = {variant: theirs[MODIFIED] - mean for variant, mean in theirs.items()}
    return [
        lies_below(
            migs,
            variant,
            f"{where}: MIG is lower {text}",
            rule_date=rule_date,
            published=gaps.get(variant, NONE),
        )
        for variant, text in others.items()
    ]


def claim_noise(frame: pd.DataFrame, where: str, rule_date: str) -> Claim:
    """The paper's sentence on noise, of the beta-VAE on a rung's images."""
    lines = _stay(with_change(_select_mig(frame)), [METHOD], NOISE)
    return Claim(f"{where}: noise leaves MIG as it is", lines, rule_date=rule_date)


def claim_retuned(frame: pd.DataFrame, retuned: pd.DataFrame) -> list[Claim]:
    """Modified images at their best strength against the others at the demo's strength.

    `frame` has the fresh runs of all repetitions, `retuned` runs of some repetitions on modified
    images at several strengths. The seeds that choose a strength are not reported.
    """
    best = retuned.groupby("repetition").apply(_score_best, include_groups=False)
    means = _select_mig(frame).groupby(["variant", "repetition"])["value"].mean()
    lines = tuple(
        paired_direction(f"against {v}", means[v].loc[best.index], best, -1, unit="change")
        for v in (ORIGINAL, NOISE)
    )
    text = (
        "MIG on modified images stays lower at their best strength of five within a factor of four "
        "of the demo's"
    )
    return [Claim(text, lines, _tell_edges(retuned))]


def _tell_edges(retuned: pd.DataFrame) -> str:
    """Say in how many repetitions the best strength is the least or the greatest one tried."""
    own = retuned.groupby("repetition")
    best = own.apply(pick_strength, include_groups=False)
    ends = own["strength"].agg(["min", "max"])
    n = int(((best == ends["min"]) | (best == ends["max"])).sum())
    return f"the best is at an end of the range tried in {n} of {len(best)}"


def pick_strength(retuned: pd.DataFrame) -> float:
    """The strength with the highest mean score over the seeds that choose."""
    migs = _select_mig(retuned)
    return float(migs[migs["variant"] == CHOICE].groupby("strength")["value"].mean().idxmax())


def _score_best(own: pd.DataFrame) -> float:
    """The mean score of the reported seeds; all must have the strength that was chosen."""
    migs = _select_mig(own)
    reported = migs[migs["variant"] == MODIFIED]
    if set(reported["strength"]) != {pick_strength(own)}:
        raise ValueError("reported runs must have the strength that the other seeds chose.")
    return float(reported["value"].mean())


def lies_below(
    frame: pd.DataFrame,
    variant: str,
    said: str,
    *,
    rule_date: str = RULE_DATE,
    published: float = NONE,
) -> Claim:
    """The claim that a score is lower on modified images than on a variant's, by repetition."""
    before, after = pair_by_change(frame, variant, MODIFIED)
    line = paired_direction("", before, after, -1, unit="change", published=published)
    note = f"in {int((after < before).sum())} of {len(after)} repetitions"
    return Claim(said, (line,), note, rule_date=rule_date)


def read_means(method: str, dataset: str) -> dict[str, float]:
    """The mean MIG on each variant of a data set, as Table 1 prints it."""
    cells = read_published("zietlow2021-table1")[method]
    return {v: float(cells[f"{dataset}/{v}"]["mean"]) for v in (ORIGINAL, MODIFIED, NOISE)}


def _select_mig(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["metric"] == "mig"]


def _fall(migs: pd.DataFrame, names: list[str], variant: str) -> tuple[Line, ...]:
    """Modified images against a variant's, for each method that is published to fall."""
    theirs = read_published("zietlow2021-table1")
    cases = {name: (DATASET, name) for name in names}
    return tuple(
        change_line(migs, case, variant, theirs, of=f"MIG, {name}") for name, case in cases.items()
    )


def _stay(migs: pd.DataFrame, names: list[str], variant: str) -> tuple[Line, ...]:
    """A variant's images against originals, for each method that is published to stay."""
    return tuple(
        judge_unmoved(migs, (DATASET, name), variant, unit=UNITS[variant], of=f"MIG, {name}")
        for name in names
    )


def _compare_scores(scores: pd.DataFrame, variant: str) -> list[Line]:
    """Modified images against a variant's by the other scores that there are."""
    held = dict(iter(scores.groupby("metric"))) if len(scores) else {}
    case = DATASET, METHOD
    return [
        change_line(held[name], case, variant, read_published(exhibit), of=f"{label}, {METHOD}")
        for name, (label, exhibit) in TABLES.items()
        if name in held
    ]


def _differ(values: Floats, sign: int, variant: str, published: float) -> Line:
    return mean_direction("", values, sign, unit=UNITS[variant], published=published)
