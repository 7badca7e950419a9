"""What each phase of a data set asks for next: search by rounds, changes, probes, controls."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.inline import inline

from gordium.datasets import Noisy, Waved
from gordium.evaluation.representation import Representation
from gordium.manipulation import Chosen, Room
from gordium.report.study_rows import study_rows
from gordium.study import jobs, searching
from gordium.study.changes import assign_roles, list_changes
from gordium.study.data import ALL_VARIANTS
from gordium.study.equal_noise import draw_equal_noise, measure_size
from gordium.study.here import Here
from gordium.study.nodes import ROOM, Known
from gordium.study.phases import Probed, draw_candidates, pick_most_harmful
from gordium.study.plan import make_plan
from gordium.study.read import read_study, study_of
from gordium.study.remote import open_store
from gordium.study.runner import run_study
from gordium.study.searching import GaveUp, find_asked_room, plan_search
from gordium.study.store import Store
from gordium.study.tasks import RoomTask

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "studies" / "demo.toml"


@pytest.fixture
def search_of(tmp_path, monkeypatch):
    """search_of(study, scores): the search when its first runs have these scores.

    It finds `rooms` one after the other, and what it asks for next is told by seed or by kind.
    """
    monkeypatch.setattr(searching, "_history", lambda folder: [{"step": 1, "loss": 100.0}])

    def plan(study, *scores, rooms=(-1.0,), learned=()):
        [name] = study.data
        nodes = searching.search_nodes(name, study)
        records = {
            node.key: {"key": node.key, "scores": {"mig": score}, "over_pruned": False}
            for node, score in zip(nodes, scores, strict=False)
        }
        records |= {key: {"key": key} for key in learned}
        here = Here(name, study, Store(tmp_path), Known(records, lambda node: True))
        for room in (*rooms, None):
            asked, chosen = plan_search(here)
            left = [node for node in asked if node.key not in records]
            if [node.kind for node in left] != [ROOM] or room is None:
                break
            records[left[0].key] = {"key": left[0].key, "room": room}
        return [node.labels.get("seed", node.kind) for node in left], chosen

    return plan


def demo(scale="0", **search):
    tables = tomllib.loads(DEMO.read_text(encoding="utf-8"))
    known = tables["scale"][scale]["data"]["shapes3d"]
    known["search"] = {**known.get("search", {}), **search}
    return study_of(tables, scale)


def test_a_search_goes_on_until_it_has_both_kinds(search_of):
    assert search_of(demo()) == ([10_000, 10_001, 10_002, 10_003], None)
    one_sided = (0.7, 0.7, 0.6, 0.1)
    assert search_of(demo(), *one_sided) == ([10_004, 10_005, 10_006, 10_007], None)
    left, chosen = search_of(demo(), *one_sided, 0.5, 0.3, 0.45, 0.41)
    assert left == []
    seeds = [[node.labels["seed"] for node in kind] for kind in chosen]
    assert seeds == [[10_000, 10_001, 10_002], [10_003, 10_005]]


BOTH, NEITHER = (0.7, 0.6, 0.1, 0.2), (0.5, 0.5, 0.5, 0.5)


def test_room_is_asked_first_and_the_search_goes_on_with_later_runs_if_there_is_none(search_of):
    assert search_of(demo(), *BOTH, rooms=()) == (["room"], None)
    seeds = [[node.labels["seed"] for node in kind] for kind in search_of(demo(), *BOTH)[1]]
    assert seeds == [[10_000, 10_001], [10_002, 10_003]]
    assert search_of(demo(), *BOTH, rooms=[0.0]) == (list(range(10_004, 10_008)), None)
    # A round that finds too few asks nothing, and the runs that were refused stay out.
    assert search_of(demo(), *BOTH, *NEITHER, rooms=[0.3])[0] == list(range(10_008, 10_012))
    later = (*BOTH, *NEITHER, *BOTH)
    assert search_of(demo(), *later, rooms=[0.3]) == (["room"], None)
    left, chosen = search_of(demo(), *later, rooms=[0.3, -0.1])
    assert left == []
    seeds = [[node.labels["seed"] for node in kind] for kind in chosen]
    assert seeds == [[10_008, 10_009], [10_010, 10_011]]
    first = search_of(demo(most_used=1), *BOTH, *BOTH, rooms=[0.3, -0.1])[1]
    assert first.disentangled[0].labels["seed"] == 10_004


def test_a_search_in_which_nothing_pays_gives_up(search_of):
    with pytest.raises(GaveUp) as e:
        search_of(demo(seeds=12), *BOTH, *BOTH, *NEITHER, rooms=[0.25, 0.5])
    assert str(e.value) == (
        "of 12 runs on the original images, both kinds were found 2 times, but no change can pay: "
        "no wave of size 0.175 makes L_ent - L_dis lower than it is on the originals (at best "
        "+0.25). Search more seeds, or learn all the same with search.room = false. There is "
        "nothing to learn a change of shapes3d from."
    )
    assert [node.kind for node in e.value.searched] == ["run"] * 12 + ["room"] * 2
    with pytest.raises(GaveUp, match="both kinds were found once, but no change can pay"):
        search_of(demo(seeds=4), *BOTH, rooms=[0.0])


def test_no_room_is_asked_for_where_changes_are_learned_already_or_it_cannot_be_known(
    search_of, tmp_path
):
    study = demo()
    _, chosen = search_of(study, *BOTH)
    here = Here("shapes3d", study, Store(tmp_path), Known({}, lambda node: True))
    learned = [node.key for node in list_changes(here, chosen, "modified")]
    assert search_of(study, *BOTH, rooms=(), learned=learned) == ([], chosen)
    assert search_of(study, *BOTH, rooms=(), learned=learned[1:]) == (["room"], None)
    trained = {"seed": 11_000, "settled": False}
    for other in (demo(room=False), demo(learning=trained)):
        assert search_of(other, *BOTH, rooms=())[0] == []
    # No two changes that are learned from the same runs ask twice.
    swapped = list_changes(here, chosen, "swapped")
    rooms = {RoomTask.before(node.task).key for node in list_changes(here, chosen, "modified")}
    assert len(rooms) == 1
    assert RoomTask.before(swapped[0].task).key not in rooms


def test_without_labels_the_run_that_agrees_with_others_counts_as_disentangled(
    tmp_path, monkeypatch
):
    """Two runs have the same code for each factor, the third mixes them; MIG says the contrary."""
    factors = np.random.default_rng(0).normal(size=(400, 2))
    turned = factors @ np.array([[1.0, 1.0], [1.0, -1.0]]) / np.sqrt(2)
    codes = iter([factors, turned, factors[:, ::-1]])
    monkeypatch.setattr(
        searching,
        "load_representation",
        lambda folder: Representation(next(codes), np.full((400, 2), -5.0), factors),
    )
    tables = tomllib.loads(DEMO.read_text(encoding="utf-8"))
    known = tables["data"]["shapes3d"]["search"]
    for name in ("limits", "waves", "probe", "learning", "per_round"):
        known.pop(name)
    known |= {"seeds": 3, "by": "udr", "disentangled": 1, "entangled": 1}
    tables["data"]["shapes3d"]["variants"] = ["original", "modified"]
    study = study_of(tables, "0")
    nodes = searching.search_nodes("shapes3d", study)
    records = {
        node.key: {"key": node.key, "scores": {"mig": mig}, "over_pruned": False}
        for node, mig in zip(nodes, (0.1, 0.9, 0.2), strict=True)
    }
    here = Here("shapes3d", study, Store(tmp_path), Known(records, lambda node: True))
    _, chosen = plan_search(here)
    assert [node.labels["seed"] for node in chosen.entangled] == [10_001]
    assert chosen.disentangled[0].labels["seed"] in (10_000, 10_002)


def test_a_search_that_finds_one_kind_only_gives_up(search_of):
    assert len(search_of(demo(seeds=6), *[0.7] * 4)[0]) == 2
    with pytest.raises(GaveUp, match="of 6 runs on the original images, 6 are disentangled") as e:
        search_of(demo(seeds=6), *[0.7] * 6)
    assert "2 disentangled and 2 entangled are needed" in str(e.value)
    assert [node.labels["seed"] for node in e.value.searched] == list(range(10_000, 10_006))


def test_where_turned_copies_stand_in_aligned_runs_are_all_that_is_searched_and_used(search_of):
    how = demo("1-turned")
    assert search_of(how, 0.8, 0.1)[0] == [10_002, 10_003]
    assert search_of(how, 0.8, 0.1, 0.7, 0.2)[0] == []
    with pytest.raises(GaveUp, match="2 runs on the original images, 1 are disentangled, with"):
        search_of(demo("1-turned", seeds=2), 0.8, 0.1)
    search, chosen = how.data["shapes3d"].search, Chosen(["aligned"], ["entangled"])
    assert assign_roles(search, chosen, "modified") == Chosen(["aligned"], [])
    assert assign_roles(search, chosen, "swapped") == Chosen([], ["aligned"])


def test_the_control_with_swapped_roles_is_learned_against_the_entangled_runs():
    search, chosen = demo().data["shapes3d"].search, Chosen(["aligned", "more"], ["entangled"])
    assert assign_roles(search, chosen, "modified") == chosen
    assert assign_roles(search, chosen, "swapped") == Chosen(["entangled"], ["aligned", "more"])
    few = demo(most_used=1).data["shapes3d"].search
    assert assign_roles(few, chosen, "modified") == Chosen(["aligned"], ["entangled"])


def test_a_designed_change_needs_one_run_and_is_taken_unprobed(search_of):
    how = demo("1-designed")
    assert search_of(how)[0] == [10_000]
    assert search_of(how, 0.1)[0] == []
    data = how.data["shapes3d"]
    assert assign_roles(data.search, Chosen(["a"], ["b"]), "modified") == Chosen(["a"], [])
    assert [rehearsal.n_runs for rehearsal in data.list_rehearsals()] == [40]


def test_each_control_has_as_many_candidates_as_the_change():
    data = demo().data["shapes3d"]
    noise, waves = (draw_candidates(data, variant) for variant in ("worst noise", "waves"))
    assert [type(some[0]) for some in (noise, waves)] == [Noisy, Waved]
    assert [each.seed for each in noise] == [14_000, 14_001, 14_002, 14_003]
    assert [each.seed for each in waves] == [14_000, 14_001, 14_002, 14_003]


def test_the_most_harmful_candidate_is_not_one_that_put_a_unit_to_sleep():
    awake, asleep = Probed(0.3, over_pruned=False), Probed(0.0, over_pruned=True)
    assert pick_most_harmful([[asleep, asleep], [awake, awake], [awake, Probed(0.2, False)]]) == 2


TINY = """
name = "tiny"
seeds = 1
first_seed = 20
[settings]
steps = 100
architecture = { name = "mlp", encoder_widths = [64], decoder_widths = [64] }
optimiser = { name = "adam", learning_rate = 1e-2 }
[method.beta-vae]
beta = 0.01
[data.room]
name = "shapes3d"
size = 16
hold = { wall_hue = 5, object_hue = 0, scale = 4, shape = 0 }
variants = ["original", "modified", "noise", "equal noise", "worst noise"]
epsilon = 0.175
[data.room.search]
method = { name = "beta-vae", beta = 0.01 }
seeds = 2
per_round = 1
entangled = 0
limits = { disentangled = 0.0, loss = 1e9 }
learning = { steps = 2, smoothing = 0.3 }
"""


def test_a_search_that_gives_up_stops_no_other_data_set_and_ends_in_an_error(tmp_path):
    tables = tomllib.loads(TINY)
    room = tables["data"]["room"]
    never = {**room["search"], "limits": {"disentangled": 2.0}}
    tables["data"]["hall"] = {**room, "hold": {**room["hold"], "scale": 5}, "search": never}
    study, store = study_of(tables), Store(tmp_path)
    with pytest.raises(GaveUp, match="nothing to learn a change of hall from"):
        run_study(study, store, engine=inline)
    plan = make_plan(study, store)
    assert [str(error).split()[-2] for error in plan.gave_up] == ["hall"]
    labels = [(node.labels["data"], node.labels["variant"]) for node in plan.nodes]
    assert [v for name, v in labels if name == "hall"] == ["search", "search"]
    fresh = ["original", "modified", "noise", "equal noise", "worst noise"]
    assert [v for name, v in labels if name == "room"] == ["search", "manipulation", *fresh]
    assert plan.waiting == 5
    # One draw of noise is also the worst of one: its run has two names, and a row under each.
    keys = {
        node.labels["variant"]: node.key for node in plan.nodes if node.labels["data"] == "room"
    }
    assert keys["noise"] == keys["worst noise"]
    rows = [row.variant for row in study_rows(store) if row.metric == "mig" and row.seed == 20]
    assert rows == fresh


def ask_room(seeds=4):
    """Runs of every score are of both kinds, so that the kinds are the same runs."""
    tables = tomllib.loads(TINY)
    room = tables["data"]["room"]
    room["variants"] = ["original", "modified"]
    room["search"] |= {
        "seeds": seeds,
        "per_round": 2,
        "entangled": 1,
        "limits": {"disentangled": 0.0, "entangled": 1.0, "loss": 1e9},
        "learning": {"steps": 2, "settled": True},
    }
    return study_of(tables)


@pytest.mark.parametrize("place", ["folder", "address"])
def test_a_study_in_which_nothing_pays_searches_on_says_so_and_gives_up(
    place, tmp_path, monkeypatch
):
    """The same runs lose the same on any images, so a change gains 0; it is killed after each."""
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "cache"))
    fsspec = pytest.importorskip("fsspec")
    where = str(tmp_path / "folder") if place == "folder" else "memory://bucket/room"
    said = []

    def killed(jobs, *, take, ended, **options):
        [outcome] = inline(jobs[:1], take=take, ended=ended)
        said.append((outcome.job.label, outcome.result.shown))
        raise KeyboardInterrupt

    study = ask_room()
    try:
        for _ in range(6):  # four runs of the search and two rooms
            store = open_store(where)
            with pytest.raises(KeyboardInterrupt):
                run_study(study, store, engine=killed)
            store.close()
        with pytest.raises(GaveUp, match=r"found 2 times, but no change can pay: .* best \+0\)"):
            run_study(study, open_store(where), engine=inline)
    finally:
        fsspec.filesystem("memory").store.clear()
    rooms = [shown for label, shown in said if label == "room room"]
    assert rooms == [{"L_ent - L_dis": 0.0, "no change can pay": True}] * 2
    assert [label.split()[1] for label, _ in said] == (["search", "search", "room"] * 2)


def test_a_study_in_which_something_pays_is_planned_as_if_nothing_had_been_asked(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(jobs, "find_room", lambda *some, **named: Room(-0.5, 70.0, (1.0,), 2.0))
    study, store = ask_room(), Store(tmp_path / "asked")
    run_study(study, store, engine=inline)
    record = find_asked_room("room", study, store)
    assert (record["room"], record["tied"]) == (-0.5, 70.0)
    tables = ask_room()
    search = replace(tables.data["room"].search, room=False)
    data = {"room": replace(tables.data["room"], search=search)}
    other, plain = replace(tables, data=data), Store(tmp_path / "plain")
    run_study(other, plain, engine=inline)
    assert find_asked_room("room", other, plain) is None
    nodes, expected = (
        [node for node in make_plan(*each).nodes if node.kind != ROOM]
        for each in ((study, store), (other, plain))
    )
    assert [(node.key, node.labels) for node in nodes] == [(n.key, n.labels) for n in expected]
    # A folder from before rooms were asked for is done as it is.
    done = run_study(study, plain, engine=inline)
    assert (done.finished, done.waiting) == (len(expected), 0)


def test_what_came_later_is_left_out_of_declarations_at_its_default():
    data = study_of(tomllib.loads((ROOT / "studies" / "tiny.toml").read_text())).data["room"]
    assert set(data.declaration) == {"dataset", "variants", "epsilon", "seeds", "search"}
    old = {"method", "settings", "seeds", "disentangled", "entangled", "learning", "restarts"}
    assert set(data.search.declaration) == old
    [data] = read_study(DEMO, "0").data.values()
    assert data.declaration["noise_seed"] == 14_000
    later = {"limits", "per_round", "waves", "probe"}
    assert set(data.search.declaration) == old | later
    assert demo(room=False).data["shapes3d"].search.declaration["room"] is False


def test_the_example_on_data_of_ones_own_is_read_and_planned(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    section = page.partition("## The demo's experiment on your data")[2]
    example = section.partition("```toml\n")[2].partition("```")[0]
    factors = np.stack(np.meshgrid(np.arange(6), np.arange(5), indexing="ij"), -1).reshape(-1, 2)
    images = np.random.default_rng(0).integers(0, 255, (30, 16, 16, 3), dtype=np.uint8)
    monkeypatch.chdir(tmp_path)
    np.savez("mine.npz", images=images, factors=factors, names=np.array(["a", "b"]))
    (tmp_path / "mine.toml").write_text(example, encoding="utf-8")
    study = read_study(tmp_path / "mine.toml")
    [data] = study.data.values()
    assert data.variants == ALL_VARIANTS
    plan = make_plan(study, Store(tmp_path / "out"))
    variants = [node.labels["variant"] for node in plan.nodes]
    n = len(study.seeds)
    assert variants == ["search"] * data.search.per_round + ["original", "noise"] * n
    assert plan.waiting == n * 5


def test_equal_noise_has_the_energy_of_the_change_within_the_same_bound():
    base = demo().data["shapes3d"].dataset
    changed = Waved(base, 0.175, seed=1)
    equal = draw_equal_noise(base, changed, 0.175, seed=3)
    assert measure_size(base, equal) == pytest.approx(measure_size(base, changed), rel=0.01)
    assert equal.epsilon <= 0.175
    assert draw_equal_noise(base, base, 0.175, seed=3).epsilon == 0


def test_a_wave_has_nearly_full_size_and_depends_on_one_number():
    base = demo().data["shapes3d"].dataset
    indices = np.arange(len(base))
    change = Waved(base, 0.1, seed=1).images(indices) / 255.0 - base.images(indices) / 255.0
    assert np.abs(change).max() <= 0.1 + 1 / 255
    assert np.abs(change).mean() > 0.07
    again = Waved(base, 0.1, seed=1).images(indices)
    assert np.array_equal(again, Waved(base, 0.1, seed=1).images(indices))
    assert not np.array_equal(again, Waved(base, 0.1, seed=2).images(indices))
