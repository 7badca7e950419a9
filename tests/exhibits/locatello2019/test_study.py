"""Exhibits of Locatello et al. 2019 from rows whose answers are known, and at their smallest."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gordium.exhibits.base import Place
from gordium.exhibits.catalogue import CATALOGUE
from gordium.exhibits.locatello2019 import downstream as locatello_downstream
from gordium.exhibits.locatello2019 import figure1 as locatello_figure1
from gordium.exhibits.locatello2019 import figure2 as locatello_figure2
from gordium.exhibits.locatello2019 import model_selection as locatello_selection
from gordium.exhibits.locatello2019 import variance_explained as locatello_variance
from gordium.exhibits.locatello2019.claims import CHOSEN_LATE, figure2
from gordium.exhibits.locatello2019.names import METRICS
from gordium.exhibits.studies import declare_study
from gordium.report.statistics.correlation import rank, say_rank
from gordium.report.statistics.verdicts import settle
from gordium.study.plan import make_plan
from gordium.study.store import Store

NAMES = [name for name in CATALOGUE if re.match("locatello2019-(?!theorem)", name)]
DATA = ("dsprites", "shapes3d", "color-dsprites", "noisy-dsprites", "cars3d-like")
OLD = "unscaled"  # where some data sets have fewer seeds than others


def noise(*label):
    """A number between 0 and 1 that depends on the whole label and on nothing else."""
    seed = list(str(label).encode())
    return float(np.random.default_rng(seed).random())


@pytest.mark.parametrize("sign", [1, -1])
def test_total_correlations_move_with_the_strength(pretended, judged, sign):
    def value(dataset, variant, method, strength, seed):
        moved = sign * np.log(strength) + 0.1 * noise(method, seed, strength)
        return {"total_correlation": -moved, "gaussian_total_correlation": moved}

    found = locatello_figure1.show(pretended("locatello2019", value, seeds=10))
    outcomes = judged("locatello2019-figure1", found)
    text = "the total correlation of sampled codes falls with the strength, nats"
    # The figure is of Color-dSprites; what is found on others is shown.
    assert outcomes[text] == ("seen" if sign > 0 else "not seen")
    assert outcomes[f"{text}: color-dsprites"] == outcomes[text]
    assert outcomes[f"{text}: cars3d-like"] == "not judged"
    assert not any(line[1] == "annealed-vae" for line in found.table)
    assert set(found.pictures) == {f"{name}.png" for name in DATA if name != "shapes3d"}


def test_a_set_with_few_seeds_stays_open(pretended, judged):
    def value(dataset, variant, method, strength, seed):
        moved = np.log(strength) + 0.1 * noise(method, seed)
        return {"total_correlation": -moved, "gaussian_total_correlation": moved}

    found = locatello_figure1.show(pretended("locatello2019", value, OLD, seeds=10))
    outcomes = judged("locatello2019-figure1", found)
    text = "the total correlation of sampled codes falls with the strength, nats"
    assert outcomes[text] == "inconclusive"  # Color-dSprites has three seeds of its own


AGREE = "all metrics but Modularity are correlated with each other"
LEAST = "Modularity agrees least with the others, difference of mean rho"


def nearly(good, *label):
    """All metrics with nearly the same value: equal ranks would leave no spread to judge by."""
    return {name: good + 0.05 * noise(name, *label) for name in METRICS.values()}


def test_metrics_that_agree_but_one(pretended, judged):
    def value(*label):
        dataset, _, method, strength, seed = label
        own = nearly(noise(dataset, method, strength, seed), label)
        return {**own, "modularity": noise(seed, dataset, strength, method)}

    found = locatello_figure2.show(pretended("locatello2019", value, seeds=10))
    outcomes = judged("locatello2019-figure2", found)
    assert outcomes[AGREE] == "seen"
    least = {line: said for line, said in outcomes.items() if line.startswith(f"{LEAST}: ")}
    assert [said for line, said in least.items() if "noisy-dsprites" in line] == ["seen"]
    assert sorted(least.values()) == ["not judged"] * 3 + ["seen"]
    line = next(line for line in found.table if line[:2] == ("dsprites", "MIG"))
    assert line[2].startswith(("+0.99 ", "+1.00 "))


def test_one_data_set_that_is_not_printed_decides_nothing(pretended, judged):
    def value(*label):
        dataset, _, method, strength, seed = label
        own = nearly(noise(dataset, method, strength, seed), label)
        return {**own, "mig": -own["mig"]} if dataset == "cars3d-like" else own

    found = locatello_figure2.show(pretended("locatello2019", value, seeds=10))
    outcomes = judged("locatello2019-figure2", found)
    assert outcomes[AGREE] == "seen"
    assert outcomes[f"{AGREE}: cars3d-like, BetaVAE and MIG"] == "not judged"


def test_rows_that_were_there_before_the_rule_say_so(pretended):
    def value(dataset, variant, method, strength, seed):
        return {name: noise(name, dataset, method, strength, seed) for name in METRICS.values()}

    notes = {}
    for scale in (OLD, "laptop"):
        made = locatello_figure2.show(pretended("locatello2019", value, scale, seeds=10))
        notes[scale] = {claim.note for claim in figure2(pd.DataFrame(made.rows))}
    assert notes == {OLD: {CHOSEN_LATE}, "laptop": {""}}


@pytest.mark.parametrize(
    ("share", "said"), [(0.4, "inconclusive"), (0.2, "seen")], ids=["many", "few"]
)
def test_metrics_that_only_fall_together_are_not_called_correlated(pretended, share, said):
    """Pruned runs have low scores throughout; among all others the scores are noise."""

    def value(dataset, variant, method, strength, seed):
        return {name: noise(name, method, strength, seed) for name in METRICS.values()}

    made = locatello_figure2.show(pretended("locatello2019", value, seeds=10))
    rows = pd.DataFrame(made.rows)
    luck = {run: noise("pruned", run) for run in rows["run"].unique()}
    rows["over_pruned"] = rows["run"].map(luck) < share
    rows["value"] -= 5.0 * rows["over_pruned"]
    verdicts = settle(figure2(rows), exhibit="locatello2019-figure2", scale="laptop")
    agree = next(verdict for verdict in verdicts if verdict.claim.text == AGREE)
    assert agree.outcome == said
    runs = rows[rows["dataset"] == "noisy-dsprites"].drop_duplicates("run")["over_pruned"]
    for judged in agree.lines:
        assert judged.line.low > 0
        if said == "seen":
            assert judged.line.again is None
        else:
            assert judged.line.again.low < 0 < judged.line.again.high
            of = f"without the {runs.sum()} of {len(runs)} runs that over-prune"
            assert judged.line.again.of == of


def test_metrics_that_are_noise_are_not_called_correlated(pretended, judged):
    def value(*label):
        return {name: noise(name, *label) for name in METRICS.values()}

    found = locatello_figure2.show(pretended("locatello2019", value, seeds=3))
    assert "seen" not in judged("locatello2019-figure2", found).values()


def test_variance_is_explained_by_what_was_varied(pretended, judged):
    def by_strength(dataset, variant, method, strength, seed):
        return {name: strength + 15 * noise(seed, strength, name) for name in METRICS.values()}

    found = locatello_variance.show(pretended("locatello2019", by_strength, OLD, seeds=10))
    outcomes = judged("locatello2019-variance-explained", found)
    more = "the strength explains variance beyond the objective, share: dsprites, MIG"
    assert outcomes[more] == "seen"
    line = next(line for line in found.table if line[:3] == ("dsprites", "MIG", "objective"))
    assert line[3] == "26 %"
    color = next(line for line in found.table if line[:3] == ("color-dsprites", "MIG", "objective"))
    assert color[3] == "26 %"
    noisy = next(line for line in found.table if line[:3] == ("noisy-dsprites", "DCI", "objective"))
    assert noisy[3] == "21 %"


def test_settings_that_are_good_for_ever_transfer(pretended, judged):
    def value(dataset, variant, method, strength, seed):
        good = noise(method, strength)
        elbo = good + 0.1 * noise(dataset, method, strength, seed)
        return {**{name: good for name in METRICS.values()}, "elbo": elbo, "kl": noise(seed)}

    found = locatello_selection.show(pretended("locatello2019", value, seeds=3))
    # The best setting is the best everywhere: at least as good as any other, always.
    assert found.table[0][:3] == ("transfer: same metric, same data set", "80.7 %", "100.0 %")
    outcomes = judged("locatello2019-model-selection", found)
    text = "scores without labels do not go with the metrics, mean rho over metrics and data sets"
    assert outcomes[text] == "not seen"  # elbo does


def test_usefulness_that_follows_the_metrics(pretended, judged):
    def value(dataset, variant, method, strength, seed):
        good = noise(method, strength, seed)
        late = noise(seed, strength, method) if dataset == "dsprites" else good
        own = nearly(good, dataset, method, strength, seed)
        return {**own, "downstream": good, "downstream.efficiency": late}

    found = locatello_downstream.show(pretended("locatello2019", value, OLD, seeds=3))
    outcomes = judged("locatello2019-downstream", found)
    assert outcomes["metrics but Modularity go with the accuracy of a later task"] == "seen"
    # It does on four of five sets, but not on the printed one.
    text = "metrics do not go with the efficiency of a later task, rho"
    assert outcomes[f"{text}: shapes3d, MIG"] == "not judged"
    assert outcomes[text] != "not seen"


def test_logistic_regressions_are_a_metric_of_the_published_study():
    logistic = {
        scale: locatello_downstream.LOGISTIC in declare_study("locatello2019", scale).metrics
        for scale in ("smoke", OLD, "laptop", "paper")
    }
    assert logistic == {"smoke": True, OLD: False, "laptop": False, "paper": True}


@pytest.mark.parametrize("finished", [False, True])
def test_at_laptop_scale_they_are_fitted_where_they_are_printed(
    pretended, monkeypatch, tmp_path, finished
):
    completed = []

    def complete(place, study):
        completed.append(study)
        return pretended("locatello2019", lambda *label: {"mig": 1, "downstream": 1}, seeds=1)

    monkeypatch.setattr(locatello_downstream, "complete_study", complete)
    locatello_downstream.make(Place("laptop", tmp_path, 1, finished=finished))
    *first, study = completed
    assert len(first) == (not finished)
    for part in first:
        assert set(part.data) == {"dsprites"}
        assert part.metrics == (*study.metrics, locatello_downstream.LOGISTIC)
        own, every = (make_plan(some, Store(tmp_path)).nodes for some in (part, study))
        assert {n.key for n in own} < {n.key for n in every}  # no run is renamed, and none is new


def test_ranks_of_known_pairs():
    assert rank([1, 2, 3, 4], [10, 20, 30, 40])[:3] == pytest.approx((1, 1, 1), abs=1e-6)
    assert rank([1, 2, 3], [3, 2, 1]).mean == pytest.approx(-1)
    # Ranks 1 2 3 4 and 2 1 4 3: rho = 1 - 6 * 4 / (4 * 15).
    assert rank([1, 2, 3, 4], [2, 1, 4, 3]).mean == pytest.approx(0.6)
    assert np.isnan(rank([1, 2, 3], [5, 5, 5]).mean)
    assert rank([1, np.nan, 3, 4], [1, 2, 3, 4]).n == 3
    assert say_rank(rank([], [])) == "undefined"


def test_all_exhibits_at_their_smallest_share_one_study(tmp_path: Path, few_arms, judged):
    few_arms("beta-vae", "beta-tcvae")
    for name in NAMES:
        made = CATALOGUE[name].make(Place("smoke", tmp_path, 1))
        assert made.notes[0].endswith("runs are finished.")
        assert "seen" not in judged(name, made, "smoke").values()
        assert made.rows
        assert all(len(line) == len(made.head) for line in made.table)
        assert all(picture.startswith(b"\x89PNG") for picture in made.pictures.values())
