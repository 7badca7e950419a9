"""A run's declaration is checked when it is read, so that nothing strange is loaded later."""

import copy
import json
from pathlib import Path

import pytest

from gordium.datasets import Noisy, hold_out, load_dataset, split
from gordium.methods import BetaVAE
from gordium.spec import RunSpec, Settings

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = Settings(latent_dim=2, steps=5)
ROOM = load_dataset("shapes3d", size=16).hold(floor_hue=0, wall_hue=5)
BASE = {"name": "shapes3d", "options": {"size": 16}, "source": "rendered"}
HELD = {"variant": "held", "base": BASE, "values": {"floor_hue": 0}}
# Where in the declaration what is put (None removes it), and what the message says.
CASES = [
    ("kind", "manipulation", r"declaration\.kind: expected 'run'; got 'manipulation'"),
    ("kind", 3, r"declaration\.kind: expected 'run'; got 3"),
    ("kin", "run", r"declaration: unknown field 'kin'\. Did you mean kind"),
    ("dataset", None, r"declaration\.dataset: is missing"),
    ("dataset", "shapes3d", r"declaration\.dataset: expected a table; got 'shapes3d'"),
    ("dataset", {}, r"declaration\.dataset\.name: is missing"),
    ("dataset", {**BASE, "name": ["shapes3d"]}, r"declaration\.dataset\.name: expected text"),
    ("dataset", {**BASE, "options": {"size": "16"}}, r"options\.size: expected a whole number"),
    ("dataset", {**BASE, "options": {"sise": 16}}, r"unknown option of shapes3d 'sise'\. Did you"),
    (
        "dataset",
        {**BASE, "options": 16},
        r"declaration\.dataset\.options: expected a table; got 16",
    ),
    ("dataset", {**BASE, "source": None}, r"declaration\.dataset\.source: expected text"),
    ("dataset", {**BASE, "sources": "x"}, r"declaration\.dataset: unknown field 'sources'"),
    ("dataset", {"name": "shapes3d", "options": {}}, r"declaration\.dataset\.source: is missing"),
    ("dataset", {**BASE, "name": "from-npz", "options": {}}, r"options\.path: is missing"),
    ("dataset", {**BASE, "name": "from-arrays", "options": {}}, r"options\.sha256: expected text"),
    ("dataset", {**HELD, "variant": 3}, r"declaration\.dataset\.variant: expected text; got 3"),
    ("dataset", {**HELD, "values": {"floor_hue": "0"}}, r"dataset\.values.*whole number"),
    ("dataset", {**HELD, "value": {}}, r"declaration\.dataset: unknown field 'value'"),
    ("dataset", {"variant": "held", "values": {}}, r"declaration\.dataset\.base: is missing"),
    ("dataset", {"variant": "noisy", "base": BASE}, r"declaration\.dataset\.epsilon: is missing"),
    (
        "dataset",
        {"variant": "noisy", "base": BASE, "epsilon": "0.1"},
        r"declaration\.dataset\.epsilon: expected a number; got '0\.1'",
    ),
    ("dataset", {"variant": "modified", "base": BASE}, r"dataset\.change: expected a table"),
    ("image_shape", [1, "16", 16], r"declaration\.image_shape\[1\]: expected a whole number"),
]


@pytest.mark.parametrize(("field", "value", "message"), CASES)
def test_a_wrong_declaration_is_refused_with_its_field(field, value, message):
    document = copy.deepcopy(RunSpec.of(BetaVAE(), ROOM, SETTINGS).to_json())
    document[field] = value
    if value is None:
        del document[field]
    with pytest.raises(ValueError, match=message) as caught:
        RunSpec.from_json(document)
    assert str(caught.value).startswith("declaration")


@pytest.mark.parametrize(
    ("dataset", "message"),
    [
        ({**BASE, "name": "shapes4d"}, r"unknown data set 'shapes4d'\. Did you mean shapes3d"),
        ({**HELD, "variant": "hled"}, r"unknown variant 'hled'\. Did you mean held"),
        ({**HELD, "base": {**BASE, "name": "shapes4d"}}, r"unknown data set 'shapes4d'"),
    ],
)
def test_data_that_may_be_a_users_own_is_refused_only_when_it_is_loaded(dataset, message):
    document = {**RunSpec.of(BetaVAE(), ROOM, SETTINGS).to_json(), "dataset": dataset}
    spec = RunSpec.from_json(document)
    with pytest.raises(ValueError, match=message):
        spec.dataset.load()


def test_variants_of_all_kinds_are_read_again_under_their_keys():
    sprites = load_dataset("dsprites", size=16)
    some = [
        ROOM.marginalise("scale"),
        ROOM.narrow(scale=range(2, 6)),
        Noisy(ROOM, 0.1, two_valued=True),
        split(ROOM)[0],
        hold_out(sprites, shape=[2], orientation=range(20))[1],
        load_dataset("student-t-mixture"),
        load_dataset("scream-dsprites", size=16, seed=3),
    ]
    for dataset in some:
        spec = RunSpec.of(BetaVAE(), dataset, SETTINGS)
        again = RunSpec.from_json(json.loads(json.dumps(spec.to_json())))
        assert again.key == spec.key
        assert again.dataset.load() == dataset


def test_every_committed_declaration_is_read_under_its_key():
    files = [
        *ROOT.glob("results/**/config.json"),
        *ROOT.glob("src/gordium/zoo/models/*/config.json"),
    ]
    configs = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    runs = [config for config in configs if config["declaration"]["kind"] == "run"]
    assert len(runs) > 30
    for config in runs:
        assert RunSpec.from_json(config["declaration"]).key == config["hash"]
