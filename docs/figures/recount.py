"""Writes the column `now` of results/recount.csv: what the earlier page's effects say today.

    python docs/figures/recount.py

Run it after docs/figures/reproduction.py, whose results/verdicts.csv it reads, and each exhibit's
lines, for claims that are shown and not judged. `claims` has how the claims begin that a group of
effects became, with "; " between them; it is written by hand.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[2] / "results"
RECOUNT = RESULTS / "recount.csv"
NOT_JUDGED = "not judged"
OUTCOMES = ("seen", "not seen", "inconclusive", NOT_JUDGED)
WITHDRAWN = "withdrawn"
Line = Mapping[str, str]


def recount() -> str:
    """The text of results/recount.csv, with what each group of effects became."""
    lines = read(RECOUNT)
    exhibits = {line["exhibit"] for line in lines}
    verdicts = [*read(RESULTS / "verdicts.csv"), *chain.from_iterable(map(shown_only, exhibits))]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({**line, "now": say_now(line, verdicts)} for line in lines)
    return text.getvalue()


def read(path: Path) -> list[dict[str, str]]:
    """Read the lines of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def shown_only(exhibit: str) -> list[dict[str, str]]:
    """The claims of an exhibit that are shown and not judged, each once."""
    path = RESULTS / exhibit / "verdicts.csv"
    lines = read(path) if path.is_file() else []
    judged = {line["claim"] for line in lines if line["outcome"] != NOT_JUDGED}
    found = {line["claim"]: line for line in lines if line["claim"] not in judged}
    return list(found.values())


def say_now(line: Line, verdicts: Iterable[Line]) -> str:
    """How many of the claims are seen, not seen, inconclusive, not judged; or all withdrawn."""
    if line["kept"] == "no":
        return WITHDRAWN
    own = [verdict for verdict in verdicts if verdict["exhibit"] == line["exhibit"]]
    found = [pick(own, start)["outcome"] for start in line["claims"].split("; ")]
    return ", ".join(f"{found.count(word)} {word}" for word in OUTCOMES if word in found)


def pick(verdicts: Sequence[Line], start: str) -> Line:
    """The one claim that begins with `start`."""
    found = [verdict for verdict in verdicts if start and verdict["claim"].startswith(start)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} claims begin with {start!r}; name one in {RECOUNT}.")
    return found[0]


if __name__ == "__main__":
    RECOUNT.write_text(recount(), encoding="utf-8")
