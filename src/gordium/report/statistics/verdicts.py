"""Seen, not seen or inconclusive: how the lines of a claim are judged (docs/verdict-rules.md)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal

import numpy as np

from gordium.report.statistics.claims import NONE, Claim, Kind, Line
from gordium.report.statistics.significance import holm
from gordium.table_text import csv_text

Outcome = Literal["seen", "not seen", "inconclusive", "not judged"]
FEWEST = {"change": 3}  # units that "seen" and "not seen" take; ten of any other
LEVEL = 0.05
COLUMNS = (
    "exhibit", "claim", "kind", "outcome", "estimate", "low", "high", "margin", "n", "unit", "p",
    "p_holm", "scale", "rule_date", "power", "rows_date",
)  # fmt: skip
DETAILS = ("of", "exact_p", "sign", "effect", "worst", "note", "again")
AGAIN = ("estimate", "low", "high", "n", "p")  # of a line's second comparison, in columns again_...
NOT_JUDGED: Outcome = "not judged"  # of a line beside a claim, and of a claim that has no other


@dataclass(frozen=True)
class Judged:
    """A line, its p-value after Holm's correction, and what it says."""

    line: Line
    p_holm: float
    outcome: Outcome


@dataclass(frozen=True)
class Verdict:
    """A claim with its judged lines; `shown` is the line that decides, and has its numbers.

    Without a judged line the claim is not judged: its lines beside are shown, and it counts
    nowhere. `dates` says when rows came into the repository, by exhibit, where that is known.
    """

    exhibit: str
    claim: Claim
    lines: tuple[Judged, ...]
    scale: str
    dates: Mapping[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """The kind of claim."""
        return self.claim.kind

    @property
    def outcome(self) -> Outcome:
        """A claim is seen if all of its lines are, and not seen if any of them is "not seen"."""
        if not self.lines:
            return NOT_JUDGED
        found = {judged.outcome for judged in self.lines}
        if "not seen" in found:
            return "not seen"
        return "inconclusive" if "inconclusive" in found else "seen"

    @property
    def shown(self) -> Judged:
        """The line that speaks least for the claim, among those with the claim's outcome."""
        own = [judged for judged in self.lines if judged.outcome == self.outcome]
        return max(own, key=_doubt)

    def rows_date(self, line: Line) -> str:
        """The day on which the rows of a line came into the repository."""
        return self.dates.get(line.rows_of or self.exhibit, "")

    @property
    def is_late(self) -> bool:
        """Whether the rule was written when the rows of the line that is shown were known."""
        day = self.rows_date(self.shown.line)
        return self.claim.rows_known or (bool(day) and self.claim.rule_date > day)

    @property
    def is_blind(self) -> bool:
        """Whether the rule was there on an earlier day than the rows of the line that is shown."""
        return self.claim.rule_date < self.rows_date(self.shown.line) and not self.is_late

    @property
    def n_seen(self) -> int:
        """How many lines of the claim are seen."""
        return sum(judged.outcome == "seen" for judged in self.lines)

    @property
    def text(self) -> str:
        """The claim, and which of its lines the numbers are of."""
        if not self.lines:
            return self.claim.text
        if len(self.lines) == 1:
            only = self.lines[0].line.of
            return f"{self.claim.text} ({only})" if only else self.claim.text
        counts = f"{self.n_seen} of {len(self.lines)} seen"
        return f"{self.claim.text} ({counts}; here: {self.shown.line.of})"


def settle(claims: Sequence[Claim], *, exhibit: str, scale: str) -> list[Verdict]:
    """Judge all claims of an exhibit, Holm's correction running over all its directions."""
    return settle_together({exhibit: claims}, scale=scale)[exhibit]


def settle_together(
    parts: Mapping[str, Sequence[Claim]], *, scale: str
) -> dict[str, list[Verdict]]:
    """Judge the claims of several exhibits, Holm's correction running over all their directions.

    Lines beside a claim are not tested and not counted.
    """
    claims = [
        (name, claim)
        for name, some in parts.items()
        for claim in some
        if claim.lines or claim.beside
    ]
    lines = [line for _, claim in claims for line in claim.lines]
    tested = [i for i, line in enumerate(lines) if _is_tested(line)]
    corrected = np.full(len(lines), np.nan)
    corrected[tested] = holm(np.array([_tested_p(lines[i]) for i in tested], dtype=np.float64))
    judged = iter(
        Judged(line, float(p), outcome(line, float(p)))
        for line, p in zip(lines, corrected, strict=True)
    )
    found: dict[str, list[Verdict]] = {name: [] for name in parts}
    for name, claim in claims:
        own = tuple(next(judged) for _ in claim.lines)
        found[name].append(Verdict(name, claim, own, scale))
    return found


def outcome(line: Line, p_holm: float) -> Outcome:
    """What the rules say of one line; if it has a second comparison, both must say the same."""
    found = _say(line, p_holm)
    if line.again is None or _say(line.again, p_holm) == found:
        return found
    return "inconclusive"


def _say(line: Line, p_holm: float) -> Outcome:
    """What the rules say of one comparison."""
    if line.kind == "identity":
        return "seen" if line.estimate <= line.margin else "not seen"
    if not (has_enough(line) and np.isfinite([line.low, line.high]).all()):
        return "inconclusive"
    if line.kind == "direction":
        return _direction(line, p_holm)
    if line.kind == "equivalence":
        return _equivalence(line)
    return _quantity(line)


def has_enough(line: Line) -> bool:
    """Whether a line has as many independent units as a verdict takes; an identity needs none."""
    return line.kind == "identity" or line.n >= FEWEST.get(line.unit, 10)


def _is_tested(line: Line) -> bool:
    return line.kind == "direction" and bool(np.isfinite(line.p))


def _tested_p(line: Line) -> float:
    """The p-value that is corrected: the greater of both, if there is a second comparison."""
    return line.p if line.again is None else float(np.nanmax([line.p, line.again.p]))


def _direction(line: Line, p_holm: float) -> Outcome:
    low, high = (line.low, line.high) if line.sign > 0 else (-line.high, -line.low)
    if np.isfinite(line.worst) and line.sign * line.worst <= 0:
        return "not seen"  # one value is enough to contradict what is said of all
    exact = line.exact_p if np.isfinite(line.exact_p) else 0.0
    if low > 0 and p_holm < LEVEL and exact < LEVEL:
        return "seen"
    within = np.isfinite(line.margin) and max(-low, high) <= line.margin
    return "not seen" if high < 0 or within else "inconclusive"


def _equivalence(line: Line) -> Outcome:
    if max(-line.low, line.high) <= line.margin:
        return "seen"
    outside = line.low > line.margin or line.high < -line.margin
    return "not seen" if outside else "inconclusive"


def _quantity(line: Line) -> Outcome:
    if line.low > 0 or line.high < 0:
        return "not seen"
    narrow = (line.high - line.low) / 2 <= line.margin
    return "seen" if narrow else "inconclusive"


def _doubt(judged: Judged) -> tuple[bool, float]:
    """How little a line speaks for its claim, by the worse of its comparisons."""
    line = judged.line
    return max(_doubt_one(one) for one in (line, line.again) if one)


def _doubt_one(line: Line) -> tuple[bool, float]:
    """How little a comparison speaks; those with an interval are above all others.

    A direction's difference is set against half of its interval, so that lines in different units
    can be compared, and a line that lies on the wrong side speaks less than one that is wide.
    """
    has = bool(np.isfinite(line.low)) or line.kind == "identity"
    if line.kind == "direction":
        half = (line.high - line.low) / 2 if has else 1.0
        return has, -line.sign * float(line.estimate) / max(half, 1e-300)
    size = max(-line.low, line.high) if np.isfinite(line.low) else abs(line.estimate)
    return has, float(size / line.margin) if line.margin else float(size)


def as_csv(verdicts: Iterable[Verdict]) -> str:
    """One line for each judged claim, with the columns COLUMNS; a missing number is empty."""
    rows = [
        _row(verdict, verdict.shown.line, verdict.shown.p_holm)
        | {"claim": verdict.text, "outcome": verdict.outcome}
        for verdict in verdicts
        if verdict.lines
    ]
    return _write(rows, COLUMNS)


def lines_csv(verdicts: Iterable[Verdict]) -> str:
    """One line for each comparison: COLUMNS, and DETAILS that the table of claims leaves out.

    Those beside a claim follow its own, with NOT_JUDGED as their outcome.
    """
    rows: list[dict[str, object]] = []
    for verdict in verdicts:
        for judged in verdict.lines:
            rows.append(_row(verdict, judged.line, judged.p_holm) | {"outcome": judged.outcome})
        for line in verdict.claim.beside:
            rows.append(_row(verdict, line, NONE) | {"outcome": NOT_JUDGED})
    return _write(rows, (*COLUMNS, *DETAILS, *(f"again_{name}" for name in AGAIN)))


def _row(verdict: Verdict, line: Line, p_holm: float) -> dict[str, object]:
    """All that is known of a line, by the names of columns; an outcome is still to be added."""
    found = asdict(line)
    again = found.pop("again") or {}
    return {
        **found,
        "again": again.get("of", ""),
        **{f"again_{name}": again.get(name, "") for name in AGAIN},
        "exhibit": verdict.exhibit,
        "claim": verdict.claim.text,
        "p_holm": p_holm,
        "scale": line.rows_of or verdict.scale,
        "rule_date": verdict.claim.rule_date,
        "rows_date": verdict.rows_date(line),
    }


def _write(rows: Sequence[dict[str, object]], columns: Sequence[str]) -> str:
    cells = [{name: _cell(value) for name, value in row.items()} for row in rows]
    return csv_text(columns, cells)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}" if np.isfinite(value) else ""
    return str(value)
