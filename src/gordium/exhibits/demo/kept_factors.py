"""Does a change keep the generating factors? Classifiers name them from the images.

The structure that a change hides is hidden from models without labels. With labels, every factor
must still be there: for each of them a classifier is trained on two thirds of the images, and its
accuracy on the last third is compared between the original and the changed images.
"""

from collections.abc import Mapping
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

from gordium._version import __version__
from gordium.datasets import Dataset
from gordium.report.rows import Row

SPLITS, FOLDS, MOST_IMAGES = 5, 3, 1500
CLASSIFIERS = (RidgeClassifier(), SVC(C=100.0))  # along lines, and along curves
METRIC = "accuracy of "
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def factor_accuracies(dataset: Dataset, *, seed: int = 0) -> dict[str, float]:
    """The share of unseen images whose value of each factor is named rightly.

    The mean over five splits. Of a linear classifier and one with a Gaussian kernel, the better
    one on the training images counts, by cross-validation.
    """
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(dataset))[:MOST_IMAGES]
    x = dataset.images(rows).reshape(len(rows), -1) / 255.0
    values = np.asarray(dataset.factors_at(rows))
    orders = [rng.permutation(len(rows)) for _ in range(SPLITS)]
    return {
        factor.name: fmean(_accuracy(x[order], values[order, k]) for order in orders)
        for k, factor in enumerate(dataset.factors)
    }


def accuracy_rows(arms: Mapping[str, Dataset], *, seed: int) -> list[Row]:
    """One row for each factor of each arm; no model of ours has a part in them."""
    return [
        Row(
            variant=arm,
            seed=seed,
            metric=f"{METRIC}{name}",
            value=value,
            dataset=dataset.clean.name,
            method="classifier",
            strength=None,
            run="",
            n_images=len(dataset),
            version=__version__,
        )
        for arm, dataset in arms.items()
        for name, value in factor_accuracies(dataset, seed=seed).items()
    ]


def _accuracy(x: Floats, values: Integers) -> float:
    n = 2 * len(x) // 3
    best = max(CLASSIFIERS, key=lambda each: _cross_validate(each, x[:n], values[:n]))
    found = clone(best).fit(x[:n], values[:n]).predict(x[n:])
    return float(np.mean(found == values[n:]))


def _cross_validate(classifier: RidgeClassifier | SVC, x: Floats, values: Integers) -> float:
    folds = np.array_split(np.arange(len(x)), FOLDS)
    splits = [(np.setdiff1d(np.arange(len(x)), fold), fold) for fold in folds]
    return float(cross_val_score(classifier, x, values, cv=splits).mean())
