"""Mistakes in a study's file: one line that names the file and the field, never a traceback."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gordium.cli.main import app
from gordium.study.read import read_study

GOOD = """
name = "good"
metrics = ["mig"]
seeds = 2
first_seed = 10
draw = false
[settings]
steps = 60
architecture = { name = "mlp", encoder_widths = [32], decoder_widths = [32] }
optimiser = { name = "adam", learning_rate = 1e-2 }
[data.room]
name = "shapes3d"
size = 16
hold = { floor_hue = 0, wall_hue = 5, object_hue = 8, shape = 0 }
variants = ["original", "modified", "noise"]
epsilon = 0.175
[data.room.search]
method = { name = "beta-vae", beta = 0.01 }
seeds = 3
learning = { steps = 3, batch_size = 8 }
[method.beta-vae]
beta = [0.01, 0.1]
[method.ae]
"""

ROOM = 'name = "shapes3d"\nsize = 16'
# What is replaced in the good file, by what, and what the message says.
CASES = [
    ('name = "good"', "name = 3", "name: expected text; got 3"),
    ('name = "good"', 'name = "../up"', "must be plain.*'../up'"),
    ('name = "good"', "", "a study needs 'name'"),
    ('name = "good"', 'name = "good', "is not TOML"),
    ('metrics = ["mig"]', 'metrics = ["migg"]', "metrics: unknown metric 'migg'. Did you mean mig"),
    ('metrics = ["mig"]', 'metrics = "mig"', "metrics: expected a list; got 'mig'"),
    ('metrics = ["mig"]', "metrics = [1]", r"metrics\[0\]: expected text"),
    ('metrics = ["mig"]', "metrics = []", "at least one metric"),
    ('metrics = ["mig"]', 'metrics = ["mig", "mig"]', "metrics: 'mig' is listed twice"),
    ("seeds = 2", 'seeds = "3"', "seeds: expected a whole number or a list; got '3'"),
    ("seeds = 2", "seeds = 0", "seeds: .*at least one"),
    ("seeds = 2", "seeds = -4", "seeds: .*at least one.*got -4"),
    ("seeds = 2", "seeds = 1.5", "seeds: expected a whole number or a list; got 1.5"),
    ("seeds = 2", "seeds = true", "seeds: expected a whole number or a list; got True"),
    ("seeds = 2", "seeds = [10, 11, 10]", "seeds: 10 is listed twice"),
    ("seeds = 2", "seeds = [10, -1]", "seeds: a seed must not be negative; got -1"),
    ("seeds = 2", 'seeds = [10, "11"]', r"seeds\[1\]: expected a whole number"),
    ("seeds = 2", "seeds = [nan]", r"seeds\[0\]: expected a finite number; got nan"),
    ("seeds = 2", "seeds = 100_000_000", "seeds: at most 1,000,000 seeds.*100,000,000"),
    ("seeds = 2", "seeds = 400_000", "at most 1,000,000 runs and changes can be planned"),
    ("seeds = 2", "seeds = { n = 3 }", "seeds: expected a whole number or a list"),
    ("first_seed = 10", 'first_seed = "a"', "first_seed: expected a whole number; got 'a'"),
    ("first_seed = 10", "first_seed = -1", "seeds: a seed must not be negative; got -1"),
    ("first_seed = 10", "first_seed = 0", "fresh seeds must not be among"),
    ("first_seed = 10", "frist_seed = 10", "unknown table 'frist_seed'. Did you mean first_seed"),
    ("draw = false", "draw = 3", "draw: expected a list; got 3"),
    ("draw = false", 'draw = ["traversal"]', "draw: unknown drawing 'traversal'"),
    ("steps = 60", 'steps = "10"', "settings.steps: expected a whole number or nothing; got '10'"),
    ("steps = 60", "steps = -10", "settings: steps must be at least 1; got -10"),
    ("steps = 60", "steps = 1e3", "settings.steps: expected a whole number"),
    ("steps = 60", "step = 60", "settings: unknown setting 'step'. Did you mean"),
    ("steps = 60", "steps = 60\nepochs = 2", "settings: give either steps or epochs"),
    ("steps = 60", "steps = 60\nseed = 3", "settings.seed: seeds belong to the study"),
    ("steps = 60", "steps = 60\nbatch_size = 0", "settings: batch_size must be at least 1"),
    ("steps = 60", "steps = 60\nlatent_dim = 0", "settings: latent_dim must be at least 1"),
    ("steps = 60", 'steps = 60\nlatent_dim = "2"', "settings.latent_dim: expected a whole number"),
    ("steps = 60", 'steps = 60\nlikelihood = "bernouli"', "settings: unknown likelihood"),
    ("steps = 60", "steps = 60\nlikelihood = 1", "settings.likelihood: expected text; got 1"),
    ("[settings]\nsteps = 60", "settings = 3\n[other]", "other"),
    ('name = "mlp"', 'name = "mpl"', "settings.architecture: unknown architecture 'mpl'"),
    ('{ name = "mlp",', "{", "settings.architecture.name: expected the name of the arch"),
    ('name = "mlp"', "name = 7", "settings.architecture.name: expected the name of the arch"),
    ("encoder_widths = [32]", 'encoder_widths = ["a"]', r"architecture.encoder_widths\[0\]: exp"),
    ("encoder_widths = [32]", "encoder_widths = [0]", "architecture: layer widths must be"),
    ("encoder_widths", "encoder_width", "architecture: unknown field of mlp 'encoder_width'"),
    ("learning_rate = 1e-2", "lr = 1", "settings.optimiser: unknown field of adam 'lr'"),
    ("learning_rate = 1e-2", "learning_rate = -1", "optimiser: learning_rate must be.*got -1"),
    ("learning_rate = 1e-2", "learning_rate = nan", "optimiser.learning_rate: expected a finite"),
    ("learning_rate = 1e-2", "learning_rate = inf", "optimiser.learning_rate: expected a finite"),
    ("learning_rate = 1e-2", 'learning_rate = "1"', "optimiser.learning_rate: expected a number"),
    ("learning_rate = 1e-2", "beta1 = 1.5", "optimiser: beta1 must be at least 0 and below 1"),
    ('name = "adam"', 'name = "adamw"', "settings.optimiser: unknown optimiser 'adamw'"),
    ('name = "shapes3d"', 'name = "shapes4d"', "data.room: unknown data set 'shapes4d'. Did you"),
    ('name = "shapes3d"', "name = 3", "data.room: name: expected text; got 3"),
    ("size = 16", 'size = "16"', "data.room: size: expected a whole number; got '16'"),
    ("size = 16", "size = 4", "data.room: size must be a whole number of pixels from 16"),
    ("size = 16", "sise = 16", "data.room: unknown option of shapes3d 'sise'. Did you mean size"),
    ("floor_hue = 0", "flor_hue = 0", "data.room: hold: .*flor_hue"),
    ("floor_hue = 0", "floor_hue = 99", "data.room: hold: .*99"),
    ("floor_hue = 0", 'floor_hue = "red"', "data.room: hold: .*'red'"),
    ('"noise"]', '"blue"]', "data.room: unknown variant 'blue'. Known: original"),
    ('"noise"]', '"noise", "noise"]', "data.room: name at least one variant, and each once"),
    ('variants = ["original", "modified", "noise"]', 'variants = "noise"', "room: variants: expec"),
    ("epsilon = 0.175", "", "data.room: modified and noisy images need an epsilon"),
    ("epsilon = 0.175", "epsilon = 2.0", "data.room: epsilon must lie in"),
    ("epsilon = 0.175", "epsilon = nan", "data.room: epsilon: expected a finite number"),
    ("epsilon = 0.175", 'epsilon = "a"', "data.room: epsilon: expected a number or nothing"),
    ("epsilon = 0.175", "epsilon = 0.175\nseeds = 0", "data.room: a data set needs at least one"),
    ("epsilon = 0.175", "epsilon = 0.175\nskip = 1", "data.room.skip: expected true or false"),
    ('method = { name = "beta-vae", beta = 0.01 }', "", "data.room: search.method: is missing"),
    (
        'method = { name = "beta-vae", beta = 0.01 }',
        "method = 3",
        "search.method: expected a",
    ),
    ('{ name = "beta-vae", beta = 0.01 }', "{ beta = 1 }", "search.method.name: is missing"),
    (
        "beta = 0.01 }",
        "beta = [1.0, 2.0] }",
        "search.method: expected one method; its lists",
    ),
    ("beta = 0.01 }", "beta = -0.01 }", "search.method: beta must be"),
    ("seeds = 3", 'seeds = "3"', "data.room: search.seeds: expected a whole number"),
    ("seeds = 3", "seeds = 1", "data.room: search: .*as many search seeds"),
    ("seeds = 3", "sedes = 3", "data.room: search: unknown field 'sedes'. Did you mean seeds"),
    ("seeds = 3", "seeds = 3\nentangled = 0", "search: .*at least one each"),
    ("seeds = 3", "seeds = 3\nentangled = 1.5", "search.entangled: expected a whole number"),
    (
        "learning = { steps = 3",
        'learning = { steps = "3"',
        "search.learning.steps: expected a",
    ),
    ("learning = { steps = 3", "learning = { steps = 0", "search.learning: steps must be"),
    ("learning = { steps = 3", "learning = { stps = 3", "search.learning: unknown field 'stps'"),
    (
        "learning = { steps = 3",
        "learning = { optimiser = { lr = 1 }",
        "search.learning.optimiser: unknown field 'lr'",
    ),
    ("[method.beta-vae]", "[method.beta-vea]", "method.beta-vea: unknown method 'beta-vea'. Did"),
    ("beta = [0.01, 0.1]", "bata = 1.0", "method.beta-vae: unknown hyperparameter of beta-vae 'ba"),
    ("beta = [0.01, 0.1]", "beta = -1.0", "method.beta-vae: beta must be a number of at least 0"),
    ("beta = [0.01, 0.1]", "beta = nan", "method.beta-vae.beta: expected a finite number"),
    ("beta = [0.01, 0.1]", 'beta = "8"', "method.beta-vae.beta: expected a number; got '8'"),
    ("beta = [0.01, 0.1]", "beta = []", "method.beta-vae: a list of values is empty"),
    ("beta = [0.01, 0.1]", "beta = true", "method.beta-vae.beta: expected a number; got True"),
    ("[method.ae]", '[method.ae]\ndata = "moon"', "'moon', which the study does not have"),
    ("[method.ae]", "[method.ae]\ndata = 3", "method.ae.data: expected a list; got 3"),
    (
        "[method.ae]",
        "[method.ae]\nsettings = { steps = 0.5 }",
        "method.ae.settings.steps: exp",
    ),
    ("[method.ae]", '[method.ae]\nname = ["ae"]', "method.ae.name: expected text"),
    ('metrics = ["mig"]', 'metrics = ["mcc"]', "metrics: the search of room ranks its runs by mig"),
    ("seeds = 2", "seeds = [20, 21]", "first_seed: belongs to a number of seeds, and seeds is a l"),
    ("seeds = 3", "seeds = [0, 1]\nfirst_seed = 5", "data.room: search.first_seed: belongs to a n"),
    ("steps = 60", f"steps = {10**32}", "settings: steps must be at most 1,000,000,000,000; got 1"),
    ("steps = 60", f"epochs = {10**32}", "settings: epochs must be at most 1,000,000,000,000; got"),
    ("steps = 60", f"steps = 60\nlatent_dim = {10**11}", "latent_dim must be at most 65,536; got"),
    ("steps = 60", f"steps = 60\nbatch_size = {10**18}", "batch_size must be at most 16,777,216"),
    (
        "learning = { steps = 3",
        f"learning = {{ steps = {10**32}",
        "search.learning: steps must be ",
    ),
    (
        "learning = { steps = 3",
        "learning = { seed = -1",
        "search.learning: seed must be at least 0",
    ),
    ("batch_size = 8", f"batch_size = {10**18}", "search.learning: batch_size must be at most"),
    (
        "seeds = 3",
        "seeds = 3\nrestarts = 10_000_000",
        "at most 1,000,000 runs and changes.*10,000,0",
    ),
    (
        "beta = [0.01, 0.1]",
        "beta = [0.1, 0.1]",
        r"method.beta-vae: BetaVAE\(beta=0.1,.* is listed twi",
    ),
    (
        "beta = [0.01, 0.1]",
        "beta = [1, 1.0]",
        r"method.beta-vae: BetaVAE\(beta=1.0,.* is listed twi",
    ),
    (ROOM, 'path = "none.npz"', r"data.room: path: there is no file none.npz; give an .npz file"),
    (ROOM, 'path = "none.npz"\nsize = 16', "data.room: unknown option of an archive 'size'"),
    (ROOM, 'path = "none.csv"', "data.room: path: there is no table none.csv"),
    (ROOM, 'path = "none.csv"\nsise = 16', "room: unknown option of a folder of pictures 'sise'"),
    (ROOM, "path = 3", "data.room: path: expected text; got 3"),
    ('name = "shapes3d"', 'real = "shapes4d"', "data.room.real: unknown data set 'shapes4d'"),
    (
        'name = "shapes3d"\nsize = 16',
        'name = "smallnorb"\npath = "nowhere"',
        "data.room: there is no file.* in nowhere",
    ),
    ("seeds = 3", "seeds = 3\nlimits = 3", "data.room: search.limits: expected a table; got 3"),
    (
        "seeds = 3",
        "seeds = 3\nlimits = { los = 0.1 }",
        "search.limits: unknown field 'los'. Did you mean loss",
    ),
    (
        "seeds = 3",
        'seeds = 3\nlimits = { loss = "a" }',
        "search.limits.loss: expected a number; got 'a'",
    ),
    (
        "seeds = 3",
        "seeds = 3\nlimits = { loss = nan }",
        "search.limits.loss: expected a finite number; got nan",
    ),
    ("seeds = 3", "seeds = 3\nper_round = 2", "data.room: search: per_round belongs to limits"),
    ("seeds = 3", "seeds = 3\nmost_used = 2", "data.room: search: most_used belongs to limits"),
    (
        "seeds = 3",
        "seeds = 3\nlimits = {}\nper_round = 0",
        "search: per_round must be at least 1; got 0",
    ),
    (
        "seeds = 3",
        'seeds = 3\nlimits = {}\nper_round = "4"',
        "search.per_round: expected a whole number; got '4'",
    ),
    ("seeds = 3", "seeds = 3\nwaves = 1.0", "search.waves: expected a list; got 1.0"),
    ("seeds = 3", 'seeds = 3\nwaves = ["a"]', "search.waves\\[0\\]: expected a number"),
    (
        "seeds = 3",
        "seeds = 3\nwaves = [1.0]\nrestarts = 2",
        "search: one change is learned for each of waves",
    ),
    ("seeds = 3", "seeds = 3\nprobe = 2", "search.probe: expected a table; got 2"),
    (
        "seeds = 3",
        "seeds = 3\nprobe = { sedes = 1 }",
        "search.probe: unknown field 'sedes'. Did you mean seeds",
    ),
    (
        "seeds = 3",
        "seeds = 3\nprobe = { seeds = 0 }",
        "search.probe.seeds: a study needs at least one seed",
    ),
    (
        "seeds = 3",
        "seeds = 3\nprobe = { settings = { step = 1 } }",
        "search.probe.settings: unknown setting 'step'",
    ),
    (
        "seeds = 3",
        "seeds = 3\nprobe = { first_seed = 11 }",
        "room: fresh seeds must not be among .*chosen by",
    ),
    (
        'variants = ["original", "modified", "noise"]',
        'variants = ["original", "equal noise"]',
        "equal noise is held against modified images: name them",
    ),
    (
        'variants = ["original", "modified", "noise"]',
        'variants = ["original", "modified", "worst"]',
        "data.room: unknown variant 'worst'. Did you mean worst noise",
    ),
    (
        'variants = ["original", "modified", "noise"]',
        'variants = ["original", "modified", "noise"]\nnoise_seed = -1',
        "data.room: noise_seed must be at least 0; got -1",
    ),
    (
        'variants = ["original", "modified", "noise"]',
        'variants = ["original", "modified", "noise"]\nnoise_seed = 0.5',
        "data.room: noise_seed: expected a whole number; got 0.5",
    ),
    (
        'variants = ["original", "modified", "noise"]',
        'variants = ["original", "modified", "noise"]\nnarrow = { scale = 3 }',
        "data.room: narrow.*: expected a list; got",
    ),
    (
        'variants = ["original", "modified", "noise"]',
        'variants = ["original", "modified", "noise"]\nnarrow = { scael = [0, 1] }',
        "data.room: narrow: .*scael",
    ),
    (
        ROOM,
        'name = "linear-gaussian"\nn = 9_000_000_000_000_000_000',
        "data.room: n must be at most",
    ),
    (ROOM, f'name = "linear-gaussian"\nn = {"9" * 5000}', "is not TOML: .*5000 digits"),
    (
        "encoder_widths = [32]",
        "encoder_widths = [9_000_000_000]",
        "architecture: layer widths must",
    ),
    ("floor_hue = 0", "floor_hue = 0.5", "data.room: hold.floor_hue: expected a whole number or"),
    (
        'variants = ["original", "modified", "noise"]',
        "variants = []",
        "data.room: name at least one",
    ),
    (
        ROOM,
        'name = "linear-gaussian"\ndim = 9_000_000_000',
        "data.room: dim must be at most 65,536",
    ),
    (ROOM, 'name = "synthetic-linear"\nseed = -1', "data.room: seed must be at least 0; got -1"),
    (
        "[method.ae]",
        "[method.factor-vae]\nwidth = 9_000_000_000",
        "factor-vae: width must be at most",
    ),
    (
        "[method.ae]",
        "[method.weak-gan]\ncritic_width = 1e9",
        "weak-gan: critic_width must be at most",
    ),
    ("[data.room]", '[data.""]\nsize = 16\n[data.room]', "data: a table has an empty name"),
    ("[method.ae]", '[method.""]', "method: a table has an empty name"),
    ("[method.ae]", "[scale]\nsmoke = 3", "scale.smoke: expected a table; got 3"),
    (
        "seeds = 3",
        'seeds = 3\nby = "mgi"',
        "data.room: search: unknown ranking 'mgi'. Did you mean mig",
    ),
]


def written(folder: Path, old: str, new: str) -> Path:
    assert old in GOOD
    path = folder / "study.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    return path


def test_the_file_without_mistakes_is_read(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, "name", "name"))
    assert study.n_runs == 3 + 3 * 3 * 2
    assert json.loads(json.dumps(study.declaration)) == study.declaration


def test_there_are_enough_mistakes() -> None:
    assert len({(old, new) for old, new, _ in CASES}) == len(CASES) >= 60


@pytest.mark.parametrize(("old", "new", "message"), CASES)
def test_a_mistake_is_one_line_with_file_and_field(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, old, new)
    with pytest.raises(ValueError, match=message) as caught:
        read_study(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


WAVES = "waves = [1.0, 0.6]"


@pytest.mark.parametrize(
    ("variants", "search", "message"),
    [
        (["worst noise"], WAVES, "worst noise is the most harmful of 2 draws.*give search.probe"),
        (["waves"], WAVES, "waves is the most harmful of 2 draws.*give search.probe"),
        (["swapped"], "learning = { smoothing = 0.3 }", "designed change has no roles that could"),
    ],
)
def test_controls_that_cannot_be_chosen_are_refused(variants, search, message, tmp_path) -> None:
    listed = ", ".join(f'"{name}"' for name in ["original", "modified", *variants])
    text = GOOD.replace('"original", "modified", "noise"', listed)
    text = text.replace("learning = { steps = 3, batch_size = 8 }", search)
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_study(tmp_path / "study.toml")


def test_the_command_shows_no_traceback(tmp_path: Path) -> None:
    path = written(tmp_path, "steps = 60", 'steps = "10"')
    found = CliRunner().invoke(app, ["study", "run", str(path), "--out", str(tmp_path / "out")])
    assert found.exit_code == 1
    assert found.output.strip().splitlines() == [
        f"error: {path}: settings.steps: expected a whole number or nothing; got '10'."
    ]
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no file .*none\.toml; give the TOML"):
        read_study(tmp_path / "none.toml")


def test_a_picture_that_is_not_there_is_named_with_its_field(tmp_path: Path) -> None:
    (tmp_path / "factors.csv").write_text("file,hue\na.png,1\n", encoding="utf-8")
    path = written(tmp_path, ROOM, f'path = "{tmp_path}"')
    with pytest.raises(ValueError, match=r"data\.room: path: .*a\.png") as caught:
        read_study(path)
    assert "Errno" not in str(caught.value)


def test_a_scale_that_the_file_has_not(tmp_path: Path) -> None:
    path = written(tmp_path, "name", "name")
    with pytest.raises(ValueError, match="unknown scale 'huge'"):
        read_study(path, "huge")
