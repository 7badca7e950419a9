"""The JSON that a study's store keeps: of the plan, of results and of failures."""

from typing import TypedDict

from gordium.fields import Declaration


class Labels(TypedDict, total=False):
    """The labels of a run, a change, which has no method, a room, or a piece, which has `data`."""

    data: str
    variant: str
    method: str
    strength: float | None
    seed: int


class PlanLine(Labels):
    """A run or a change that is known to belong to the study."""

    kind: str
    key: str


class Delivery(TypedDict):
    """The folder of a run at an address, and the checksums of its files."""

    folder: str
    files: dict[str, str]


class Record(TypedDict, total=False):
    """The result of a run, with its scores, of a change, with its loss, or of a room.

    `room` is L_ent - L_dis of the best unlearned wave, and `tied` both losses on the originals.
    """

    key: str
    scores: dict[str, float | None]
    active_units: int | None
    over_pruned: bool | None
    n_images: int
    steps: int
    hyperparameters: Declaration
    versions: dict[str, str]
    closing: dict[str, float]
    loss: float
    settled: float
    room: float
    tied: float
    delivered: Delivery


class Failure(TypedDict):
    """A run or a change that failed, and why."""

    key: str
    label: str
    error: str
