"""What a study's store keeps, as it lies there in JSON: the plan, what came out, what failed."""

from typing import TypedDict

from gordium.fields import Declaration


class Labels(TypedDict, total=False):
    """What a person calls a run or a change; a change has no method, a piece only `data`."""

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
    """Where the files of a run lie at an address, and their checksums."""

    folder: str
    files: dict[str, str]


class Record(TypedDict, total=False):
    """What came out: of a run its scores, of a change its loss."""

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
    delivered: Delivery


class Failure(TypedDict):
    """A run or a change that failed, and why."""

    key: str
    label: str
    error: str
