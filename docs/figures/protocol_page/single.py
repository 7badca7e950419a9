"""What single exhibits declare, in addition to a protocol that they share, or alone."""

from gordium.exhibits.burgess2018.figure3 import choose_channels
from gordium.exhibits.rolinek2019 import figure3, figure_s4, figure_s5, table1, table2, table_s4
from gordium.exhibits.studies import declare_study
from gordium.exhibits.stuehmer2020.figure3 import PRIORS, choose_scale
from gordium.exhibits.zietlow2021 import figure1, figure5, figures10_11, theorem1
from protocol_page import words
from protocol_page.shared import BUILT_IN
from protocol_page.words import Facts

TRAIN_NOTHING = (
    "zietlow2021-figure2",
    "rolinek2019-worked-example",
    "rolinek2019-theorem2",
    "rolinek2019-rotation-invariance",
    "locatello2019-theorem1",
    *(f"stuehmer2020-{part}" for part in ("figure1", "figure2", "algorithm1", "b3", "b4", "b5")),
)


def declare_single(scale: str) -> dict[str, Facts]:
    """What a scale declares for single exhibits, by name."""
    cloud, linear = figure1.SIZES[scale], theorem1.SIZES[scale]
    return {
        "zietlow2021-figure1": {
            "points": f"{cloud.n:,}",
            "steps": f"{cloud.steps:,}",
            "seeds": words.seeds(cloud.seeds),
        },
        "zietlow2021-figure5": _of_line_search(scale),
        "zietlow2021-figure10-11": _of_traversals(scale),
        "zietlow2021-theorem1": {
            "points": f"{linear.n:,}",
            "steps": f"{linear.steps:,}",
            "beta": words.numbers(linear.betas),
            "seeds": words.seeds(linear.seeds),
        },
        **_of_rolinek(scale),
        "burgess2018-figure3": _of_channels(scale),
        "stuehmer2020-figure3": _of_priors(scale),
    }


def _of_line_search(scale: str) -> Facts:
    size = figure5.SIZES[scale]
    found, _ = figure5.vary_strength(declare_study(figure5.STUDY, scale), size)
    return {
        "images": figure5.DATA,
        "variants": ", ".join(found.data[figure5.DATA].variants),
        "methods": ", ".join(size.methods),
        "factors": words.numbers(size.factors),
        "seeds": str(len(found.seeds)),
    }


def _of_traversals(scale: str) -> Facts:
    data = declare_study(figure5.STUDY, scale).data["shapes3d"]
    assert data.search is not None
    names = {factor.name for factor in data.dataset.scored_factors}
    hue = next(name for name in figures10_11.HUES if name in names)
    reach, steps = figures10_11.REACH, figures10_11.STEPS
    return {
        "runs": f"{data.search.disentangled} disentangled, {data.search.entangled} entangled",
        "factors": f"{hue}, {figures10_11.OTHER}",
        "units": "the two that tell most of both factors",
        "grid": f"{steps} x {steps}, to {reach:g} standard deviations",
    }


def _of_rolinek(scale: str) -> dict[str, Facts]:
    plans, restarts = figure_s4.declare_plans(scale), figure3.declare_plans(scale)
    swept = list(dict.fromkeys(str(plan.labels["data"]) for plan in plans))
    return {
        "rolinek2019-table1": {
            "judged": words.by_text(
                (f"every {size.every} batches", name) for name, size in table1.SIZES[scale].items()
            ),
            "seeds": words.by_text(
                (words.seeds(size.seeds), name) for name, size in table1.SIZES[scale].items()
            ),
            "training": "; ".join(
                f"{name}: {_of_table1(name, scale)}"
                for name in table1.SIZES[scale]
                if name in BUILT_IN
            ),
        },
        "rolinek2019-table2": {
            "seeds": words.by_text((str(n), name) for name, n in table2.SIZES[scale].items())
        },
        "rolinek2019-tableS4": {
            "ratios": words.numbers(table_s4.RATIOS),
            "seeds": words.seeds(table_s4.SEEDS[scale]),
        },
        "rolinek2019-figure3": {
            "lengths": f"{words.numbers(figure3.LENGTHS[scale])} "
            + ("epochs" if restarts[0].setup.settings.epochs else "steps"),
            "restarts": f"{figure3.RESTARTS[scale]} of each length",
            "images": words.count_images(restarts[0].setup.whole),
        },
        "rolinek2019-figureS4": {
            "beta": words.by_text(
                (words.numbers(figure_s4.SWEEPS[scale][name]), name) for name in swept
            ),
            "seeds": words.seeds(sorted({plan.seed for plan in plans})),
        },
        "rolinek2019-figureS5": {
            "ratio": "1",
            "shown": f"{figure_s5.RESTARTS} restarts",
            "seeds": words.seeds(table_s4.SEEDS[scale]),
        },
    }


def _of_table1(name: str, scale: str) -> str:
    setup = table1.choose_setup(scale, name)
    return f"{words.training(setup.settings)}, beta {setup.beta:g}"


def _of_channels(scale: str) -> Facts:
    ours, theirs = choose_channels(scale), choose_channels("paper")
    method = ours.method
    meant = words.weigh(method.gamma, ours.dataset.image_shape, "bernoulli")
    return {
        "images": words.images(ours.dataset),
        "capacity": f"{method.capacity:g} nats over {method.warmup_steps:,} steps",
        "gamma": f"{method.gamma:g}",
        words.STRENGTH: words.say_factors({"gamma": meant / theirs.method.gamma}),
        "training": f"batches of {ours.batch_size}, {words.say_optimiser(ours.optimiser)}, "
        f"channels {ours.channel_rate:g}, seed {ours.seed}",
        "network": repr(ours.network),
    }


def _of_priors(scale: str) -> Facts:
    ours = choose_scale(scale)
    factor = words.weigh(1.0, (1, ours.size, ours.size), ours.settings.likelihood)
    return {
        "images": f"dsprites {ours.size} x {ours.size}, one square",
        "exponents": words.numbers(PRIORS.values()),
        "training": words.training(ours.settings),
        "network": repr(ours.settings.architecture),
        "likelihood": words.say_likelihood(ours.settings.likelihood),
        words.STRENGTH: words.say_factors({"beta 1": factor}),
        "seeds": str(ours.seeds),
    }
