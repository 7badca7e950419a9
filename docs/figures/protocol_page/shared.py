"""Protocols that exhibits share: those of studies, and the setups of Rolinek et al. 2019."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial

from gordium.exhibits.rolinek2019.models import (
    DIGIT_BETA,
    DIGIT_EPOCHS,
    DIGIT_FILES,
    DIGIT_TESTED,
    N_JACOBIANS,
    SETUPS,
    TEST_SHARE,
    digit_settings,
)
from gordium.exhibits.studies import declare_study
from gordium.exhibits.stuehmer2020.estimates import CHEN
from gordium.exhibits.stuehmer2020.figure5 import list_learned, on_faces
from gordium.exhibits.stuehmer2020.figure6 import on_cars
from gordium.exhibits.stuehmer2020.stand_ins import CARS, FACES, study_of
from gordium.metrics import mig_aggregate_posterior
from gordium.spec import Settings
from gordium.study.arm import Arm
from gordium.study.data import Data
from gordium.study.search import Search
from gordium.study.study import Study
from protocol_page import words
from protocol_page.words import Facts

STUDIES = ("zietlow2021", "headline", "dsprites-pairs", "locatello2019", "stuehmer2020")
STAND_INS = {"faces": (FACES, on_faces), "faces-learned": (FACES, list_learned),
             "cars": (CARS, on_cars)}  # fmt: skip
BUILT_IN = ("synthetic-linear", "synthetic-nonlinear", "dsprites")
FITTED = {"dci", "sap", "downstream", "downstream_logistic"}  # metrics that fit a predictor
N_DIGITS = {"all": 70_000, "train": 60_000, "test": 10_000}  # of the official files


def declare_protocols(scale: str) -> dict[str, Callable[[], Facts]]:
    """Functions that tell what a scale declares, by the name of the protocol."""
    studies: dict[str, Callable[[str], Study]]
    studies = {name: partial(declare_study, name) for name in STUDIES}
    studies |= {f"stuehmer2020-{name}": partial(_stand_in, name) for name in STAND_INS}
    return {
        **{name: partial(_of_scale, make, scale) for name, make in studies.items()},
        **{f"rolinek2019-{name}": partial(of_setup, name, scale) for name in BUILT_IN},
        **{f"rolinek2019-{name}": partial(of_digits, name, scale) for name in DIGIT_EPOCHS},
    }


def _stand_in(name: str, scale: str) -> Study:
    data, methods = STAND_INS[name]
    return study_of(name, data, methods(scale), scale)


def _of_scale(make: Callable[[str], Study], scale: str) -> Facts:
    return of_study(make(scale), make("paper"))


def of_study(study: Study, published: Study) -> Facts:
    """What a study declares; strengths are told beside those of another, as published."""
    runs = [run[1:] for run in _list_runs(study)]
    priors = [words.say_prior(arm.method, settings.latent_dim) for arm, _, settings in runs]
    changes = {name: data for name, data in study.data.items() if data.search is not None}
    return {
        "images": words.listed(words.images(data.dataset) for data in study.data.values()),
        "units": words.listed(str(settings.latent_dim) for _, _, settings in runs),
        "training": words.by_text(
            (words.training(settings, arm.method), type(arm.method).__name__)
            for arm, _, settings in runs
        ),
        "network": words.by_text(
            (repr(settings.architecture), type(arm.method).__name__) for arm, _, settings in runs
        ),
        "likelihood": words.listed(
            words.say_likelihood(settings.likelihood) for *_, settings in runs
        ),
        "weights": words.listed(words.say_initial(settings) for *_, settings in runs),
        "methods": _say_methods(study),
        **({"prior": words.listed(filter(None, priors))} if any(priors) else {}),
        words.STRENGTH: words.say_factors(_compare(study, published)),
        "seeds": words.listed(str(len(study.seeds_on(name))) for name in study.data),
        "metrics": ", ".join(study.metrics),
        "scoring": _say_scoring(study),
        **(_of_changes(changes) if changes else {}),
    }


def _list_runs(study: Study) -> Iterator[tuple[str, Arm, Data, Settings]]:
    for name, data in study.data.items():
        for arm in study.arms_on(name):
            yield name, arm, data, arm.settings_on(data.dataset)


def _say_methods(study: Study) -> str:
    methods: dict[str, list[float]] = {}
    for _, arm, *_ in _list_runs(study):
        found = methods.setdefault(words.say_method(arm.method), [])
        if arm.strength is not None and arm.strength not in found:
            found.append(arm.strength)
    return "; ".join(f"{name} {words.numbers(found)}".strip() for name, found in methods.items())


def _say_scoring(study: Study) -> str:
    tested = study.images // 3
    text = f"{study.images:,} images"
    if FITTED & set(study.metrics):
        text += f", {study.images - tested:,} to fit, {tested:,} to test"
    if CHEN not in study.metrics:
        return text
    drawn = inspect.signature(mig_aggregate_posterior).parameters["samples"].default
    return f"{text}; aggregate posterior: {drawn:,} samples"


def _weights(study: Study) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """By data set and method: strengths, and what each would be on images of 64 x 64."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for name, arm, data, settings in _list_runs(study):
        if (field := words.strength_field(arm.method)) is None:
            continue
        value = float(getattr(arm.method, field))
        meant = words.weigh(value, data.dataset.image_shape, settings.likelihood)
        pairs = found.setdefault((name, type(arm.method).__name__), [])
        if (value, meant) not in pairs:
            pairs.append((value, meant))
    return found


def _compare(study: Study, published: Study) -> dict[str, float]:
    """How strongly methods act beside the published strength, or each beside its own of a grid."""
    theirs, factors = _weights(published), {}
    for (data, method), ours in _weights(study).items():
        base = theirs.get((data, method), ours)
        alone = len(base) == len(ours) == 1
        factors[f"{method} on {data}"] = ours[0][1] / (base[0][1] if alone else ours[0][0])
    return factors


def _of_changes(found: dict[str, Data]) -> Facts:
    def tell(say: Callable[[Data, Search], str]) -> str:
        return words.by_text((say(data, data.search), name) for name, data in found.items()
                             if data.search is not None)  # fmt: skip

    return {
        "change": tell(lambda data, _: f"epsilon {data.epsilon:g}"),
        "ensemble": tell(lambda _, s: f"{s.disentangled} + {s.entangled} pairs"),
        "searched": tell(
            lambda _, s: f"{words.say_method(s.arm.method)} {s.arm.strength:g}, "
            f"{len(s.seeds)} seeds"
        ),
        "change's optimisers": tell(
            lambda _, s: f"{words.say_optimiser(s.learning.optimiser)}, decoders "
            f"{words.say_optimiser(s.learning.decoder_optimiser)}"
        ),
        "change's batches": tell(
            lambda _, s: f"{s.learning.decoder_batches} of the decoders for one, "
            f"{s.learning.latent_samples} latent samples"
        ),
        "change's length": tell(
            lambda _, s: f"{s.learning.steps:,} steps of {s.learning.batch_size}"
        ),
        "change's start": tell(
            lambda _, s: "random weights" if s.learning.neuron_weight is None
            else f"weights of its neuron of size {s.learning.neuron_weight:g}"
        ),
    }  # fmt: skip


def of_setup(name: str, scale: str) -> Facts:
    """What a setup of Rolinek et al. declares."""
    setup, theirs = SETUPS[name](scale), SETUPS[name]("paper")
    meant = [words.weigh(one.beta, one.whole.image_shape, one.settings.likelihood)
             for one in (setup, theirs)]  # fmt: skip
    return _of_rolinek(
        words.count_images(setup.whole),
        setup.settings,
        setup.beta,
        meant[0] / meant[1],
        (len(setup.train), setup.n_test, len(setup.whole) // TEST_SHARE),
    )


def of_digits(name: str, scale: str) -> Facts:
    """The same of MNIST and Fashion-MNIST, without their files."""
    files = DIGIT_FILES[scale]
    n = N_DIGITS[files]
    return _of_rolinek(
        f"{n:,} of {name} 1x28x28, files: {files}",
        digit_settings(name, scale),
        DIGIT_BETA,
        1.0,
        (n * 8 // 10, DIGIT_TESTED[scale], n // TEST_SHARE),
    )


def _of_rolinek(
    images: str, settings: Settings, beta: float, factor: float, split: tuple[int, int, int]
) -> Facts:
    train, tested, tenth = split
    return {
        "images": images,
        "split": f"{train:,} to train, {min(tested, tenth):,} of {tenth:,} to test",
        "units": str(settings.latent_dim),
        "training": words.training(settings),
        "network": repr(settings.architecture),
        "likelihood": words.say_likelihood(settings.likelihood),
        "methods": f"beta {beta:g}",
        words.STRENGTH: words.say_factors({"beta": factor}),
        "Jacobians": f"{min(N_JACOBIANS, tested, tenth)}",
    }
