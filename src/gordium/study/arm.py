"""An arm of a study: a method and how it is trained, on whichever data set."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from gordium.datasets import Dataset
from gordium.fields import Declaration
from gordium.methods import Method
from gordium.spec import DatasetSpec, RunSpec, Settings
from gordium.spec.run import method_to_json, settings_to_json


@dataclass(frozen=True, kw_only=True)
class Arm:
    """A method and how it is trained; without `latent_dim`, one unit for each factor.

    `data` names the data sets that it is for; empty means all.
    """

    method: Method
    settings: Mapping[str, Any]
    data: tuple[str, ...] = ()

    def on(self, dataset: Dataset, seeds: Iterable[int]) -> list[RunSpec]:
        """Its runs on a data set, one for each seed."""
        first = RunSpec(DatasetSpec.of(dataset), self.method, self.settings_on(dataset))
        return [first.with_seed(seed) for seed in seeds]

    def settings_on(self, dataset: Dataset) -> Settings:
        """Its settings on a data set, whose factors decide the default number of units."""
        return Settings(**{"latent_dim": len(dataset.factors), **self.settings})

    @classmethod
    def of(cls, method: Method, settings: Settings) -> "Arm":
        """The arm of a method with these settings, but for their seed."""
        given = {f.name: getattr(settings, f.name) for f in fields(settings) if f.name != "seed"}
        return cls(method=method, settings=given)

    @property
    def declaration(self) -> Declaration:
        """The arm as JSON: its method and settings."""
        plain = settings_to_json(self.settings)
        only = {"data": list(self.data)} if self.data else {}
        return {"method": method_to_json(self.method), "settings": plain, **only}

    @property
    def strength(self) -> float | None:
        """The value of the method's primary hyperparameter."""
        return strength_of(self.method)


def strength_of(method: Method) -> float | None:
    """The value of a method's primary hyperparameter, if it has one."""
    return None if method.primary is None else float(getattr(method, method.primary))
