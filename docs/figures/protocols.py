"""Writes docs/protocols.md: what was published, and what `--scale paper` and `laptop` declare.

    python docs/figures/protocols.py

The two scales are read from the declarations; the published settings, and the reasons for
differences, from docs/figures/published_protocols.toml.
"""

import os
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from textwrap import fill
from typing import Any

from gordium.datasets import Dataset
from gordium.exhibits.burgess2018.figure3 import choose_channels
from gordium.exhibits.rolinek2019 import figure3, figure_s4, figure_s5, table1, table2, table_s4
from gordium.exhibits.rolinek2019.models import (
    DIGIT_BETA,
    DIGIT_EPOCHS,
    DIGIT_FILES,
    SETUPS,
    digit_settings,
)
from gordium.exhibits.studies import declare_study
from gordium.exhibits.stuehmer2020.figure3 import choose_scale
from gordium.exhibits.stuehmer2020.figure5 import list_learned, on_faces
from gordium.exhibits.stuehmer2020.figure6 import on_cars
from gordium.exhibits.stuehmer2020.stand_ins import CARS, FACES, study_of
from gordium.exhibits.zietlow2021 import figure1, theorem1
from gordium.spec import Settings
from gordium.study.study import Study

HERE = Path(__file__).resolve().parent
PAGE, PUBLISHED = HERE.parent / "protocols.md", HERE / "published_protocols.toml"
FACTS = ("images", "units", "training", "network", "methods", "seeds", "metrics", "scoring")
Facts = dict[str, str]


def declare_protocols(scale: str) -> dict[str, Callable[[], Facts]]:
    """Functions that tell what a scale declares, by the name of the protocol."""
    return {
        **{name: lambda name=name: of_study(declare_study(name, scale)) for name in STUDIES},
        "stuehmer2020-faces": lambda: of_study(study_of("faces", FACES, on_faces(scale), scale)),
        "stuehmer2020-faces-learned": lambda: of_study(
            study_of("faces-learned", FACES, list_learned(scale), scale)
        ),
        "stuehmer2020-cars": lambda: of_study(study_of("cars", CARS, on_cars(scale), scale)),
        **{f"rolinek2019-{name}": lambda name=name: of_setup(name, scale) for name in BUILT_IN},
        **{
            f"rolinek2019-{name}": lambda name=name: of_digits(name, scale) for name in DIGIT_EPOCHS
        },
    }


STUDIES = ("zietlow2021", "locatello2019", "stuehmer2020")
TRAIN_NOTHING = (
    "zietlow2021-figure2",
    "rolinek2019-worked-example",
    "rolinek2019-theorem2",
    "rolinek2019-rotation-invariance",
    "locatello2019-theorem1",
    *(f"stuehmer2020-{part}" for part in ("figure1", "figure2", "algorithm1", "b3", "b4", "b5")),
)
BUILT_IN = ("synthetic-linear", "synthetic-nonlinear", "dsprites")
N_DIGITS = {"all": 70_000, "train": 60_000, "test": 10_000}  # of the official files


def of_study(study: Study) -> Facts:
    """What a study declares."""
    runs = [
        (arm, data.dataset, arm.settings_on(data.dataset))
        for name, data in study.data.items()
        for arm in study.arms_on(name)
    ]
    methods: dict[str, list[float]] = {}
    for arm, _, _ in runs:
        found = methods.setdefault(_method(arm.method), [])
        if arm.strength is not None and arm.strength not in found:
            found.append(arm.strength)
    return {
        "images": _list(images(data.dataset) for data in study.data.values()),
        "units": _list(str(settings.latent_dim) for _, _, settings in runs),
        "training": _list(training(settings) for _, _, settings in runs),
        "network": _list(repr(settings.architecture) for _, _, settings in runs),
        "methods": "; ".join(
            f"{name} {_numbers(found)}".strip() for name, found in methods.items()
        ),
        "seeds": _list(str(len(study.seeds_on(name))) for name in study.data),
        "metrics": ", ".join(study.metrics),
        "scoring": f"{study.images - study.images // 3:,} to fit, {study.images // 3:,} to test",
    }


def of_setup(name: str, scale: str) -> Facts:
    """What a setup of Rolinek et al. declares."""
    setup = SETUPS[name](scale)
    return _facts(_count_images(setup.whole), setup.settings, setup.beta)


def of_digits(name: str, scale: str) -> Facts:
    """The same of MNIST and Fashion-MNIST, without their files."""
    files = DIGIT_FILES[scale]
    text = f"{N_DIGITS[files]:,} of {name} 1x28x28, files: {files}"
    return _facts(text, digit_settings(name, scale), DIGIT_BETA)


def _facts(images: str, settings: Settings, beta: float) -> Facts:
    return {
        "images": images,
        "units": str(settings.latent_dim),
        "training": training(settings),
        "network": repr(settings.architecture),
        "methods": f"beta {beta:g}",
    }


def own_sizes(scale: str) -> dict[str, str]:
    """What a scale declares for single exhibits, by name: in addition to a protocol, or alone."""
    cloud, linear = figure1.SIZES[scale], theorem1.SIZES[scale]
    channels, units = choose_channels(scale), choose_scale(scale)
    lengths = "epochs" if scale == "paper" else "steps"
    restarts = figure3.declare_plans(scale)[0]
    return {
        "zietlow2021-figure1": f"{cloud.n:,} points, {cloud.steps:,} steps, "
        f"{len(cloud.seeds)} seeds",
        "zietlow2021-theorem1": f"{linear.n:,} points, {linear.steps:,} steps, "
        f"beta {_numbers(linear.betas)}, {len(linear.seeds)} seeds",
        "rolinek2019-table1": "; ".join(_of_table1(name, scale) for name in table1.SIZES[scale]),
        "rolinek2019-table2": "; ".join(
            f"{name} {seeds} seeds" for name, seeds in table2.SIZES[scale].items()
        ),
        "rolinek2019-tableS4": f"ratios {_numbers(table_s4.RATIOS)}, {table_s4.SEEDS[scale]} seeds",
        "rolinek2019-figure3": f"{_numbers(figure3.SIZES[scale].lengths)} {lengths}, "
        f"{figure3.SIZES[scale].n_seeds} restarts each, {_count_images(restarts.setup.whole)}",
        "rolinek2019-figureS4": "; ".join(
            f"{name} beta {_numbers(sweep.betas)}, {sweep.n_seeds} seeds"
            for name, sweep in figure_s4.SWEEPS[scale].items()
        ),
        "rolinek2019-figureS5": f"ratio 1, {figure_s5.SEEDS[scale]} seeds",
        "burgess2018-figure3": f"{images(channels.dataset)}, gamma {channels.method.gamma:g}, "
        f"{channels.method.capacity:g} nats over {channels.method.warmup_steps:,} steps, "
        f"{channels.network!r}",
        "stuehmer2020-figure3": f"{units.size} pixels, {training(units.settings)}, "
        f"{units.seeds} seeds, {units.settings.architecture!r}",
    }


def _of_table1(name: str, scale: str) -> str:
    """What Table 1 declares for a data set; built-in sets are trained by settings of its own."""
    size = table1.SIZES[scale][name]
    seeds = "1 run" if len(size.seeds) == 1 else f"{len(size.seeds)} seeds"
    text = f"{name}: {seeds}, judged every {size.every} batches"
    if name not in BUILT_IN:
        return text
    setup = table1.choose_setup(scale, name)
    return f"{text}, {training(setup.settings)}, beta {setup.beta:g}"


def _count_images(whole: Dataset) -> str:
    return f"{len(whole):,} of {images(whole)}"


def _sizes_table() -> str:
    told = read_published_protocols()["sizes"]
    paper, laptop = own_sizes("paper"), own_sizes("laptop")
    lines = [f"| {name} | {told[name]} | {paper[name]} | {laptop[name]} |" for name in paper]
    return "\n".join([*SIZES_HEAD, HEAD, *lines, ""])


def images(dataset: Dataset) -> str:
    """A data set in words: its name, the shape of its images, its scored factors."""
    shape = "x".join(map(str, dataset.image_shape))
    scored = ", ".join(factor.name for factor in dataset.factors if factor.scored)
    return f"{_name(dataset.declaration)} {shape} ({scored})"


def _name(declaration: Any) -> str:
    """The name of the data set, however many variants it is wrapped in."""
    if "name" in declaration:
        return str(declaration["name"])
    inner = [value for value in declaration.values() if isinstance(value, dict)]
    return next((found for value in inner if (found := _name(value))), "")


def training(settings: Settings) -> str:
    """How long runs are trained, in which batches and by which optimiser."""
    length = f"{settings.steps:,} steps" if settings.steps else f"{settings.epochs:,} epochs"
    rate = f"{type(settings.optimiser).__name__} {settings.optimiser.learning_rate:g}"
    weight = ", a pixel counts as four" if settings.likelihood == "bernoulli-x4" else ""
    return f"{length} of {settings.batch_size:,}, {rate}{weight}"


def _method(method: Any) -> str:
    """A method's class and its options that differ from the default, without its strength."""
    follows = ("lambda_d",)  # is computed from the strength
    given = {k: v for k, v in vars(method).items() if k not in (method.primary, *follows)}
    plain = {k: getattr(type(method), k, None) for k in given}
    other = ", ".join(f"{k} {v}" for k, v in given.items() if v != plain[k])
    return f"{type(method).__name__}({other})" if other else type(method).__name__


def _numbers(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _list(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(texts))


def read_published_protocols() -> dict[str, Any]:
    """The published settings of each protocol, and the reasons for our differences."""
    return tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))


def page() -> str:
    """The text of docs/protocols.md."""
    theirs = read_published_protocols()
    paper, laptop = declare_protocols("paper"), declare_protocols("laptop")
    parts = [INTRODUCTION]
    for name in paper:
        told, ours, small = theirs[name], paper[name](), laptop[name]()
        lines = [f"## {name}", "", f"For {told['for']}.", "", HEAD]
        for fact in FACTS:
            if fact in ours and (fact in told or fact != "scoring"):
                row = (fact, told.get(fact, "not printed"), _mark(told, fact, ours), small[fact])
                lines.append("| " + " | ".join(row) + " |")
        reasons = [f"- **{fact}**: {why}" for fact, why in told.get("differs", {}).items()]
        parts.append("\n".join([*lines, "", *reasons, ""]))
    return "\n".join([*parts, _sizes_table(), _untrained(), CLOSING])


def _untrained() -> str:
    names = [f"`{name}`" for name in TRAIN_NOTHING]
    text = (
        f"{', '.join(names[:-1])} and {names[-1]} are computed; where the papers print no "
        "parameters they are ours, and the exhibit's notes say so."
    )
    lines = fill(text, 100, break_on_hyphens=False, break_long_words=False)
    return f"## Exhibits that train nothing\n\n{lines}\n"


def _mark(told: dict[str, Any], fact: str, ours: Facts) -> str:
    if fact not in told or told[fact] == ours[fact]:
        return "as published" if fact in told else ours[fact]
    return f"**{ours[fact]}**"


HEAD = "| | published | `--scale paper` | `--scale laptop` |\n| --- | --- | --- | --- |"
SIZES_HEAD = (
    "## What exhibits declare of their own",
    "",
    "Numbers of seeds and lengths that no table above has. What a paper does not print is ours.",
    "",
)
INTRODUCTION = """\
# Protocols

Made by `python docs/figures/protocols.py` from the declarations; do not edit it. These are
declarations: what the judged rows of Locatello and Stühmer are, shorter and with fewer seeds than
`laptop` here (scale `unscaled`), is under [Limits first](reproduction.md#limits-first). In bold:
where `--scale paper` is not what was published, with the reason below the table.
"""
CLOSING = """\
## Scoring

Metrics with a fitted predictor (DCI, SAP, downstream) are trained on two thirds of the encoded
images of a run and tested on the rest. At paper scale these are 10,000 and 5,000, as published; the
metrics that fit nothing (MIG, Modularity) see all 15,000 there, where the published code draws
10,000 for each. An image is drawn at most once, the published code draws anew.

## Strengths follow the image size

Losses are sums over pixels. At laptop scale Locatello's and Stühmer's runs have 32 x 32 pixels,
each of which counts as four (`likelihood = "bernoulli-x4"`), so that every published strength
(beta, gamma, lambda, and the weights of 1 that no method names) means there what it means at
64 x 64. Rows committed so far are of the scale `unscaled`: published strengths without that weight.
"""

if __name__ == "__main__":
    os.environ.pop("GORDIUM_DATA", None)  # the page is of a machine without the published files
    PAGE.write_text(page(), encoding="utf-8")
