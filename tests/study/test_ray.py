"""The Ray engine on a real cluster: a head, and two nodes, one of which is killed in the middle.

Starting a cluster takes a minute: these tests run by `make test-cluster` and `.ci/remote` only.
"""

import csv
import os
import subprocess
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.inline import inline
from typer.testing import CliRunner

from gordium import plugins
from gordium.cli.main import app
from gordium.methods import METHODS
from gordium.plugins import load_plugins
from gordium.report.rows import write_rows
from gordium.report.study_rows import study_rows
from gordium.study import ray_engine as engine_file
from gordium.study.display import Display
from gordium.study.engine import Job
from gordium.study.ray_engine import ray_engine
from gordium.study.read import study_of
from gordium.study.runner import run_study
from gordium.study.store import Store

slow = pytest.mark.skipif(
    "GORDIUM_TEST_CLUSTER" not in os.environ, reason="a cluster takes a minute: make test-cluster"
)

NODE = {"num_cpus": 1, "include_log_monitor": False}
PLUGIN = """
import os
from dataclasses import dataclass
import gordium as gd
from gordium.methods import Method, weighted_sum
from gordium.methods.terms import reconstruction

@gd.register
@dataclass(frozen=True)
class Plain(Method):
    stochastic = False

    def __call__(self, out, context):
        return weighted_sum(reconstruction=(1.0, reconstruction(out)))

def where(*, report):
    import ray
    gpus = [str(number) for number in ray.get_gpu_ids()]
    return ray.get_runtime_context().get_node_id(), gpus, os.environ["OMP_NUM_THREADS"]
"""


def tables(n_seeds: int, steps: int) -> dict[str, Any]:
    """Runs of a plugin's method, a change learned from two others, and one that fails."""
    return {
        "name": "short",
        "metrics": ["mig"],
        "seeds": n_seeds,
        "first_seed": 10,
        "settings": {
            "steps": steps,
            "architecture": {"name": "mlp", "encoder_widths": [32], "decoder_widths": [32]},
        },
        "data": {
            "room": {
                "name": "shapes3d",
                "size": 16,
                "hold": {"floor_hue": 0, "wall_hue": 5, "object_hue": 8, "shape": 0},
                "variants": ["original", "modified"],
                "epsilon": 0.175,
                "search": {
                    "method": {"name": "beta-vae", "beta": 0.01},
                    "seeds": 2,
                    "learning": {"steps": 3, "batch_size": 8},
                },
            },
            "square": {"name": "synthetic-linear", "n": 200},
        },
        "method": {
            "Plain": {"data": ["room"]},
            "slow-vae": {"data": ["square"]},  # needs pairs, and this data set has none
        },
    }


@pytest.fixture(scope="module")
def cluster():
    """Its head does no work, and the driver may be at any of its nodes; the first has a GPU."""
    utils = pytest.importorskip("ray.cluster_utils")
    head = {"include_dashboard": False, "no_monitor": True, **NODE, "num_cpus": 0}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")  # else all other work of the machine goes first
        found = utils.Cluster(initialize_head=True, head_node_args=head)
        found.nodes = [found.add_node(**NODE, num_gpus=1), found.add_node(**NODE)]
    yield found
    found.shutdown()


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A plugin that is a file; afterwards nothing of it is known."""
    (tmp_path / "tiny.py").write_text(PLUGIN)
    monkeypatch.setattr(plugins, "_loaded", {})
    load_plugins([str(tmp_path / "tiny.py")])
    yield sys.modules["tiny"]
    del sys.modules["tiny"], METHODS["Plain"]


def rows_text(store: Store) -> str:
    write_rows(store.folder / "rows.csv", study_rows(store))
    return (store.folder / "rows.csv").read_text()


def is_busy(node: Any) -> bool:
    """Whether a process of this node is inside a task, which is then its title."""
    raylet = node.all_processes["raylet"][0].process.pid
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            if parent == raylet and "ray::_work" in (stat.parent / "cmdline").read_text():
                return True
    return False


def own_node() -> str:
    """The node that this process is at: all nodes are on this machine, and it may be any."""
    import ray

    return ray.get_runtime_context().get_node_id()


def when(condition: Callable[[], bool], act: Callable[[], None]) -> threading.Thread:
    def watch() -> None:
        deadline = time.monotonic() + 900
        while not condition() and time.monotonic() < deadline:
            time.sleep(0.2)
        act()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def checkpoints(store: Store) -> int:
    return len(list((store.folder / "work").glob("*/checkpoint.safetensors")))


@slow
@pytest.mark.filterwarnings("ignore")  # Ray leaves sockets and files to the collector
def test_a_run_that_wants_a_gpu_is_given_one_where_there_is_one(cluster: Any, tiny: Any) -> None:
    """The GPU is only declared, as a node without one cannot have it: this is about placement."""
    jobs = [Job(f"job {number}", tiny.where, ()) for number in range(2)]
    with ray_engine(cluster.address, gpus_per_run=1) as engine:
        outcomes = engine(jobs)
    assert [outcome.error for outcome in outcomes] == [None, None]
    assert [outcome.result for outcome in outcomes] == [(cluster.nodes[0].node_id, ["0"], "1")] * 2


@slow
@pytest.mark.filterwarnings("ignore")
def test_ctrl_c_and_a_killed_node_change_no_row(
    cluster: Any, tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_of(tables(n_seeds=2, steps=600))
    calm, hurt = Store(tmp_path / "calm"), Store(tmp_path / "hurt")
    run_study(study, calm, engine=inline)
    trains = threading.Event()
    killed: list[bool] = []
    with monkeypatch.context() as spied, ray_engine(cluster.address) as engine:
        spied.setattr(Display, "progress", lambda *told: trains.set())
        watching = when(trains.is_set, interrupt_main)
        with pytest.raises(KeyboardInterrupt):
            run_study(study, hurt, workers=None, engine=engine)
        watching.join()
    assert not hurt.list_claimed()
    assert checkpoints(hurt) >= 1  # saved because of the interruption: 30 s are not over

    with ray_engine(cluster.address) as engine:
        node = next(node for node in cluster.nodes if node.node_id != own_node())

        def kill() -> None:
            killed.append(is_busy(node))
            cluster.remove_node(node, allow_graceful=False)

        watching = when(lambda: len(hurt.read_finished()) >= 1 and is_busy(node), kill)
        ended = run_study(study, hurt, workers=None, engine=engine)
        watching.join()
    assert killed == [True]
    # Two runs of the search, the change, two runs on each variant; two runs that fail.
    assert (ended.finished, len(ended.failed), ended.waiting) == (2 + 1 + 4, 2, 0)
    assert all("not a grid" in failure["error"] for failure in ended.failed.values())
    assert rows_text(hurt) == rows_text(calm)
    rows = list(csv.DictReader(rows_text(hurt).splitlines()))
    assert len({row["run"] for row in rows}) == 2 + 4 + 2
    assert len({(row["run"], row["metric"]) for row in rows}) == len(rows)


def test_without_ray_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(engine_file.importlib, "import_module", missing)
    with (
        pytest.raises(ValueError, match=r"pip install 'gordium\[cluster\]'"),
        ray_engine(),
    ):
        pass


def test_ray_is_not_imported_unless_asked_for() -> None:
    code = "import sys, gordium.cli.main, gordium.study.runner; print('ray' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_an_address_is_of_a_ray_cluster(tmp_path: Path) -> None:
    study = Path(__file__).parents[2] / "studies" / "tiny.toml"
    words = ["study", "run", str(study), "--out", str(tmp_path), "--address", "auto"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "add --engine ray" in done.output
    done = CliRunner().invoke(app, [*words, "--engine", "rya"])
    assert done.exit_code == 1
    assert "unknown engine 'rya'. Did you mean ray" in done.output
