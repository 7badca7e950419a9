"""Writes docs/protocols.md: what was published, and what `--scale paper` and `laptop` declare.

    python docs/figures/protocols.py

The two scales are read from the declarations themselves, the published settings and the reasons of
differences from docs/figures/published_protocols.toml.
"""

import os
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
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
from gordium.exhibits.stuehmer2020.figure3 import scale as choose_scale
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


def declared(scale: str) -> dict[str, Callable[[], Facts]]:
    """By protocol, what a scale declares."""
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
BUILT_IN = ("synthetic-linear", "synthetic-nonlinear", "dsprites")
N_DIGITS = {"all": 70_000, "train": 60_000, "test": 10_000}  # of the official files


def of_study(study: Study) -> Facts:
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
    counts = {name: len(study.seeds_on(name)) for name in study.data}
    return {
        "images": _listed(images(data.dataset) for data in study.data.values()),
        "units": _listed(str(settings.latent_dim) for _, _, settings in runs),
        "training": _listed(training(settings) for _, _, settings in runs),
        "network": _listed(network(settings) for _, _, settings in runs),
        "methods": "; ".join(
            f"{name} {_numbers(found)}".strip() for name, found in methods.items()
        ),
        "seeds": _listed(str(count) for count in counts.values()),
        "metrics": ", ".join(study.metrics),
        "scoring": f"{study.images - study.images // 3:,} to fit, {study.images // 3:,} to test",
    }


def of_setup(name: str, scale: str) -> Facts:
    setup = SETUPS[name](scale)
    return {
        "images": _numbered(setup.whole),
        "units": str(setup.settings.latent_dim),
        "training": training(setup.settings),
        "network": network(setup.settings),
        "methods": f"beta {setup.beta:g}",
    }


def of_digits(name: str, scale: str) -> Facts:
    """The same of digits, whose files need not be here."""
    settings, files = digit_settings(name, scale), DIGIT_FILES[scale]
    return {
        "images": f"{N_DIGITS[files]:,} of {name} 1x28x28, files: {files}",
        "units": str(settings.latent_dim),
        "training": training(settings),
        "network": network(settings),
        "methods": f"beta {DIGIT_BETA:g}",
    }


def own_sizes(scale: str) -> dict[str, str]:
    """By exhibit, what a scale declares of its own: beside a protocol above, or alone."""
    cloud, linear = figure1.SIZES[scale], theorem1.SIZES[scale]
    channels, units = choose_channels(scale), choose_scale(scale)
    lengths = "epochs" if scale == "paper" else "steps"
    restarts = figure3.declare_plans(scale)[0]
    return {
        "zietlow2021-figure1": f"{cloud.n:,} points, {cloud.steps:,} steps, "
        f"{len(cloud.seeds)} seeds",
        "zietlow2021-theorem1": f"{linear.n:,} points, {linear.steps:,} steps, "
        f"beta {_numbers(linear.betas)}, {len(linear.seeds)} seeds",
        "rolinek2019-table1": "; ".join(_watched(name, scale) for name in table1.SIZES[scale]),
        "rolinek2019-table2": "; ".join(
            f"{name} {seeds} seeds" for name, seeds in table2.SIZES[scale].items()
        ),
        "rolinek2019-tableS4": f"ratios {_numbers(table_s4.RATIOS)}, {table_s4.SEEDS[scale]} seeds",
        "rolinek2019-figure3": f"{_numbers(figure3.SIZES[scale].lengths)} {lengths}, "
        f"{figure3.SIZES[scale].n_seeds} restarts each, {_numbered(restarts.setup.whole)}",
        "rolinek2019-figureS4": "; ".join(
            f"{name} beta {_numbers(sweep.betas)}, {sweep.n_seeds} seeds"
            for name, sweep in figure_s4.SWEEPS[scale].items()
        ),
        "rolinek2019-figureS5": f"ratio 1, {figure_s5.SEEDS[scale]} seeds",
        "burgess2018-figure3": f"{images(channels.dataset)}, gamma {channels.method.gamma:g}, "
        f"{channels.method.capacity:g} nats over {channels.method.warmup_steps:,} steps, "
        f"{channels.network!r}",
        "stuehmer2020-figure3": f"{units.size} pixels, {training(units.settings)}, "
        f"{units.seeds} seeds, {network(units.settings)}",
    }


def _watched(name: str, scale: str) -> str:
    """How Table 1 watches a data set: its own training where it has one."""
    size = table1.SIZES[scale][name]
    seeds = "1 run" if len(size.seeds) == 1 else f"{len(size.seeds)} seeds"
    text = f"{name}: {seeds}, judged every {size.every} batches"
    if name not in BUILT_IN:
        return text
    setup = table1.choose_setup(scale, name)
    return f"{text}, {training(setup.settings)}, beta {setup.beta:g}"


def _numbered(whole: Dataset) -> str:
    return f"{len(whole):,} of {images(whole)}"


def _sizes_table() -> str:
    told, paper, laptop = published()["sizes"], own_sizes("paper"), own_sizes("laptop")
    lines = [f"| {name} | {told[name]} | {paper[name]} | {laptop[name]} |" for name in paper]
    return "\n".join([*SIZES_HEAD, HEAD, *lines, ""])


def images(dataset: Dataset) -> str:
    shape = "x".join(map(str, dataset.image_shape))
    scored = ", ".join(factor.name for factor in dataset.factors if factor.scored)
    return f"{_name(dataset.declaration)} {shape} ({scored})"


def _name(declaration: Any) -> str:
    """The data set's, however many variants it is wrapped in."""
    if "name" in declaration:
        return str(declaration["name"])
    inner = [value for value in declaration.values() if isinstance(value, dict)]
    return next((found for value in inner if (found := _name(value))), "")


def training(settings: Settings) -> str:
    length = f"{settings.steps:,} steps" if settings.steps else f"{settings.epochs:,} epochs"
    rate = f"{type(settings.optimiser).__name__} {settings.optimiser.learning_rate:g}"
    weight = ", a pixel counts as four" if settings.likelihood == "bernoulli-x4" else ""
    return f"{length} of {settings.batch_size:,}, {rate}{weight}"


def network(settings: Settings) -> str:
    return repr(settings.architecture)


def _method(method: Any) -> str:
    """Its class and the options that are no strength and not at their default."""
    follows = ("lambda_d",)  # from the strength
    given = {k: v for k, v in vars(method).items() if k not in (method.primary, *follows)}
    plain = {k: getattr(type(method), k, None) for k in given}
    other = ", ".join(f"{k} {v}" for k, v in given.items() if v != plain[k])
    return f"{type(method).__name__}({other})" if other else type(method).__name__


def _numbers(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _listed(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(texts))


def published() -> dict[str, Any]:
    return tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))


def page() -> str:
    theirs, paper, laptop = published(), declared("paper"), declared("laptop")
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
    return "\n".join([*parts, _sizes_table(), CLOSING])


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
## Exhibits that train nothing

`zietlow2021-figure2`, `rolinek2019-worked-example`, `-theorem2`, `-rotation-invariance`,
`locatello2019-theorem1`, `stuehmer2020-figure1`, `-figure2`, `-algorithm1`, `-b3`, `-b4` and `-b5`
are computed; where the papers print no parameters they are ours, and the exhibit's notes say so.

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
