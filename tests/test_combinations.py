"""What can be done with which data: all 28 combinations work, or say why they cannot."""

import csv

import numpy as np
import pytest
from typer.testing import CliRunner

import gordium as gd
from gordium.cli.main import app
from gordium.datasets import FromNpz
from gordium.manipulation import ManipulationSettings

SETTINGS = {"steps": 2, "architecture": "linear", "likelihood": "gaussian", "device": "cpu"}
WHOLE = np.stack(np.meshgrid(range(8), range(9), indexing="ij"), -1).reshape(-1, 2)
RNG = np.random.default_rng(0)
REAL = RNG.uniform(0, 8, size=(80, 2))


def drawn(factors):
    """A blob that two factors move: a smooth function of them, as whole numbers or not."""
    rows, columns = np.indices((16, 16))
    y, x = (2 + 1.5 * column[:, None, None] for column in factors.T)
    shade = np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 8)
    return np.rint(255 * shade).astype(np.uint8)


KINDS = {
    "full grid": (drawn(WHOLE), WHOLE),
    "partial grid": (drawn(WHOLE[5:]), WHOLE[5:]),
    "real factors": (drawn(REAL), REAL),
    "vectors": (REAL @ RNG.standard_normal((2, 6)), REAL),
}
NO_GRID = "real numbers"
# Which combinations cannot be, and a part of the sentence that says why.
REFUSED = {
    ("manipulate", "real factors"): NO_GRID,
    ("manipulate", "vectors"): NO_GRID,
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("combinations")
    for kind, (images, factors) in KINDS.items():
        np.savez(folder / f"{name_of(kind)}.npz", images=images, factors=factors)
    return folder


def name_of(kind):
    return kind.replace(" ", "-")


@pytest.fixture(scope="module")
def data(place):
    return {kind: FromNpz(place / f"{name_of(kind)}.npz") for kind in KINDS}


@pytest.fixture(scope="module")
def runs(data, place):
    found = {}
    for kind, dataset in data.items():
        folder = place / "runs" / name_of(kind)
        found[kind] = gd.train("beta-vae", dataset, folder=folder, **SETTINGS)
    return found


@pytest.fixture(scope="module")
def rows(place, data):
    """The rows of one study on all kinds of data."""
    lines = ['name = "kinds"', 'metrics = ["mcc"]', "[settings]", "steps = 2"]
    lines += ['architecture = "linear"', 'likelihood = "gaussian"', "[method.beta-vae]"]
    for kind in KINDS:
        path = place / f"{name_of(kind)}.npz"
        lines += [f"[data.{name_of(kind)}]", f'path = "{path}"']
    (place / "kinds.toml").write_text("\n".join(lines))
    options = ["--out", str(place / "study"), "--workers", "1"]
    done = CliRunner().invoke(app, ["study", "run", str(place / "kinds.toml"), *options])
    assert done.exit_code == 0, done.output
    assert CliRunner().invoke(app, ["study", "rows", str(place / "study")]).exit_code == 0
    with (place / "study" / "rows.csv").open() as file:
        return list(csv.DictReader(file))


def command(*arguments):
    done = CliRunner().invoke(app, list(map(str, arguments)))
    if done.exit_code:
        raise ValueError(done.output)


def do_train(kind, data, runs, **others):
    assert np.isfinite(runs[kind].history[-1]["reconstruction"])


def do_evaluate(kind, data, runs, **others):
    scores = gd.evaluate(runs[kind], data[kind], metrics="all")
    assert 0 <= scores["mcc"] <= 1


def do_audit(kind, place, tmp_path, **others):
    command("audit", place / f"{name_of(kind)}.npz", "--points", 20, "--out", tmp_path / "audit")
    assert (tmp_path / "audit" / "audit.html").exists()


def do_explain(kind, runs, tmp_path, **others):
    command("explain", runs[kind].folder, "--points", 4, "--out", tmp_path / "explain.html")
    assert (tmp_path / "explain.html").exists()


def do_manipulate(kind, data, runs, tmp_path, **others):
    made = gd.manipulate(
        data[kind],
        disentangled=[runs[kind]],
        entangled=[runs[kind]],
        epsilon=0.1,
        folder=tmp_path / "change",
        settings=ManipulationSettings(steps=1, batch_size=4),
    )
    changed = gd.datasets.Modified(data[kind], made)
    off = changed.images([0, 3]).astype(int) - data[kind].images([0, 3])
    assert np.abs(off).max() <= np.ceil(25.5)


def do_study(kind, rows, **others):
    [value] = [r["value"] for r in rows if (r["dataset"], r["metric"]) == (name_of(kind), "mcc")]
    assert 0 <= float(value) <= 1


def do_explore(kind, runs, tmp_path, **others):
    command("explore", runs[kind].folder, "--points", 20, "--out", tmp_path / "explore.html")
    assert (tmp_path / "explore.html").exists()


VERBS = {
    "train": do_train,
    "evaluate": do_evaluate,
    "audit": do_audit,
    "explain": do_explain,
    "manipulate": do_manipulate,
    "study": do_study,
    "explore": do_explore,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("verb", VERBS)
def test_it_works_or_says_why_it_cannot(verb, kind, request, tmp_path):
    names = ("data", "runs", "place", *(["rows"] if verb == "study" else []))
    parts = {name: request.getfixturevalue(name) for name in names}
    act = VERBS[verb]
    if (verb, kind) not in REFUSED:
        act(kind, tmp_path=tmp_path, **parts)
        return
    with pytest.raises((TypeError, ValueError), match=REFUSED[verb, kind]):
        act(kind, tmp_path=tmp_path, **parts)
