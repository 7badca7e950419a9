"""The page: its sections in order, each with a sentence that says how to read it."""

from pathlib import Path

import numpy as np

from gordium._version import __version__
from gordium.checks import check_least
from gordium.datasets import Dataset
from gordium.explain import drawings
from gordium.explain.alignment import ANGLES
from gordium.explain.numbers import Distance, Numbers, numbers
from gordium.explain.subject import Subject, encode_subject
from gordium.fields import Declaration
from gordium.files import write_json
from gordium.progress import progress
from gordium.report.names import say_metric
from gordium.report.pages import html as page
from gordium.spec.run import method_to_json
from gordium.training import Run

EXPLORER = "explore.html"
RANDOM = (
    "chance: axes turned at random",
    "Rolinek et al. 2019, Table 2: matrices of entries uniform in [0, 1]",
    "this network with fresh weights",
)
LOSSES = {
    "total": "reconstruction of sampled codes, (11)",
    "deterministic": "deterministic: of mean codes, (13)",
    "stochastic": "stochastic: due to the noise, (14)",
    "quadratic": "stochastic by the Jacobian, (17)",
}


def explain(
    run: Run, dataset: Dataset, *, out: Path, command: str, points: int = 200, seed: int = 0
) -> Numbers:
    """Write the page to `out` and its numbers beside it, as JSON; return the numbers."""
    check_least(1, points=points)
    sections = (_units, _columns, _gram, _orthogonality, _losses, _traversals, _factors, _alignment)
    about = encode_subject(run, dataset, points=points, seed=seed)
    with progress("explaining", len(sections)) as advance:
        found = numbers(about)
        parts = [_summary(about, found)]
        for section in sections:
            advance(1, section.__name__.strip("_"))
            parts += section(about, found)
    parts += [page.heading("Run it again"), page.code(command)]
    method, data = about.run.spec.method.name, _data(about)
    page.write_page(out, f"Why {method} on {data} is as it is", parts)
    document = {**found, "declaration": run.config["declaration"], "version": __version__}
    write_json(out.with_suffix(".json"), document)
    return found


def _summary(about: Subject, found: Numbers) -> str:
    settings = about.run.spec.settings
    length = f"{settings.steps} steps" if settings.steps else f"{settings.epochs} epochs"
    lines = [
        ("method", _name(method_to_json(about.run.spec.method))),
        ("data set", _data(about)),
        ("trained", f"{length}, seed {settings.seed}, {settings.likelihood} likelihood"),
        ("units", str(settings.latent_dim)),
    ]
    if found["regime"]:
        regime = found["regime"]
        lines.append(("active units", f"{regime['active_units']} (mean variance below 0.8)"))
        lines.append(
            ("polarisation, Delta_KL", f"{100 * regime['delta_kl']:.1f} % (polarised below 3 %)")
        )
    if found["orthogonality"]:
        ours, chance = (found["orthogonality"][name] for name in ("all", "random_rotation"))
        text = f"{ours['mean']:.2f}, by chance {chance['mean']:.2f}"
        lines.append(("distance to orthogonality", text))
    lines += [(say_metric(name), f"{value:.3f}") for name, value in found["scores"].items()]
    notes = [*_notes(about), *collapse(found)]
    parts = [*(page.paragraph(note) for note in notes), page.table(("", ""), lines)]
    if about.run.folder is not None and (about.run.folder / EXPLORER).exists():
        parts.append(page.link(EXPLORER, "Touch this run: its explorer"))
    return "".join(parts)


def collapse(found: Numbers) -> list[str]:
    """A warning if none of the units is active; else nothing."""
    regime = found["regime"]
    if regime is None or regime["active_units"] > 0:
        return []
    return [
        f"This model has collapsed: none of its {len(found['units'])} units is active "
        f"(KL {regime['kl']:.2g} nats in all), so every image is decoded to much the same one and "
        "no number below says anything about factors. Train it with a weaker regulariser."
    ]


def _notes(about: Subject) -> list[str]:
    if not about.kind.has_decoder:
        return ["This method trains no decoder: only its codes can be explained."]
    if not about.kind.has_noise:
        return [
            "This method trains no noise of the codes that its decoder sees: there are no active "
            "units, no precisions and no stochastic loss. Units are ordered by the length of "
            "their Jacobian columns."
        ]
    return []


def _units(about: Subject, found: Numbers) -> list[str]:
    head = ("unit", "active", "precision 1/E[σ²]", "E[σ²]", "std of the code", "mean |J column|")
    lines = [
        (
            f"z{unit['unit']}",
            {True: "yes", False: "no", None: "-"}[unit["is_active"]],
            *(_number(unit[k]) for k in ("precision", "variance", "code_std", "column_length")),
        )
        for unit in found["units"]
    ]
    text = "The most important unit comes first"
    if about.kind.has_noise:
        text += ": the one with the least posterior variance (Zietlow et al. 2021, Eqs. 13, 14)"
    return [page.heading("Units"), page.paragraph(f"{text}."), page.table(head, lines)]


def _columns(about: Subject, found: Numbers) -> list[str]:
    if not about.kind.has_decoder:
        return []
    what = (
        "The absolute derivative of each output with respect to each unit, at four points."
        if about.dataset.is_vector
        else "How the decoded image changes with each unit, at four points: grey is no change, "
        "brighter and darker are more and less of a colour. All units of a row share one scale."
    )
    title = page.heading("What a small step of each unit changes")
    return [title, page.picture(drawings.columns(about), what)]


def _gram(about: Subject, found: Numbers) -> list[str]:
    if not about.kind.has_decoder:
        return []
    text = (
        "The Gram matrix JᵀJ of the decoder's Jacobian, mean over points. A VAE's noise makes its "
        "columns orthogonal: cosines of 0 off the diagonal (Rolinek et al. 2019, Theorem 2)."
    )
    return [page.heading("Are the changes orthogonal?"), page.picture(drawings.gram(about), text)]


def _orthogonality(about: Subject, found: Numbers) -> list[str]:
    table = found["orthogonality"]
    if table is None:
        return []
    lines = [("this run, all units", _format(table["all"]))]
    if "active" in table:
        lines.append(("this run, active units only", _format(table["active"])))
    random = (table["random_rotation"], table["random_matrix"], table["untrained"])
    lines += [(text, _format(distance)) for text, distance in zip(RANDOM, random, strict=True)]
    n, near = found["n_points"], table["all"]["near_degenerate"]
    text = (
        "Rolinek et al. 2019, Eq. 29: 0 where the decoder's singular directions are the latent "
        f"axes. Mean and spread over {n} points; at {near} of them two singular values nearly "
        "coincide, and with them the directions are arbitrary."
    )
    title = page.heading("Distance to orthogonality")
    return [title, page.table(("", "distance"), lines), page.paragraph(text)]


def _losses(about: Subject, found: Numbers) -> list[str]:
    if not found["losses"]:
        return []
    parts = found["losses"]
    lines = [(text, _number(parts[name])) for name, text in LOSSES.items()]
    lines.insert(3, ("(13) + (14)", _number(parts["deterministic"] + parts["stochastic"])))
    text = (
        "Squared errors of an image, summed over pixels; numbers are equations of Rolinek et al. "
        "2019. If decoding is unbiased, (13) + (14) is (11); if it is linear over the reach of the "
        "noise, (17) is (14)."
    )
    title = page.heading("Where the loss comes from")
    return [title, page.table(("loss", "mean"), lines), page.paragraph(text)]


def _traversals(about: Subject, found: Numbers) -> list[str]:
    if not about.kind.has_decoder:
        return []
    scale = "its prior" if about.kind.has_noise else "its codes"
    one = f"One unit at a time moves from -2 to 2 standard deviations of {scale}."
    parts = [page.heading("Traversals"), page.picture(drawings.lines(about), one)]
    if len(about.order) > 1:
        two = "The two most important units move together, over the same range."
        parts.append(page.picture(drawings.plane(about), two))
    return parts


def _factors(about: Subject, found: Numbers) -> list[str]:
    explained = np.array(found["factors"]["explained"])
    text = (
        "The share of each code's variance that lies between the values of a factor; a unit that "
        "follows one factor has one dark cell in its row."
    )
    picture = page.picture(drawings.factors(about, explained), text)
    return [page.heading("Units and factors"), picture]


def _alignment(about: Subject, found: Numbers) -> list[str]:
    if not found["alignment"]:
        return []
    lines = [(text, f"{found['alignment'][name]:.0f}°") for name, text in ANGLES.items()]
    text = (
        "Angles between changes of the image, each with its nearest, mean over points. Unrelated "
        "changes are at 90°; a blurred decoder is some way off even where its units are right. In "
        "theory a VAE's units follow local principal components, which are the factors as far as "
        "the last angle is small: a property of the data (see gordium audit)."
    )
    title = page.heading("Units, principal components and factors")
    return [title, page.table(("between", "angle"), lines), page.paragraph(text)]


def _name(method: Declaration) -> str:
    options = ", ".join(f"{key} {value}" for key, value in method.items() if key != "name")
    return f"{method['name']} ({options})" if options else str(method["name"])


def _data(about: Subject) -> str:
    declared = about.run.spec.dataset
    return (declared.name or "a data set") + (f" ({declared.variant})" if declared.variant else "")


def _format(found: Distance) -> str:
    return f"{found['mean']:.3f} ± {found['std']:.3f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
