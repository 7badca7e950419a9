"""Where the seeds of the demo come from; `studies/demo.toml` has those of repetition 0."""

SEARCH, CHANGE, PROBE, FRESH, NOISE, OTHER_SEEDS, RETUNED, LONGER = range(8)
_PHASE, _REPETITION = 1_000, 10_000


def seeds(repetition: int, phase: int, n: int) -> tuple[int, ...]:
    """The first `n` seeds of a phase; no two repetitions and no two phases share one."""
    if repetition < 0:
        raise ValueError(f"a repetition is a number from 0 on; got {repetition}.")
    first = _REPETITION * (repetition + 1) + _PHASE * phase
    return tuple(range(first, first + n))
