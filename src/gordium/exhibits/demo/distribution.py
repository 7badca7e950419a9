"""What repetitions say together: the mean of each arm, its part of the originals', and counts."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from gordium.exhibits.zietlow2021.claims import MODIFIED, NOISE, ORIGINAL
from gordium.report.statistics.student import Estimate, mean_interval, ratio_interval

ARMS_HEAD = ("images", "repetitions", "MIG [95 %]", "/ original [95 %]")


class Arm(NamedTuple):
    """The mean MIG of an arm over repetitions, and the ratio of it to the originals' mean."""

    mean: Estimate
    ratio: Estimate


class Distribution(NamedTuple):
    """What repetitions say together; the repetition is the unit, its seeds are averaged first.

    `n` were asked for. `failed` has the numbers of those whose search found nothing, each with what
    was said of it: they are in no mean, and count as repetitions in which MIG does not fall.
    """

    n: int
    failed: Mapping[int, str]
    arms: dict[str, Arm]
    n_halved: int
    n_below_noise: int

    def to_json(self) -> dict[str, Any]:
        """The same as a dictionary, in which each number has its name."""
        arms = {
            name: {"mig": _name_ends(arm.mean), "of_original": _name_ends(arm.ratio)}
            for name, arm in self.arms.items()
        }
        return {**self._asdict(), "arms": arms}


def describe_distribution(fresh: pd.DataFrame, failed: Mapping[int, str]) -> Distribution:
    """What the rows of finished repetitions say together, beside those that failed."""
    if not len(fresh):
        return Distribution(len(failed), failed, {}, 0, 0)
    migs = fresh[fresh["metric"] == "mig"]
    means = migs.pivot_table(index="repetition", columns="variant", values="value")
    return Distribution(
        n=len(means) + len(failed),
        failed=failed,
        arms={arm: _describe_arm(means, arm) for arm in migs["variant"].unique()},
        n_halved=int((means[MODIFIED] <= means[ORIGINAL] / 2).sum()),
        n_below_noise=int((means[MODIFIED] < means[NOISE]).sum()),
    )


def _describe_arm(means: pd.DataFrame, arm: str) -> Arm:
    """An arm over the repetitions that have it."""
    own = means.dropna(subset=[arm])
    return Arm(mean_interval(own[arm]), ratio_interval(own[ORIGINAL], own[arm]))


def tabulate_arms(found: Distribution) -> list[tuple[str, ...]]:
    """A line for each arm, with the columns ARMS_HEAD."""
    return [
        (name, str(arm.mean.n), str(arm.mean), "" if name == ORIGINAL else str(arm.ratio))
        for name, arm in found.arms.items()
    ]


def say_counts(found: Distribution) -> list[str]:
    """In how many repetitions MIG falls, and how many have failed."""
    said = [
        f"MIG on modified images is at most half of that on originals in {found.n_halved} of "
        f"{found.n} repetitions, and below that on noise in {found.n_below_noise}."
    ]
    if found.failed:
        numbers = ", ".join(map(str, found.failed))
        said.append(
            f"{len(found.failed)} of {found.n} repetitions failed ({numbers}): the search found "
            "nothing to learn a change from. These count as showing nothing; means and verdicts "
            "are of the others."
        )
    return said


def _name_ends(found: Estimate) -> dict[str, float]:
    return {"n": found.n, "mean": found.mean, "low": found.low, "high": found.high}
