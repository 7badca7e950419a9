"""Tasks for the workers of a study, each with a key: a run, a room, a change, or another piece."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gordium.datasets import Dataset
from gordium.evaluation.representation import N_IMAGES
from gordium.manipulation import ManipulationSettings, declare_manipulation
from gordium.spec import DatasetSpec, RunSpec, declaration_hash


@dataclass(frozen=True)
class ChangeTask:
    """A change to learn: its images, its size, the keys of the runs to learn from, and settings."""

    key: str
    dataset: DatasetSpec
    epsilon: float
    disentangled: tuple[str, ...]
    entangled: tuple[str, ...]
    settings: ManipulationSettings

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        disentangled: Sequence[RunSpec],
        entangled: Sequence[RunSpec],
        epsilon: float,
        settings: ManipulationSettings,
    ) -> "ChangeTask":
        """The task to learn from these runs, with the key of what would be learned."""
        declaration = declare_manipulation(dataset, disentangled, entangled, epsilon, settings)
        good, bad = (tuple(run.key for run in some) for some in (disentangled, entangled))
        key = declaration_hash(declaration)
        return cls(key, DatasetSpec.of(dataset), epsilon, good, bad, settings)


@dataclass(frozen=True)
class RoomTask:
    """The question whether a change can pay, asked once for all that differ in settings alone."""

    key: str
    change: ChangeTask

    @classmethod
    def before(cls, change: ChangeTask) -> "RoomTask":
        """What is asked before a change is learned, with a key that its settings are no part of."""
        declaration = {
            "kind": "room",
            "dataset": change.dataset.declaration,
            "disentangled": list(change.disentangled),
            "entangled": list(change.entangled),
            "epsilon": change.epsilon,
        }
        return cls(declaration_hash(declaration), change)


@dataclass(frozen=True)
class Piece:
    """Any other training, which `make(folder, report=report)` does in a folder.

    A worker must be able to import `make`, which goes on from what the folder holds.
    """

    key: str
    label: str
    make: Callable[..., object]


Task = RunSpec | RoomTask | ChangeTask | Piece


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is asked of each run of a study; it does not change the names of runs.

    A run is scored by `metrics` on so many `images`; `draw` names pictures; its history has a line
    after each `record_every` steps; `track` names a tracker that it is logged to.
    """

    metrics: tuple[str, ...] = ("mig",)
    images: int = N_IMAGES
    draw: tuple[str, ...] = ()
    record_every: int | None = None
    track: str | None = None
