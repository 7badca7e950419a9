"""Does a change keep the generating factors? Classifiers tell them from the images.

A change hides structure from models without labels. With labels, every factor must still be
visible: for each factor a classifier is trained on two thirds of the images, and its accuracy on
the last third is compared between the original and the changed images.
"""

from collections.abc import Mapping
from statistics import fmean

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import KFold, cross_val_score
from sklearn.svm import SVC

from gordium._version import __version__
from gordium.arrays import Floats, Integers
from gordium.datasets import Dataset
from gordium.report.rows import Row

SPLITS, FOLDS, MOST_IMAGES = 5, 3, 1500
CLASSIFIERS = (RidgeClassifier(), SVC(C=100.0))  # a linear one, and one with a Gaussian kernel
METRIC = "accuracy of "


def factor_accuracies(dataset: Dataset, *, seed: int = 0) -> dict[str, float]:
    """The share of unseen images that are classified correctly, for each factor.

    It is the mean over five splits. Of the two classifiers, the one counts that is better on the
    training images by cross-validation.
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
    """One row for each factor of each arm; they depend on no trained run."""
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
    seen = x[:n], values[:n]
    best = max(CLASSIFIERS, key=lambda each: cross_val_score(each, *seen, cv=KFold(FOLDS)).mean())
    return float(np.mean(clone(best).fit(*seen).predict(x[n:]) == values[n:]))
