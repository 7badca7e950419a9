"""Verdicts in words."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from gordium.report.statistics.claims import NONE, Kind, Line
from gordium.report.statistics.verdicts import Outcome, Verdict

KINDS: tuple[Kind, ...] = ("identity", "direction", "equivalence", "quantity")
OUTCOMES: tuple[Outcome, ...] = ("seen", "not seen", "inconclusive")


def say_numbers(line: Line, p_holm: float = NONE) -> str:
    """The numbers of one line: difference, interval or margin, units, and tests."""
    units = f"n = {line.n} {line.unit}{'' if line.n == 1 else 's'}"
    if line.kind == "identity":
        return f"off by {line.estimate:.2g}, at most {line.margin:.2g} allowed, {units}"
    parts = [interval(line), units]
    if line.kind == "equivalence" and np.isfinite(line.margin):
        parts.append(f"within ±{line.margin:.3g} it would be none")
    if np.isfinite(line.p):
        which = " of the greater p" if line.again else ""
        corrected = f", {p_holm:.2g} after Holm{which}" if np.isfinite(p_holm) else ""
        parts.append(f"p = {line.p:.2g}{corrected}")
    if np.isfinite(line.exact_p):
        parts.append(f"exact p = {line.exact_p:.2g}")
    if np.isfinite(line.effect):
        parts.append(f"d = {line.effect:.2f}")
    if np.isfinite(line.power):
        parts.append(f"power for the published effect {100 * line.power:.0f} %")
    again = [f"{line.again.of}: {say_numbers(line.again)}"] if line.again else []
    return "; ".join([", ".join(parts), *again, *([line.note] if line.note else [])])


def interval(line: Line) -> str:
    """`-0.30 [-0.41, -0.19]`; an identity says how far its sides are apart."""
    if line.kind == "identity":
        return f"{line.estimate:.2g} (≤ {line.margin:.2g})"
    if not np.isfinite(line.estimate):
        return "no such runs here"
    if not np.isfinite(line.low):
        return f"{line.estimate:+.3g}, no interval"
    return f"{line.estimate:+.3g} [{line.low:+.3g}, {line.high:+.3g}]"


def interval_again(line: Line) -> str:
    """The interval, and that of the second comparison if there is one."""
    again = line.again
    if again is None:
        return interval(line)
    return f"{interval(line)}; {again.of}: {interval(again)}, {again.n} {again.unit}s"


def as_markdown(verdicts: Sequence[Verdict]) -> list[str]:
    """One item of a Markdown list for each claim, with its lines nested if there are several."""
    found: list[str] = []
    for verdict in verdicts:
        head = f"- {verdict.outcome} ({verdict.kind}): {verdict.claim.text}"
        note = f" — {verdict.claim.note}" if verdict.claim.note else ""
        if not verdict.lines:
            found.append(f"- shown, not judged ({verdict.kind}): {verdict.claim.text}{note}")
        elif len(verdict.lines) == 1:
            only = verdict.lines[0]
            of = f"{only.line.of}: " if only.line.of else ""
            found.append(f"{head}: {of}{say_numbers(only.line, only.p_holm)}{note}")
        else:
            found.append(f"{head}: {verdict.n_seen} of {len(verdict.lines)} lines{note}")
            found += [
                f"  - {j.outcome}: {j.line.of}: {say_numbers(j.line, j.p_holm)}"
                for j in verdict.lines
            ]
        found += [
            f"  - shown, not judged: {line.of}: {say_numbers(line)}"
            for line in verdict.claim.beside
        ]
    return found


def counts(verdicts: Sequence[Verdict]) -> list[tuple[str, *tuple[int, ...]]]:
    """How many claims of each kind are seen, not seen and inconclusive."""
    found = Counter((verdict.kind, verdict.outcome) for verdict in verdicts)
    return [(kind, *(found[kind, outcome] for outcome in OUTCOMES)) for kind in KINDS]
