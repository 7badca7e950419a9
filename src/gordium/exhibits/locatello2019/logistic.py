"""Accuracy of logistic regressions on the codes of a study's runs, beside that of trees.

It is not a metric of the study, because ten penalties by five folds for each factor take long:
17 seconds for a run on dSprites at laptop scale, more where factors have more values. So it is
fitted here, to the codes in the runs' folders, and stored beside them; at laptop scale on the data
set that is printed.
"""

import pandas as pd

from gordium.evaluation.run_scores import REPRESENTATION, load_representation
from gordium.exhibits.locatello2019.names import DATA, PRINTED
from gordium.exhibits.studies import Studied
from gordium.files import read_json, write_json
from gordium.metrics import downstream

LOGISTIC, LOGISTIC_EFFICIENCY = "downstream_logistic", "downstream_logistic.efficiency"
KEPT = "logistic.json"
# Accuracy is of the greatest size and efficiency sets 100 against it. Each size has a draw of its
# own, so that the numbers are those with 10 and 1,000 too.
SIZES = (100, 10_000)


def with_logistic(found: Studied, *, everywhere: bool = True) -> pd.DataFrame:
    """The study's rows, with two more for each run whose folder holds its codes.

    If not `everywhere`, these are the runs on the data set that Figures 5 and 6 print.
    """
    frame = found.frame
    first = frame.drop_duplicates("run").set_index("run", drop=False)
    if not everywhere:
        first = first[first["dataset"].map(DATA) == PRINTED["Figures 5 and 6"]]
    new = []
    for key, row in first.iterrows():
        scores = _scores(found, str(key))
        new += [{**row.to_dict(), "metric": name, "value": v} for name, v in scores.items()]
    return pd.concat([frame, pd.DataFrame(new)], ignore_index=True) if new else frame


def _scores(found: Studied, key: str) -> dict[str, float]:
    folder = found.store.run_folder(key)
    if (folder / KEPT).is_file():
        known: dict[str, float] = read_json(folder / KEPT)
        return known
    if not (folder / REPRESENTATION).is_file():
        return {}
    kept = load_representation(folder)
    fitted = downstream(kept.codes, kept.factors, model="logistic_regression", sizes=SIZES)
    scores = {LOGISTIC: fitted.accuracy, LOGISTIC_EFFICIENCY: fitted.efficiency}
    write_json(folder / KEPT, scores)
    return scores
