"""Declared values in words."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from gordium.datasets import Dataset
from gordium.methods import PCL, AnnealedVAE, FactorVAE, Method, SlowVAE, WeakGAN
from gordium.priors import NestedPrior
from gordium.spec import Settings

Facts = dict[str, str]
STRENGTH = "strength beside the published"
PIXELS = 64 * 64  # of the published images
INITIAL_WORDS = {"glorot": "Glorot-uniform, biases 0", "torch": "PyTorch's defaults"}
WEIGHTS = {"bernoulli-x4": 4}  # how many pixels one counts as
PRIOR = ("layout", "p0", "p", "learn_p", "learn_p0", "scale", "p_rate")  # has a row of its own
ELSEWHERE = ("learning_rate", "critic_rate", "lambda_d")  # with the training; from the strength
ALWAYS: dict[type[Method], tuple[str, ...]] = {  # options to name even at their defaults
    AnnealedVAE: ("gamma", "warmup_steps"),
    FactorVAE: ("depth", "width"),
    SlowVAE: ("gamma", "rate"),
    PCL: ("pairs",),
    WeakGAN: ("critic_width",),
}


def images(dataset: Dataset) -> str:
    """A data set: its name, the shape of its images, its scored factors."""
    shape = "x".join(map(str, dataset.image_shape))
    scored = ", ".join(factor.name for factor in dataset.factors if factor.scored)
    return f"{_name(dataset.declaration)} {shape} ({scored})"


def count_images(whole: Dataset) -> str:
    """How many images there are, of which data set."""
    return f"{len(whole):,} of {images(whole)}"


def _name(declaration: Any) -> str:
    """The name of the data set, however many variants it is wrapped in."""
    if "name" in declaration:
        return str(declaration["name"])
    inner = [value for value in declaration.values() if isinstance(value, dict)]
    return next((found for value in inner if (found := _name(value))), "")


def training(settings: Settings, method: Method | None = None) -> str:
    """How long runs are trained, in which batches and by which optimisers."""
    length = f"{settings.steps:,} steps" if settings.steps else f"{settings.epochs:,} epochs"
    own = {"model": None} if method is None else method.optimisers
    parts: dict[str, list[str]] = {}
    for part, optimiser in own.items():
        parts.setdefault(say_optimiser(optimiser or settings.optimiser), []).append(part)
    rates = [f"{text} ({', '.join(of)})" if len(parts) > 1 else text for text, of in parts.items()]
    return f"{length} of {settings.batch_size:,}, {', '.join(rates)}"


def say_initial(settings: Settings) -> str:
    """How the weights of networks start."""
    return INITIAL_WORDS[settings.initial]


def say_optimiser(optimiser: Any) -> str:
    """Its name and rate, and what differs from its defaults."""
    values = {f.name: (getattr(optimiser, f.name), f.default) for f in fields(optimiser)}
    values.pop("learning_rate", None)
    other = [f"{name} {value:g}" for name, (value, default) in values.items() if value != default]
    return " ".join([type(optimiser).__name__, f"{optimiser.learning_rate:g}", *other])


def say_method(method: Method) -> str:
    """A method's class and its options that matter or differ from the default; no strength."""
    kind, prior = type(method), PRIOR if hasattr(method, "learn_p") else ()
    left_out, always = (method.primary, *ELSEWHERE, *prior), ALWAYS.get(type(method), ())
    given = {k: v for k, v in vars(method).items() if k not in left_out}
    other = [f"{k} {v:g}" if isinstance(v, float) else f"{k} {v}" for k, v in given.items()
             if k in always or v != getattr(kind, k, None)]  # fmt: skip
    return f"{kind.__name__}({', '.join(other)})" if other else kind.__name__


def say_prior(method: Method, latent_dim: int) -> str | None:
    """The sizes of the subspaces of an ISA prior, and its exponents."""
    prior = method.parts(latent_dim, None) if hasattr(method, "learn_p") else None  # type: ignore[arg-type]
    if not isinstance(prior, NestedPrior):
        return None
    first, within = (float(log_p.detach().exp().max()) for log_p in (prior.log_p0, prior.log_p))
    learned = ", learned from there" if "p1" in prior.read_learned() else ""
    sizes = " + ".join(map(str, prior.sizes))
    return f"{sizes} units, p0 {first:g}, p {within:g}{learned}"


def say_likelihood(name: str) -> str:
    """The likelihood, and what a pixel counts in it."""
    return f"{name}, a pixel counts as four" if name in WEIGHTS else name


def weigh(value: float, shape: tuple[int, ...], likelihood: str) -> float:
    """The weight that acts on images of 64 x 64 as `value` does on these: losses are sums."""
    return value * PIXELS / (shape[1] * shape[2] * WEIGHTS.get(likelihood, 1))


def strength_field(method: Method) -> str | None:
    """The field that weighs a term beside the reconstruction; a capacity is in nats."""
    return "gamma" if isinstance(method, AnnealedVAE) else method.primary


def say_factors(factors: Mapping[str, float]) -> str:
    """How many times the published strengths these are."""
    return by_text((f"{factor:.3g} times", name) for name, factor in factors.items())


def numbers(values: Iterable[float]) -> str:
    """Numbers in short."""
    return ", ".join(f"{value:g}" for value in values)


def seeds(given: Iterable[int]) -> str:
    """How many seeds, and from which on."""
    found = list(given)
    return f"{len(found)} from {found[0]}"


def listed(texts: Iterable[str]) -> str:
    """All different texts."""
    return "; ".join(dict.fromkeys(texts))


def by_text(pairs: Iterable[tuple[str, str]]) -> str:
    """Texts and what each is of, where they differ: `a: x, y; b: z`."""
    found: dict[str, list[str]] = {}
    for text, of in pairs:
        found.setdefault(text, []).append(of)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{text}: {', '.join(dict.fromkeys(of))}" for text, of in found.items())
