"""What a worker of a study is sent, as values that have a key: a run, a change, another piece."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gordium.datasets import Dataset
from gordium.evaluation.representation import N_IMAGES
from gordium.manipulation import ManipulationSettings, declare_manipulation
from gordium.spec import DatasetSpec, RunSpec, declaration_hash


@dataclass(frozen=True)
class ChangeTask:
    """A change to learn: of which images, how large, from the runs of which keys, and how."""

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
        """The task of these runs, named by all that the change follows from."""
        declaration = declare_manipulation(dataset, disentangled, entangled, epsilon, settings)
        good, bad = (tuple(run.key for run in some) for some in (disentangled, entangled))
        key = declaration_hash(declaration)
        return cls(key, DatasetSpec.of(dataset), epsilon, good, bad, settings)


@dataclass(frozen=True)
class Piece:
    """Any other training that fills a folder, as `make(folder, report=report)`.

    `make` must be importable by a worker, and go on from what the folder holds.
    """

    key: str
    label: str
    make: Callable[..., object]


Task = RunSpec | ChangeTask | Piece


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is asked of each run of a study besides its weights; no part of its name.

    It is scored on so many `images`; `draw` names pictures; its history has a line after each
    `record_every` steps; `track` names a tracker, which records it.
    """

    metrics: tuple[str, ...] = ("mig",)
    images: int = N_IMAGES
    draw: tuple[str, ...] = ()
    record_every: int | None = None
    track: str | None = None
