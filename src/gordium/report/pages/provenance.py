"""Where a number comes from, in a line that fits a tooltip."""

from collections.abc import Sequence

LISTED = 40


def provenance(
    runs: Sequence[str], seeds: Sequence[object], versions: Sequence[object], *notes: str
) -> str:
    """The number of runs, their seeds, hashes and known versions; more than forty are cut short."""
    parts = [f"n = {len(runs)}", *(note for note in notes if note)]
    if runs:
        parts += [
            f"seeds {_list(list(dict.fromkeys(seeds)))}",
            f"runs {_list(runs)}",
        ]
        known = [version for version in versions if isinstance(version, str)]
        parts += [f"gordium {', '.join(known)}"] if known else []
    return "; ".join(parts)


def say_discarded(n: int) -> str:
    """How many runs were discarded, if any were."""
    return f"{n} discarded" if n else ""


def _list(names: Sequence[object]) -> str:
    shown = ", ".join(map(str, names[:LISTED]))
    more = len(names) - LISTED
    return shown if more <= 0 else f"{shown} and {more} more, all in the rows below"
