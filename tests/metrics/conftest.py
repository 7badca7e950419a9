"""The arrays with the values that the original implementation gives for them."""

import json
from typing import NamedTuple

import numpy as np
import pytest


class Case(NamedTuple):
    name: str
    codes: np.ndarray
    factors: np.ndarray
    test: tuple[np.ndarray, np.ndarray]
    golden: dict


@pytest.fixture(scope="session")
def cases(reference):
    """Every case of 10,000 rows to fit and 5,000 to test, with the values of each metric."""
    golden = json.loads((reference / "metrics" / "golden.json").read_text())
    found = []
    for path in sorted((reference / "metrics").glob("*__c[0-9]*.npz")):
        if path.stem in golden:
            with np.load(path) as held:
                train, test = ((held[f"mus_{s}"], held[f"ys_{s}"]) for s in ("train", "test"))
            found.append(Case(path.stem, *train, test, golden[path.stem]))
    assert len(found) >= 14
    return found
