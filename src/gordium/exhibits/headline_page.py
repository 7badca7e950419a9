"""The page of the headline experiment: its table, what it shows in words, and pictures."""

import json

from gordium.arrays import Integers
from gordium.datasets import Dataset, Modified, Noisy
from gordium.exhibits.published import read_published
from gordium.files import write_bytes
from gordium.manipulation import Manipulation
from gordium.report.figures import images as figures
from gordium.report.pages import html as page
from gordium.report.rows import Row, Summary, summarise
from gordium.report.statistics.student import mean_interval
from gordium.study import pictures
from gordium.study.data import EQUAL_NOISE, Data
from gordium.study.searching import find_asked_room, find_searched
from gordium.study.store import Store
from gordium.study.study import Study
from gordium.training import load_run
from gordium.training.folder import read_history

PAGE, FIGURE4 = "report.html", "figure4.png"


def table(rows: list[Row]) -> list[tuple[str, ...]]:
    """MIG of each variant, with every seed, beside the published numbers of Table 1, if any."""
    paper = read_published("zietlow2021-table1").get(rows[0].method, {})
    lines: list[tuple[str, ...]] = []
    for variant, summary in summarise(rows, "mig").items():
        theirs = paper.get(f"{rows[0].dataset}/{variant}")
        lines.append(
            (
                variant,
                str(summary),
                " ".join(f"{value:.2f}" for value in summary.values),
                f"{theirs['mean']:.2f} ± {theirs['std']:.2f}" if theirs else "none",
            )
        )
    return lines


TABLE_HEAD = ("data", "MIG here", "each seed", "MIG published")


def verdict(rows: list[Row], epsilon: float, n_factors: int) -> list[str]:
    """What the numbers show, in sentences that follow from them."""
    mig = summarise(rows, "mig")
    original, modified, noise = (mig[name] for name in ("original", "modified", "noise"))
    n, equal = len(original.values), mig.get(EQUAL_NOISE, noise)
    energy = [f"Noise of the change's own energy leaves {equal}, {_share(equal, original)}."]
    return [
        f"Trained on the original images, {n} fresh seeds reach a MIG of {original}; on images "
        f"changed by at most {epsilon:g} of the pixel range, with every generating factor kept, "
        f"they reach {modified}, {_share(modified, original)} of it.",
        f"Uniform noise within the same bound leaves {noise}, {_share(noise, original)}.",
        _difference_sentence(rows),
        *(energy if EQUAL_NOISE in mig else []),
        _pruning_sentence(rows, n_factors),
    ]


def _difference_sentence(rows: list[Row]) -> str:
    """Modified minus noise by seed: the comparison that carries the claim."""
    modified, noise = (
        {row.seed: row.value for row in rows if row.metric == "mig" and row.variant == variant}
        for variant in ("modified", "noise")
    )
    pairs = [(noise[k], modified[k]) for k in sorted(noise.keys() & modified.keys())]
    found = mean_interval([b - a for a, b in pairs if a is not None and b is not None])
    text = f"Modified minus noise, by seed, is {found.mean:+.2f}"
    if found.n < 2:
        return f"{text}; one seed has no interval."
    means = (
        "the bound alone does not explain the fall" if found.high < 0 else "they do not separate"
    )
    return f"{text} [{found.low:+.2f}, {found.high:+.2f}] (95 %): in this run {means}."


def _share(part: Summary, whole: Summary) -> str:
    return f"{100 * part.mean / whole.mean:.0f} %" if whole.mean > 0 else "an undefined share"


def _pruning_sentence(rows: list[Row], n_factors: int) -> str:
    units = {(row.variant, row.seed): row.active_units for row in rows}
    if all(n is None for n in units.values()):
        return "This method has no posterior variances, so no unit can be called active."
    asleep = [name for (name, _), n in units.items() if n is not None and n < n_factors]
    pruned = {name: asleep.count(name) for name, _ in units}
    if not asleep:
        return (
            "No run over-pruned: each kept as many active units as there are factors, so what "
            "differs is how they are aligned and not how much they hold."
        )
    counts = ", ".join(f"{count} on {name}" for name, count in pruned.items())
    return f"Runs that over-pruned (fewer active units than factors), kept in the table: {counts}."


def write_page(
    study: Study, store: Store, change: Manipulation, rows: list[Row], command: str
) -> None:
    """Write `report.html` and `figure4.png` of a finished study of one data set and one method."""
    [arm], [(name, data)] = study.arms, study.data.items()
    dataset = data.dataset
    settings = arm.settings_on(dataset)
    factors = ", ".join(f"{f.name} ({f.size})" for f in dataset.factors)
    sentences = verdict(rows, data.epsilon or 0.0, len(dataset.factors))
    parts = [
        page.paragraph(" ".join(sentences)),
        page.table(TABLE_HEAD, table(rows)),
        page.paragraph(
            f"Published: Zietlow et al. 2021, Table 1, {rows[0].method} on {rows[0].dataset}, "
            "10 seeds, all factors at 64 x 64. "
            f"Here: images of shape {dataset.image_shape}, free "
            f"factors {factors}, {settings.latent_dim} latent units, "
            f"{settings.n_steps(len(dataset))} steps, {arm.method}. "
            "Mean and standard deviation over seeds that no choice was made by.",
            small=True,
        ),
        page.paragraph(f"{_search_sentence(data)} {say_room(name, study, store)}", small=True),
        page.picture(figures.scores(summarise(rows, "mig"), label="MIG"), "Every seed."),
        *_picture_parts(study, store, change, rows),
        page.heading("Run it again"),
        page.code(command),
        page.fold("The declaration", page.code(json.dumps(study.declaration, indent=2))),
    ]
    title = "Is the success the model's, or the data set's?"
    page.write_page(store.folder / PAGE, title, parts)


def _search_sentence(data: Data) -> str:
    search = data.search
    if search is None:
        return ""
    restarts = (
        f"; of {search.restarts} restarts, the one with the lowest L_ent - L_dis"
        if search.restarts > 1
        else ""
    )
    steps = search.arm.settings_on(data.dataset).n_steps(len(data.dataset))
    return (
        f"The manipulation was learned from the {search.disentangled} most and the "
        f"{search.entangled} least disentangled of {len(search.seeds)} runs on the "
        f"original images ({search.arm.method}, {steps} steps), in "
        f"{search.learning.steps} steps{restarts}."
    )


def say_room(name: str, study: Study, store: Store) -> str:
    """A sentence on what the best unlearned wave could gain, if that was asked for."""
    found = find_asked_room(name, study, store)
    if found is None:
        return ""
    return (
        "Before a change was learned, the best unlearned wave brought L_ent - L_dis to "
        f"{found['room']:+.2g}, both being {found['tied']:.3g} on the originals: below 0 there is "
        "room for a change, which is necessary and not sufficient."
    )


def draw_change(dataset: Dataset, change: Manipulation, shown: Integers) -> bytes:
    """Draw Figure 4 of some images: original + epsilon × change = altered."""
    return figures.sums(
        pictures.originals(dataset, shown),
        pictures.changes(change, dataset, shown),
        pictures.originals(Modified(dataset, change), shown),
        change.epsilon,
    )


def _picture_parts(study: Study, store: Store, change: Manipulation, rows: list[Row]) -> list[str]:
    [(name, data)] = study.data.items()
    dataset, shown = data.dataset, pictures.some_indices(data.dataset, 8)
    figure4 = draw_change(dataset, change, shown[:3])
    write_bytes(store.folder / FIGURE4, figure4)
    found = find_searched(name, study, store)
    best, worst = (load_run(store.run_folder(kind[0].key)) for kind in found)
    noisy = Noisy(dataset, change.epsilon, seed=data.noise_seed)
    compared = {
        "original": pictures.originals(dataset, shown),
        "best run": pictures.reconstructions(best, dataset, shown),
        "worst run": pictures.reconstructions(worst, dataset, shown),
        "modified": pictures.originals(Modified(dataset, change), shown),
        "noisy": pictures.originals(noisy, shown),
    }
    named = dict.fromkeys((row.variant, row.run) for row in rows)
    losses = [(variant, read_history(store.run_folder(run))) for variant, run in named]
    return [
        page.heading("The change (Figure 4)"),
        page.picture(figure4, "Original + epsilon × change = altered; grey is no change."),
        page.heading("Reconstructions, and the images of each variant"),
        page.picture(
            figures.image_grid(compared, zoom=0.8),
            "Decoded posterior means of the most disentangled and most entangled search run.",
        ),
        page.heading("Latent traversals"),
        *(
            page.picture(
                figures.image_grid(
                    {
                        f"unit {k + 1}": row
                        for k, row in enumerate(pictures.traversals(run, dataset, int(shown[0])))
                    },
                    zoom=0.8,
                ),
                f"The {name} search run, its most important latent unit first, from -2 to 2.",
            )
            for name, run in (("most disentangled", best), ("most entangled", worst))
        ),
        page.heading("Training"),
        page.picture(figures.curves(losses, term="loss"), "The loss of the fresh runs."),
        page.picture(
            figures.curves([("manipulation", change.history)], term="loss"),
            "L_ent - L_dis while the manipulation is learned: below 0, entangled models have it "
            "easier.",
        ),
    ]
