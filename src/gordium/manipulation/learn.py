"""Learning the change that favours entangled models (Zietlow et al. 2021, 4.5 and B.1)."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

import torch
from torch import Generator, Tensor
from torch.optim import Optimizer

from gordium.checks import check_least, check_most, check_positive
from gordium.datasets import Dataset, check_is_dataset, reflect
from gordium.evaluation.representation import choose_rows
from gordium.factors import column_of
from gordium.fields import Declaration, added, declare_fields
from gordium.manipulation.designed import (
    check_moves,
    design_step,
    make_filter,
    mean_local_variance,
    thin_grid,
)
from gordium.manipulation.manipulation import Manipulation, load_manipulation, new_manipulator
from gordium.manipulation.manipulator import (
    Manipulator,
    hold_other_weights,
    share_wave,
    standardise,
    start_as_wave,
    weigh_alike,
)
from gordium.manipulation.settled import (
    MOST_IMAGES,
    changing_images,
    confuse_kinds,
    settled_step,
)
from gordium.methods import sample
from gordium.networks import ARCHITECTURES, Autoencoder
from gordium.networks.direct import lay_out
from gordium.networks.likelihoods import squared_error
from gordium.spec import RunSpec, to_named
from gordium.spec.settings import MOST_IN_BATCH, MOST_STEPS
from gordium.training import Adam, Recording, Report, Run, Task, pick_device, run_steps
from gordium.training.checkpoint import Part
from gordium.training.folder import claim, is_finished, save_finished
from gordium.training.machine import keep_freed_memory, machine_of
from gordium.training.step import place_network, to_floats
from gordium.training.streams import Batches, streams

_ADAM = Adam(learning_rate=1e-4, eps=1e-7)


@dataclass(frozen=True, kw_only=True)
class ManipulationSettings:
    """How a manipulation is learned; the defaults are those of supplement B.1, which names
    neither steps nor a batch size.

    `decoder_batches` of training for the decoders come before each of the manipulator's. The
    neuron's weights start at random like all others; with `neuron_weight`, all are of that size
    and the seed's bits are their signs (see `weigh_alike`); with `wave`, the change starts as a
    wave (see `start_as_wave`), which with `even` has equal parts of all factors. With `settled`,
    no decoder is trained: the error of the best one is computed (see `settled_step`). With
    `turns`, runs of one kind are enough, and so many turned copies of each stand for the other
    kind (see `turn`); decoders must then be settled. With `smoothing`, the change is designed: it
    turns the images' local axes (see `designed`), and of the runs, for which one is enough,
    nothing but the network is taken. Of many factors, it turns those that are named in `along`, and
    depends on no other. The first `lead` steps make the change alone vary (see `design_step`).
    """

    steps: int = 20_000
    seed: int = 0
    batch_size: int = 64
    decoder_batches: int = 3
    latent_samples: int = 5
    optimiser: Adam = _ADAM
    decoder_optimiser: Adam = _ADAM
    neuron_weight: float | None = None
    wave: float | None = added(None)
    settled: bool = added(False)
    even: bool = added(False)
    turns: int = added(0)
    smoothing: float | None = added(None)
    along: tuple[str, ...] = added(())
    lead: int = added(0)

    def __post_init__(self) -> None:
        check_least(1, steps=self.steps, batch_size=self.batch_size)
        check_least(1, decoder_batches=self.decoder_batches, latent_samples=self.latent_samples)
        check_least(0, turns=self.turns, seed=self.seed, lead=self.lead)
        check_most(MOST_STEPS, steps=self.steps)
        check_most(self.steps, lead=self.lead)
        counts = {"decoder_batches": self.decoder_batches, "latent_samples": self.latent_samples}
        check_most(MOST_IN_BATCH, batch_size=self.batch_size, turns=self.turns, **counts)
        if self.smoothing is not None:
            check_positive(smoothing=self.smoothing)
        if self.smoothing is not None and self.turns:
            raise ValueError(
                "a change is designed with `smoothing`, or learned from turned copies with "
                "`turns`: give one of them."
            )
        if (self.along or self.lead) and self.smoothing is None:
            raise ValueError("`along` and `lead` are of designed changes: they need `smoothing`.")
        if self.along and len(set(self.along)) < max(2, len(self.along)):
            raise ValueError(
                "`along` names two factors or more, each once, as one alone has no axes that could "
                f"turn; got {', '.join(self.along)}."
            )
        if self.turns and not self.settled:
            raise ValueError(
                "turned copies have no decoders that could be trained: `turns` needs settled=True."
            )

    @property
    def needs_one_kind(self) -> bool:
        """Whether runs of one kind are enough."""
        return self.turns > 0 or self.smoothing is not None


@dataclass(frozen=True)
class _Member:
    """A trained model with a frozen encoder and a decoder that is trained on the changed images."""

    model: Autoencoder
    optimiser: Optimizer

    def images(self, x: Tensor, n_samples: int, noise: Generator) -> Tensor:
        """Decoded samples of the posteriors of *original* images: (n_samples, n, c, h, w)."""
        with torch.no_grad():
            each = torch.arange(len(x), device=x.device).repeat(n_samples)
            z = sample(self.model.encode(x).select(each), noise)
        return self.model.decode(z).unflatten(0, (n_samples, len(x)))


def manipulate(  # noqa: PLR0913 - the public name of a whole experiment
    dataset: Dataset,
    *,
    disentangled: Sequence[Run],
    entangled: Sequence[Run],
    epsilon: float,
    folder: str | Path,
    settings: ManipulationSettings | None = None,
    device: str = "auto",
    recording: Recording | None = None,
    report: Report | None = None,
) -> Manipulation:
    """Learn x' = x + epsilon m(w) by minimising L_ent - L_dis; resumable like any training.

    L is the squared error of Eq. 5 between the changed image and what a model's decoder makes
    of the original image's posterior, averaged over the models of its kind.
    """
    settings = settings or ManipulationSettings()
    check_is_dataset(dataset)
    check_epsilon(epsilon)
    check_repeats(dataset)
    check_runs(disentangled, entangled, dataset, one_kind=settings.needs_one_kind)
    place = Path(folder)
    best, worst = ([run.spec for run in runs] for runs in (disentangled, entangled))
    declaration = declare_manipulation(dataset, best, worst, epsilon, settings)
    target = pick_device(device)
    claim(place, declaration, machine=machine_of(target))
    if not is_finished(place):
        keep_freed_memory()
        learner = _Learner(dataset, declaration, settings, target)
        task = learner.task(disentangled, entangled)
        history = run_steps(task, folder=place, recording=recording, report=report)
        save_finished(place, "manipulation", learner.manipulator, history)
    return load_manipulation(place)


class _Learner:
    """The networks that take part, and how one step trains them against each other."""

    def __init__(
        self,
        dataset: Dataset,
        declaration: Declaration,
        settings: ManipulationSettings,
        device: torch.device,
    ) -> None:
        self.dataset, self.settings, self.device = dataset, settings, device
        self.epsilon: float = declaration["epsilon"]
        chance = streams(settings.seed, device)
        self.noise = chance.noise
        self.reader: torch.nn.Module = torch.nn.Identity()  # the network that batches are laid for
        self.batches = Batches(chance.data, len(dataset), settings.batch_size)
        turned = [column_of(dataset.factors, name) for name in settings.along] or None
        manipulator = new_manipulator(declaration, chance.weights)
        if settings.neuron_weight is not None:
            weigh_alike(manipulator, settings.neuron_weight, pattern=settings.seed)
        if settings.wave is not None:
            start_as_wave(
                manipulator,
                dataset.factors,
                settings.wave,
                share_wave(dataset.factors, turned, even=settings.even),
                pattern=settings.seed,
                generator=chance.weights,
            )
        self.turned = turned
        self.manipulator: Manipulator = place_network(manipulator, device)
        if turned is not None:
            hold_other_weights(self.manipulator, turned)
        self.optimiser = settings.optimiser.build(manipulator.parameters())

    def task(self, disentangled: Sequence[Run], entangled: Sequence[Run]) -> Task:
        """Each step trains the decoders on some batches, then the manipulator on one."""
        runs = (disentangled, entangled)
        if self.settings.smoothing is not None:
            alone = self._design(self.settings.smoothing)
            return Task("manipulating", self.settings.steps, alone, self._parts([], []))
        if self.settings.settled:
            indices = choose_rows(len(self.dataset), n=MOST_IMAGES)  # as `confuse_kinds` encodes
            images = changing_images(self.manipulator, self.dataset, indices, self.epsilon)
            confusions = confuse_kinds(
                runs, self.dataset, turns=self.settings.turns, seed=self.settings.seed
            )
            alone = settled_step(images, confusions, self.optimiser)
            encoders = [run.model.encoder for kind in runs for run in kind]
            parts = self._parts([], [])
            return Task("manipulating", self.settings.steps, alone, parts, others=encoders)
        dis, ent = ([self._member(run.model) for run in kind] for kind in runs)
        n = self.settings.decoder_batches

        def step(i: int) -> dict[str, Tensor]:
            for j in range(n):
                x, w = self._batch(i * (n + 1) + j)
                self._train_decoders(dis + ent, x, w)
            x, w = self._batch(i * (n + 1) + n)
            return self._train_manipulator(dis, ent, x, w)

        parts, batches = self._parts(dis, ent), _batches(self.settings)
        others = [member.model.encoder for member in dis + ent]
        return Task(
            "manipulating", self.settings.steps, step, parts, batches=batches, others=others
        )

    def _design(self, smoothing: float) -> Callable[[int], dict[str, Tensor]]:
        factors = self.dataset.factors
        turned = [factors[k] for k in self.turned] if self.turned is not None else factors
        values, indices = thin_grid(self.dataset, self.turned, seed=self.settings.seed)
        x, change = changing_images(self.manipulator, self.dataset, indices, self.epsilon)
        pairs = zip(values, turned, strict=True)
        filters = [make_filter(some, each.size, smoothing, self.device) for some, each in pairs]
        check_moves(mean_local_variance(x, filters), turned)
        design = design_step(change, filters, self.optimiser)
        grid = indices[: prod(len(some) for some in values)]
        w = standardise(factors, self.dataset.factors_at(grid)).to(self.device)
        lead = design_step(lambda: self.manipulator(w), filters, self.optimiser, alone=True)
        return lambda i: lead(i) if i < self.settings.lead else design(i)

    def _parts(self, dis: list[_Member], ent: list[_Member]) -> dict[str, Part]:
        parts: dict[str, Part] = {
            "manipulator": self.manipulator,
            "optimiser": self.optimiser,
            "noise": self.noise,
        }
        for kind, members in (("disentangled", dis), ("entangled", ent)):
            for k, member in enumerate(members):
                parts[f"{kind}-{k}-decoder"] = member.model.decoder
                parts[f"{kind}-{k}-optimiser"] = member.optimiser
        return parts

    def _member(self, model: Autoencoder) -> _Member:
        own = place_network(copy.deepcopy(model), self.device)
        self.reader = own.encoder.requires_grad_(False)
        return _Member(own, self.settings.decoder_optimiser.build(own.decoder.parameters()))

    def _batch(self, i: int) -> tuple[Tensor, Tensor]:
        indices = self.batches.at(i)
        w = standardise(self.dataset.factors, self.dataset.factors_at(indices))
        return to_floats(self.dataset.images(indices), self.reader), w.to(self.device)

    def _target(self, x: Tensor, w: Tensor) -> Tensor:
        """The changed images, repeated once for each latent sample."""
        changed = reflect(x + self.epsilon * self.manipulator(w))
        return lay_out(changed.repeat(self.settings.latent_samples, 1, 1, 1))

    def _train_decoders(self, members: list[_Member], x: Tensor, w: Tensor) -> None:
        with torch.no_grad():
            target = self._target(x, w)
        for member in members:
            loss = self._loss(member, x, target)
            member.optimiser.zero_grad(set_to_none=True)
            loss.backward()
            member.optimiser.step()

    def _train_manipulator(
        self, dis: list[_Member], ent: list[_Member], x: Tensor, w: Tensor
    ) -> dict[str, Tensor]:
        target = self._target(x, w)
        l_ent, l_dis = (
            torch.stack([self._loss(member, x, target, fixed=True) for member in members]).mean()
            for members in (ent, dis)
        )
        loss = l_ent - l_dis
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        return {"loss": loss, "entangled": l_ent, "disentangled": l_dis}

    def _loss(self, member: _Member, x: Tensor, target: Tensor, *, fixed: bool = False) -> Tensor:
        """L_rec of Eq. 5 per image and sample; with `fixed`, the target alone gets a gradient."""
        with torch.set_grad_enabled(not fixed):
            images = member.images(x, self.settings.latent_samples, self.noise).flatten(0, 1)
        return squared_error(images, target)


def _batches(settings: ManipulationSettings) -> tuple[int, ...]:
    """How many images networks take at a time; none if the change is designed or settled."""
    if settings.settled or settings.smoothing is not None:
        return ()
    return (settings.batch_size, settings.batch_size * settings.latent_samples)


def check_epsilon(epsilon: float) -> None:
    """Refuse a bound on the change that is not within the pixel range."""
    if not 0 < epsilon <= 1:
        raise ValueError(f"epsilon must lie in (0, 1], in units of the pixel range; got {epsilon}.")


def check_repeats(dataset: Dataset) -> None:
    """Refuse real-valued factors: a change is a function of values that repeat."""
    if dataset.has_real_factors:
        raise ValueError(
            "some factors are real numbers, and a change is learned as a function of values that "
            "repeat. Bin them to whole numbers first, e.g. with numpy.digitize."
        )


def check_runs(
    disentangled: Sequence[Run],
    entangled: Sequence[Run],
    dataset: Dataset,
    *,
    one_kind: bool = False,
) -> None:
    """Refuse what is no list of runs on such images, and a kind that is missing or one too many."""
    for name, runs in (("disentangled", disentangled), ("entangled", entangled)):
        if not isinstance(runs, Sequence) or not all(isinstance(run, Run) for run in runs):
            raise TypeError(
                f"{name} must be a list of runs, as train and load_run give them; got {runs!r}."
            )
    if one_kind:
        if bool(disentangled) == bool(entangled):
            raise ValueError(
                "with `turns` or `smoothing`, runs of one kind are given; "
                f"got {len(disentangled)} disentangled and {len(entangled)} entangled runs."
            )
    elif not disentangled or not entangled:
        raise ValueError("at least one disentangled and one entangled run are needed.")
    for run in (*disentangled, *entangled):
        shape = run.spec.dataset.image_shape
        if shape != dataset.image_shape:
            raise ValueError(
                f"the run in {run.folder} was trained on images of shape {shape}; "
                f"the data set's are {dataset.image_shape}."
            )


def declare_manipulation(
    dataset: Dataset,
    disentangled: Sequence[RunSpec],
    entangled: Sequence[RunSpec],
    epsilon: float,
    settings: ManipulationSettings,
) -> Declaration:
    """All that a manipulation follows from, as JSON; its folder is named by the hash of this."""
    return {
        "kind": "manipulation",
        "dataset": dataset.declaration,
        "image_shape": list(dataset.image_shape),
        "factors": [declare_fields(replace(factor, labels=())) for factor in dataset.factors],
        "disentangled": [run.key for run in disentangled],
        "entangled": [run.key for run in entangled],
        "epsilon": epsilon,
        "architecture": to_named(
            (*disentangled, *entangled)[0].settings.architecture, ARCHITECTURES
        ),
        "settings": declare_fields(settings),
    }
