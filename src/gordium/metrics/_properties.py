"""What a metric declares of itself where it is listed."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Properties:
    """What holds for a metric's value, or for its headline if it has several numbers.

    `gordium.testing.check_metric` tests every field but the last two. "Perfect" codes are the
    standardised factors of 10,000 draws from the grid of dSprites, sizes 3, 6, 40, 32 and 32.
    """

    least: float = 0.0
    greatest: float = 1.0
    perfect: float | None = 1.0  # the value of perfect codes; None promises nothing
    perfect_within: float = 0.005
    ignores_order: bool = True  # of the codes
    ignores_sign: bool = True  # of each code
    ignores_scale: bool = True  # of each code apart
    ignores_within: float = 1e-9  # smaller changes count as none; larger if codes are drawn
    real_factors: str | bool = False  # how factors of real numbers are treated; False: not at all
    min_codes: int = 1
    min_factors: int = 1
    held_out: int = 0  # 3: the last third of the rows is held out for testing; 0: none are
    named_only: bool = False  # so slow that "all" leaves it out
