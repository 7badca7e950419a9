"""An audit in plain words: what the number means for those who train on the data set."""

from collections.abc import Mapping

from gordium.geometry.audit import Audit, Pair

FAR_PAIR = 0.7
NAMED = 4


def headline(audit: Audit) -> str:
    """The score and the interval that 95 % of resamples fall in."""
    low, high = audit.interval
    return f"{audit.score:.2f} (95 % of resamples: {low:.2f} to {high:.2f})"


def verdict(audit: Audit) -> list[str]:
    """What the audit found, in sentences: score, causes, preference of a VAE, caveats."""
    return [_main(audit), *_causes(audit), _preference(audit), *_notes(audit)]


def _main(audit: Audit) -> str:
    if audit.score >= 0.9:
        said = (
            "the generating factors are the local principal components of these images almost "
            "everywhere. A VAE, which pursues local principal components, is led to the factors "
            "by the data: that it disentangles them here says little of the method."
        )
    elif audit.score >= 0.6:
        said = (
            "the generating factors are largely the local principal components of these images. "
            "Much of what a VAE needs to find them is in the data."
        )
    elif audit.score >= 0.2:
        said = (
            "the generating factors are only in part the local principal components of these "
            "images. Local principal components alone do not lead to all factors."
        )
    else:
        said = (
            "the generating factors are hardly closer to the local principal components of these "
            "images than random directions are. What a VAE pursues does not lead to them."
        )
    return f"Alignment {headline(audit)}: {said}"


def _causes(audit: Audit) -> list[str]:
    far = sorted((p for p in audit.pairs if p.score < FAR_PAIR), key=lambda p: p.score)
    tied = [p for p in far if _is_tied(p)]
    mixed = [p for p in far if not _is_tied(p)]
    said = []
    if tied:
        said.append(
            f"Degenerate: {_list_pairs(tied)} induce nearly equal variance, so that principal "
            "components have no preference between the factors and any mixture of them: local "
            "variance alone does not tell them apart."
        )
    if mixed:
        said.append(
            f"Mixed: {_list_pairs(mixed)} change the same pixels in part, and the principal "
            "components are mixtures of them."
        )
    return said


def _is_tied(pair: Pair) -> bool:
    """Whether a pair's components are turned because its variances are nearly equal.

    Noise can hide a tie at single points, so a ratio near 1 with a small overlap counts as well.
    """
    return pair.tied > 1 / 3 or (5 / 6 < pair.ratio < 6 / 5 and pair.overlap < 0.2)


def _list_pairs(pairs: list[Pair]) -> str:
    shown = [f"{p.first} and {p.second} ({p.score:.2f})" for p in pairs[:NAMED]]
    more = f", and {len(pairs) - NAMED} more pairs" if len(pairs) > NAMED else ""
    return "; ".join(shown) + more


def _preference(audit: Audit) -> str:
    if audit.gain < 1e-3:
        return (
            "Principal components have no preference for any axes here: all factors induce the "
            "same variance."
        )
    kept = 1 - audit.lost / audit.gain
    return (
        f"In the loss of a VAE, principal axes are worth {audit.gain:.3f} nats a point over random "
        f"ones; the factors get {max(0.0, kept):.0%} of that. Degenerate pairs do not count in "
        "this share, and small turns hardly do."
    )


def _notes(audit: Audit) -> list[str]:
    said = []
    if audit.noise > 0:
        said.append(
            "The variance of the known noise was subtracted. Noise also adds random errors with "
            "mean 0 to the products of changes, which lowers the score a little."
        )
    if any(factor.kind == "nominal" for factor in audit.factors):
        said.append(
            "A factor without an order counts with the variance between its values, an ordered "
            "one with its slope: their sizes are not quite comparable."
        )
    return said


def farther_words(farther: Mapping[float, Audit]) -> list[str]:
    """The score at other radii, in standard deviations of the factors."""
    if not farther:
        return []
    shown = [f"{a.score:.2f} over {r:g} (grid steps {_steps(a)})" for r, a in farther.items()]
    return [f"Over longer steps, in standard deviations of the factors: {'; '.join(shown)}."]


def describe_points(audit: Audit) -> str:
    """How many points were measured, and against which neighbours."""
    how = (
        "nearest neighbours in the space of the factors"
        if audit.steps is None
        else f"grid steps along {', '.join(audit.names)}: {_steps(audit)}"
    )
    return f"{len(audit.distances):,} of {audit.n_places:,} points; {how}."


def _steps(audit: Audit) -> str:
    return ", ".join(map(str, audit.steps or ()))
