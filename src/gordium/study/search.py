"""How a study comes to its change: from which runs, and which of several it takes."""

from dataclasses import dataclass, field, replace
from typing import Any

from gordium.checks import check_least
from gordium.fields import Declaration, declare_fields
from gordium.lookup import pick
from gordium.manipulation import Limits, ManipulationSettings
from gordium.study.arm import Arm

MIG, UDR = "mig", "udr"


@dataclass(frozen=True, kw_only=True)
class Probe:
    """Runs by which one of several candidates is taken: the one that lowers their MIG most."""

    arm: Arm
    seeds: tuple[int, ...]

    @property
    def declaration(self) -> Declaration:
        """The probe as JSON."""
        return {**self.arm.declaration, "seeds": list(self.seeds)}


@dataclass(frozen=True, kw_only=True)
class Search:
    """Which runs a change is learned from: the best and the worst of an arm's seeds.

    Runs are ranked `by` MIG, or by UDR, which needs no labels. With `limits` all runs beyond them
    are taken, or the first `most_used` of each kind; `per_round` seeds are then trained at a time,
    until there are `disentangled` and `entangled` such runs. Changes that need one kind of runs
    leave the entangled ones out.

    Of `restarts` changes, which differ in their seed, or of one for each of `waves`, the size of
    its start, the one with the lowest L_ent - L_dis is taken, or with a `probe` the most harmful
    one. No fresh run affects the choice.

    `room` is asked first where it can be (see `asks_room`): if no change can pay, the search goes
    on with the runs of later rounds.
    """

    arm: Arm
    seeds: tuple[int, ...]
    disentangled: int = 1
    entangled: int = 1
    learning: ManipulationSettings = field(default_factory=ManipulationSettings)
    restarts: int = 1
    by: str = MIG
    limits: Limits | None = None
    per_round: int | None = None
    most_used: int | None = None
    waves: tuple[float | None, ...] = ()
    probe: Probe | None = None
    room: bool = True

    def __post_init__(self) -> None:
        needed = self.needed.values()
        if min(needed) < 1 or len(set(self.seeds)) < sum(needed):
            raise ValueError(
                f"{self.disentangled} disentangled and {self.entangled} entangled runs need at "
                f"least one each, and as many search seeds in all; got {self.seeds}."
            )
        pick("ranking", self.by, {MIG: None, UDR: None})
        if self.restarts < 1:
            raise ValueError(f"at least one restart is needed; got {self.restarts}.")
        self._check_rounds()

    def _check_rounds(self) -> None:
        for name in ("per_round", "most_used"):
            if getattr(self, name) is not None and self.limits is None:
                raise ValueError(f"{name} belongs to limits, beyond which runs are taken.")
        check_least(1, per_round=self.per_round, most_used=self.most_used)
        if self.waves and self.restarts > 1:
            raise ValueError(
                f"one change is learned for each of waves: leave restarts out; got {self.restarts}."
            )

    @property
    def needed(self) -> dict[str, int]:
        """How many runs of each kind are needed."""
        kinds = {"disentangled": self.disentangled, "entangled": self.entangled}
        if self.limits is not None and self.learning.needs_one_kind:
            del kinds["entangled"]
        return kinds

    @property
    def asks_room(self) -> bool:
        """Whether it can be known before learning that no change of these runs pays.

        Only what is learned against decoders in closed form is known, and with turned copies or a
        design there are no entangled runs to ask.
        """
        return self.room and self.learning.settled and not self.learning.needs_one_kind

    @property
    def n_starts(self) -> int:
        """How many changes are learned; of drawn images, there are as many candidates."""
        return len(self.waves) or self.restarts

    @property
    def starts(self) -> list[ManipulationSettings]:
        """The settings of each change, which differ in the seed and in the size of the start."""
        waves = self.waves or (self.learning.wave,) * self.restarts
        first = self.learning.seed
        return [replace(self.learning, seed=first + k, wave=w) for k, w in enumerate(waves)]

    @property
    def declaration(self) -> Declaration:
        """The search as JSON; what came later is left out at its default."""
        later: dict[str, Any] = {
            "by": None if self.by == MIG else self.by,
            "limits": None if self.limits is None else self.limits._asdict(),
            "per_round": self.per_round,
            "most_used": self.most_used,
            "waves": list(self.waves) or None,
            "probe": None if self.probe is None else self.probe.declaration,
            "room": None if self.room else False,
        }
        return {
            **self.arm.declaration,
            "seeds": list(self.seeds),
            "disentangled": self.disentangled,
            "entangled": self.entangled,
            "learning": declare_fields(self.learning),
            "restarts": self.restarts,
            **{name: value for name, value in later.items() if value is not None},
        }

    def shift_seeds(self, by: int) -> "Search":
        """The same search with all its seeds moved, those of changes and probes too."""
        probe = self.probe
        return replace(
            self,
            seeds=tuple(seed + by for seed in self.seeds),
            learning=replace(self.learning, seed=self.learning.seed + by),
            probe=probe and replace(probe, seeds=tuple(seed + by for seed in probe.seeds)),
        )
