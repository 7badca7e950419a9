"""What each phase of a repetition asks for next."""

from dataclasses import replace

import numpy as np
import pytest

from gordium.datasets import Noisy, Waved
from gordium.exhibits.demo import GaveUp, find_rung, phases, recipe, seeds
from gordium.exhibits.demo.phases import Probed
from gordium.manipulation import Candidate, Chosen


class Finished:
    history = ({"step": 1, "loss": 100.0},)


def found(*scores):
    return [Candidate(Finished(), score, over_pruned=False) for score in scores]


def test_no_two_repetitions_and_no_two_phases_share_a_seed():
    drawn = [s for k in range(30) for phase in range(5) for s in seeds(k, phase, 1000)]
    assert len(set(drawn)) == len(drawn)
    with pytest.raises(ValueError, match="a repetition is a number from 0 on; got -1"):
        seeds(-1, 0, 1)


def test_a_search_goes_on_until_it_has_both_kinds():
    how = recipe()
    assert phases.next_search_seeds(how, 7, []) == [80_000, 80_001, 80_002, 80_003]
    one_sided = found(0.7, 0.7, 0.6, 0.1)
    assert phases.next_search_seeds(how, 7, one_sided) == [80_004, 80_005, 80_006, 80_007]
    assert phases.next_search_seeds(how, 7, [*one_sided, *found(0.5, 0.3)]) == []


def test_a_search_that_finds_one_kind_only_gives_up():
    how = replace(recipe(), most_runs=6)
    assert len(phases.next_search_seeds(how, 0, found(*[0.7] * 4))) == 2
    with pytest.raises(GaveUp, match="of 6 runs on the original images, 6 are disentangled"):
        phases.next_search_seeds(how, 0, found(*[0.7] * 6))


def test_the_control_with_swapped_roles_is_learned_against_the_entangled_runs():
    chosen = Chosen(["aligned"], ["entangled"])
    assert phases.roles(recipe(), chosen, "modified") == chosen
    assert phases.roles(recipe(), chosen, "swapped") == Chosen(["entangled"], ["aligned"])


def test_where_turned_copies_stand_in_aligned_runs_are_all_that_is_searched_and_used():
    how, chosen = find_rung("1-turned"), Chosen(["aligned"], ["entangled"])
    assert phases.roles(how, chosen, "modified") == Chosen(["aligned"], [])
    assert phases.roles(how, chosen, "swapped") == Chosen([], ["aligned"])
    assert phases.next_search_seeds(how, 7, found(0.8, 0.1)) == [80_002, 80_003]
    assert phases.next_search_seeds(how, 7, found(0.8, 0.1, 0.7)) == []
    how = replace(how, most_runs=2)
    with pytest.raises(GaveUp, match="2 runs on the original images, 1 are disentangled, with"):
        phases.next_search_seeds(how, 7, found(0.8, 0.1))


def test_a_designed_change_needs_one_run_and_has_no_swapped_control():
    how, chosen = find_rung("1-designed"), Chosen(["a run"], ["a run"])
    assert phases.next_search_seeds(how, 7, []) == [80_000]
    assert phases.next_search_seeds(how, 7, found(0.1)) == []
    assert phases.roles(how, chosen, "modified") == Chosen(["a run"], [])
    assert phases.list_controls(how) == ("worst noise", "waves")
    assert phases.list_controls(recipe()) == ("worst noise", "waves", "swapped")


def test_each_change_has_a_seed_and_a_start_of_its_own():
    how = recipe()
    settings = phases.learning_settings(how, 0)
    assert [each.wave for each in settings] == list(how.waves)
    assert len({each.seed for each in settings}) == len(how.waves)
    # Of two starts of one size, the signs differ: they are the seed's bits.
    assert {(each.wave, each.seed % 2) for each in settings} == {
        (wave, sign) for wave in how.waves for sign in (0, 1)
    }


def test_each_control_has_as_many_candidates_as_the_change():
    how = recipe()
    sets = phases.draw_candidates(how, 3)
    assert [type(some[0]) for some in sets.values()] == [Noisy, Waved]
    assert [len(some) for some in sets.values()] == [len(how.waves)] * 2
    assert len({each.seed for each in sets["worst noise"]}) == len(how.waves)


def test_the_most_harmful_candidate_is_not_one_that_put_a_unit_to_sleep():
    awake, asleep = Probed(0.3, over_pruned=False), Probed(0.0, over_pruned=True)
    assert (
        phases.pick_most_harmful([[asleep, asleep], [awake, awake], [awake, Probed(0.2, False)]])
        == 2
    )


def test_plain_noise_is_the_first_draw_whatever_the_probes_said():
    how = recipe()
    arms = phases.arms(how, 3, {"modified": how.dataset})
    assert list(arms) == ["modified", "noise", "equal noise"]
    assert arms["noise"] == phases.draw_candidates(how, 3)["worst noise"][0]
    assert list(phases.arms(how, 3, {"waves": how.dataset})) == ["waves"]


def test_equal_noise_has_the_energy_of_the_change_within_the_same_bound():
    how = recipe()
    changed = Waved(how.dataset, how.epsilon, seed=1)
    equal = phases.arms(how, 3, {"modified": changed})["equal noise"]
    wanted = phases.measure_size(how.dataset, changed)
    assert phases.measure_size(how.dataset, equal) == pytest.approx(wanted, rel=0.01)
    assert equal.epsilon <= how.epsilon
    unchanged = phases.arms(how, 3, {"modified": how.dataset})["equal noise"]
    assert unchanged.epsilon == 0


def test_a_wave_has_nearly_full_size_and_depends_on_one_number():
    base = recipe().dataset
    indices = np.arange(len(base))
    change = Waved(base, 0.1, seed=1).images(indices) / 255.0 - base.images(indices) / 255.0
    assert np.abs(change).max() <= 0.1 + 1 / 255
    assert np.abs(change).mean() > 0.07
    again = Waved(base, 0.1, seed=1).images(indices)
    assert np.array_equal(again, Waved(base, 0.1, seed=1).images(indices))
    assert not np.array_equal(again, Waved(base, 0.1, seed=2).images(indices))
