"""Key result 5 of Locatello et al. 2019: are disentangled codes more useful later?"""

from dataclasses import replace

from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.locatello2019 import claims, study
from gordium.exhibits.locatello2019.names import DATA, METRICS, PRINTED
from gordium.exhibits.studies import Studied, complete_study, declare_study
from gordium.report.figures import charts
from gordium.report.statistics.correlation import say_rank
from gordium.study.study import Study

ACCURACY, EFFICIENCY = "downstream", "downstream.efficiency"
LOGISTIC = "downstream_logistic"
TITLES = {
    ACCURACY: "accuracy",
    EFFICIENCY: "efficiency",
    LOGISTIC: "accuracy, logistic",
    f"{LOGISTIC}.efficiency": "efficiency, logistic",
}
HEAD = ("data", "score", "metric", "rho, 95 % interval", "runs")


def make(place: Place) -> Made:
    """Complete the study, at laptop scale with logistic regressions on the printed data set."""
    declared = declare_study(study.STUDY, place.scale)
    if place.scale == "laptop" and not place.finished:
        complete_study(place, add_logistic(declared))
    return show(complete_study(place, declared))


def add_logistic(declared: Study) -> Study:
    """The part of the study that Figures 5 and 6 print, scored by logistic regression too.

    Its runs are the study's own.
    """
    printed = PRINTED["Figures 5 and 6"]
    data = {name: data for name, data in declared.data.items() if DATA[name] == printed}
    return replace(declared, data=data, metrics=(*declared.metrics, LOGISTIC))


def show(found: Studied) -> Made:
    """Make the exhibit from rows alone."""
    body: list[tuple[str, ...]] = []
    pictures = {}
    for data, group in study.datasets(found):
        runs = study.pivot_metrics(group)
        table = study.correlate(runs, TITLES)
        body += [
            (data, TITLES[s], m, say_rank(line), str(line.n)) for (s, m), line in table.items()
        ]
        pictures[f"{data}.png"] = study.draw_correlations(table, TITLES)
        if {EFFICIENCY, "factor_vae_score"} <= set(runs):
            points = {
                str(name): (some["factor_vae_score"], some[EFFICIENCY])
                for name, some in runs.groupby("method", sort=False)
            }
            pictures[f"{data}-efficiency.png"] = charts.scatter(
                points, x_label="FactorVAE score", y_label="efficiency"
            )
    text = (
        "Accuracy is that of boosted trees which predict the factors from all codes, at the "
        "greatest size; efficiency is the accuracy after 100 samples over it. The greatest size is "
        "10,000, or two thirds of the scored images where those are fewer. Logistic regressions "
        "are fitted too, at laptop scale on dSprites alone. Published: rank "
        "correlations on dSprites (Figures 5 and 6), printed in figures only. Intervals are "
        "Fisher's, as if all runs were independent; verdicts have intervals over settings."
    )
    rows = found.rows((*METRICS.values(), *TITLES))
    return Made(HEAD, body, rows, pictures, [*study.notes(found, "dSprites"), text])


downstream = Exhibit(
    "key result 5", "Scores against the use of codes for a later task", make, claims.downstream
)
