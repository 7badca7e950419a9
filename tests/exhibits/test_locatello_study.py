"""Exhibits of Locatello et al. 2019 from rows whose answers are known, and at their smallest."""

from pathlib import Path

import numpy as np
import pytest

from gordium.exhibits import (
    locatello_downstream,
    locatello_figure1,
    locatello_figure2,
    locatello_figure3,
    locatello_selection,
    locatello_variance,
)
from gordium.exhibits.base import Place
from gordium.exhibits.locatello_study import METRICS
from gordium.exhibits.ranks import rank

MODULES = (
    locatello_figure1,
    locatello_figure2,
    locatello_figure3,
    locatello_variance,
    locatello_selection,
    locatello_downstream,
)
DATA = ("dsprites", "shapes3d", "color-dsprites", "noisy-dsprites", "cars3d-like")


def noise(*label):
    """A number between 0 and 1 that depends on the whole label and on nothing else."""
    seed = list(str(label).encode())
    return float(np.random.default_rng(seed).random())


def verdicts(made):
    return {effect.statement: effect.seen for effect in made.effects}


@pytest.mark.parametrize("sign", [1, -1])
def test_total_correlations_move_with_the_strength(pretended, sign):
    def value(dataset, variant, method, strength, seed):
        moved = sign * np.log(strength) + 0.1 * noise(method, seed)
        return {"total_correlation": -moved, "gaussian_total_correlation": moved}

    found = locatello_figure1.made(pretended("locatello2019", value, seeds=3))
    seen = verdicts(found)
    assert len(seen) == 2 * len(DATA)  # two codes
    assert set(seen.values()) == {sign > 0}
    assert not any(line[1] == "annealed-vae" for line in found.table)
    assert set(found.pictures) == {f"{name}.png" for name in DATA}


def test_metrics_that_agree_but_one(pretended):
    def value(dataset, variant, method, strength, seed):
        good = noise(dataset, method, strength, seed)
        own = {name: good for name in METRICS.values()}
        return {**own, "modularity": noise(seed, dataset, strength, method)}

    found = locatello_figure2.made(pretended("locatello2019", value, seeds=3))
    seen = verdicts(found)
    assert seen["dsprites: MIG and DCI are strongly correlated"]
    assert seen["dsprites: all metrics but Modularity are correlated with each other"]
    assert seen["dsprites: Modularity agrees least"]
    line = next(line for line in found.table if line[:2] == ("dsprites", "MIG"))
    assert line[2] == "+1.00 [+1.00, +1.00]"


def test_metrics_that_are_noise_are_not_called_correlated(pretended):
    def value(*label):
        return {name: noise(name, *label) for name in METRICS.values()}

    seen = verdicts(locatello_figure2.made(pretended("locatello2019", value, seeds=3)))
    assert not seen["dsprites: BetaVAE and FactorVAE are strongly correlated"]
    assert not seen["dsprites: all metrics but Modularity are correlated with each other"]


def test_scores_that_overlap_and_scores_that_do_not(pretended):
    def luck(*label):
        return {"factor_vae_score": noise(*label)}

    seen = verdicts(locatello_figure3.made(pretended("locatello2019", luck)))
    assert seen["dsprites: the scores of all methods overlap"]
    name = "dsprites: a good run of factor-vae at a bad strength beats a bad run at a good one"
    assert seen[name]

    def full_marks(dataset, variant, method, strength, seed):
        return {"factor_vae_score": 1.0 if seed else 0.9}

    seen = verdicts(locatello_figure3.made(pretended("locatello2019", full_marks, seeds=3)))
    assert seen["dsprites: the scores of all methods overlap"]
    assert not seen[name]

    def method_alone(dataset, variant, method, strength, seed):
        return {"factor_vae_score": len(method) + 0.1 * strength + 0.001 * seed}

    seen = verdicts(locatello_figure3.made(pretended("locatello2019", method_alone)))
    assert not seen["dsprites: the scores of all methods overlap"]
    assert not seen[name]


def test_variance_is_explained_by_what_was_varied(pretended):
    def by_strength(dataset, variant, method, strength, seed):
        return {name: strength + 3 * noise(seed, strength, name) for name in METRICS.values()}

    found = locatello_variance.made(pretended("locatello2019", by_strength))
    seen = verdicts(found)
    start = "dsprites: the strength explains more than the objective alone does"
    assert any(text.startswith(start) and flag for text, flag in seen.items())
    line = next(line for line in found.table if line[:3] == ("dsprites", "MIG", "objective"))
    assert line[3] == "26 %"

    def by_method(dataset, variant, method, strength, seed):
        return dict.fromkeys(METRICS.values(), float(ord(method[0])))

    seen = verdicts(locatello_variance.made(pretended("locatello2019", by_method)))
    assert not any(seen.values())


def test_settings_that_are_good_for_ever_transfer(pretended):
    def value(dataset, variant, method, strength, seed):
        good = noise(method, strength)
        return {**{name: good for name in METRICS.values()}, "elbo": good, "kl": noise(seed)}

    found = locatello_selection.made(pretended("locatello2019", value, seeds=3))
    # The best setting is the best everywhere: at least as good as any other, always.
    assert found.table[0][:3] == ("transfer: same metric, same data set", "80.7 %", "100.0 %")
    seen = verdicts(found)
    assert seen["on the same metric and data set the best setting does better than a random one"]
    assert not seen["less of that is left on another data set"]
    assert not seen["no score that needs no labels is correlated with the metrics throughout"]


def test_usefulness_that_follows_the_metrics(pretended):
    def value(dataset, variant, method, strength, seed):
        good = noise(method, strength, seed)
        late = noise(seed, strength, method) if dataset == "dsprites" else good
        own = {name: good for name in METRICS.values()}
        return {**own, "downstream": good, "downstream.efficiency": late}

    seen = verdicts(locatello_downstream.made(pretended("locatello2019", value, seeds=3)))
    start = "metrics but Modularity are correlated with the accuracy of a later task"
    assert seen[f"dsprites: {start}"]
    assert seen["dsprites: higher scores do not reliably mean fewer samples"]
    assert not seen["shapes3d: higher scores do not reliably mean fewer samples"]


def test_ranks_of_known_pairs():
    assert rank([1, 2, 3, 4], [10, 20, 30, 40])[:3] == pytest.approx((1, 1, 1))
    assert rank([1, 2, 3], [3, 2, 1]).rho == pytest.approx(-1)
    # Ranks 1 2 3 4 and 2 1 4 3: rho = 1 - 6 * 4 / (4 * 15).
    assert rank([1, 2, 3, 4], [2, 1, 4, 3]).rho == pytest.approx(0.6)
    assert np.isnan(rank([1, 2, 3], [5, 5, 5]).rho)
    assert rank([1, np.nan, 3, 4], [1, 2, 3, 4]).n == 3
    assert str(rank([], [])) == "undefined"


def test_all_exhibits_at_their_smallest_share_one_study(tmp_path: Path, few_arms):
    few_arms("beta-vae", "beta-tcvae")
    for module in MODULES:
        made = module.make(Place("smoke", tmp_path, 1))
        assert made.notes[0].endswith("runs are finished.")
        assert made.effects
        assert made.rows
        assert all(len(line) == len(made.head) for line in made.table)
        assert all(picture.startswith(b"\x89PNG") for picture in made.pictures.values())
