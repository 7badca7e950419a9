"""Every committed verdict is what a second, separately written script finds in the rows."""

import csv
import json
from functools import cache, partial
from itertools import groupby
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gordium.exhibits.catalogue import CATALOGUE
from gordium.exhibits.stuehmer2020 import claims as stuehmer_claims

from . import recomputed
from . import recomputed_papers as papers
from . import recomputed_stuehmer as stuehmer

RESULTS = Path(__file__).parents[2] / "results"
LINES = {
    "demo": papers.demo,
    "demo-retuned": papers.headline_retuned,
    "demo-controls": papers.demo_controls,
    "zietlow2021-table1": partial(papers.zietlow_table, "zietlow2021-table1", "MIG", "mig"),
    "zietlow2021-table3": partial(papers.zietlow_table, "zietlow2021-table3", "DCI", "dci"),
    "zietlow2021-table4": partial(
        papers.zietlow_table, "zietlow2021-table4", "the FactorVAE score", "factor_vae_score"
    ),
    "zietlow2021-table5": partial(papers.zietlow_table, "zietlow2021-table5", "SAP", "sap"),
    "zietlow2021-figure1": papers.zietlow_figure1,
    "zietlow2021-figure4": papers.zietlow_figure4,
    "zietlow2021-figure5": papers.zietlow_figure5,
    "zietlow2021-figure10-11": papers.zietlow_traversals,
    "zietlow2021-theorem1": papers.zietlow_theorem1,
    "rolinek2019-worked-example": papers.rolinek_example,
    "rolinek2019-theorem2": papers.rolinek_theorem2,
    "rolinek2019-table1": papers.rolinek_table1,
    "rolinek2019-table2": papers.rolinek_table2,
    "rolinek2019-figure3": papers.rolinek_figure3,
    "rolinek2019-figureS4": papers.rolinek_figure_s4,
    "rolinek2019-tableS4": papers.rolinek_table_s4,
    "rolinek2019-figureS5": papers.rolinek_figure_s5,
    "rolinek2019-rotation-invariance": papers.rolinek_rotation,
    "locatello2019-theorem1": papers.locatello_theorem1,
    "locatello2019-figure1": papers.locatello_figure1,
    "locatello2019-figure2": papers.locatello_figure2,
    "locatello2019-variance-explained": papers.locatello_variance,
    "locatello2019-model-selection": papers.locatello_selection,
    "locatello2019-downstream": papers.locatello_downstream,
    "burgess2018-figure3": stuehmer.burgess,
    "stuehmer2020-figure1": stuehmer.figure1,
    "stuehmer2020-figure2": stuehmer.figure2,
    "stuehmer2020-figure3": stuehmer.figure3,
    "stuehmer2020-figure5": stuehmer.figure5,
    "stuehmer2020-figure6": stuehmer.figure6,
    "stuehmer2020-figure7": stuehmer.figure7,
    "stuehmer2020-figures8-16": stuehmer.units,
    "stuehmer2020-algorithm1": stuehmer.algorithm1,
    "stuehmer2020-b3": stuehmer.b3,
    "stuehmer2020-b4": stuehmer.b4,
    "stuehmer2020-b5": stuehmer.b5,
}
RUNGS = {
    "demo-0-longer": "the demo, longer runs",
    "demo-1": "three factors of Shapes3D",
    "demo-1-turned": "three factors, turned copies",
    "demo-1-scale": "floor hue, scale and orientation",
    "demo-1-designed": "floor hue, scale and orientation, designed",
    "demo-2-designed": "four factors, designed",
    "demo-dsprites": "dSprites",
    "demo-3-designed": "six factors, designed",
    "demo-dsprites-designed": "dSprites, designed",
    "demo-dsprites-more": "dSprites, repetitions 3 to 7",
    "demo-intel": "the demo on an Intel processor",
    "demo-avx512": "the demo on an AMD processor with AVX-512",
}
LINES |= {
    name: partial(papers.rung, name, words)
    for name, words in RUNGS.items()
    if (RESULTS / name).is_dir()
}
SAME_CHANGES = ("demo", "demo-retuned", "demo-controls")
TOGETHER = (SAME_CHANGES, tuple(name for name in RUNGS if name in LINES))  # one correction each
WITHOUT_CLAIMS = {"zietlow2021-figure2", "locatello2019-figure3"}


@cache
def find_again(exhibit):
    """The lines of an exhibit with their corrected p-values and outcomes, in their order.

    Holm's correction runs over an exhibit, over the parts of the demo, and over the whole ladder.
    """
    parts = next((some for some in TOGETHER if exhibit in some), (exhibit,))
    lines = {part: LINES[part]() for part in parts}
    judged = iter(recomputed.settle([line for some in lines.values() for line in some]))
    settled = {part: [next(judged) for _ in some] for part, some in lines.items()}
    return lines[exhibit], settled[exhibit]


def committed(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def close(text, value):
    """Six digits are written; a number that there is not is empty."""
    if text == "":
        return value != value
    return float(text) == pytest.approx(value, rel=2e-5, abs=1e-9)


@pytest.mark.parametrize("exhibit", LINES)
def test_every_line_is_found_again(exhibit):
    found, judged = find_again(exhibit)
    theirs = committed(RESULTS / exhibit / "verdicts.csv")
    assert [(f.of, f.kind) for f in found] == [(row["of"], row["kind"]) for row in theirs], (
        f"LINES[{exhibit!r}] must give a line for each of results/{exhibit}/verdicts.csv, in order."
    )
    for f, (holm, outcome), row in zip(found, judged, theirs, strict=True):
        assert row["claim"].startswith(f.claim)
        numbers = {"estimate": f.estimate, "low": f.low, "high": f.high, "margin": f.margin,
                   "p": f.p, "p_holm": holm, "exact_p": f.exact, "worst": f.worst}  # fmt: skip
        for name, value in numbers.items():
            assert close(row[name], value), (exhibit, row["claim"], f.of, name, row[name], value)
        assert bool(row["again"]) == (f.again is not None)
        if f.again is not None:
            for name in ("estimate", "low", "high", "p"):
                assert close(row[f"again_{name}"], getattr(f.again, name)), (row["claim"], f.of)
            assert row["again_n"] == str(f.again.n)
        has = float(row["power"] or "nan")
        assert has == pytest.approx(recomputed.power(f), abs=2e-3, nan_ok=True), f
        assert (int(row["n"]), row["unit"], row["outcome"]) == (f.n, f.unit, outcome), f


@pytest.mark.parametrize("exhibit", LINES)
def test_every_claim_is_what_its_lines_say(exhibit):
    lines = committed(RESULTS / exhibit / "verdicts.csv")
    by_claim = {}
    for row in lines:
        if row["outcome"] != "not judged":
            by_claim.setdefault(row["claim"], []).append(row["outcome"])
    claims = [row for row in committed(RESULTS / "verdicts.csv") if row["exhibit"] == exhibit]
    assert len(claims) == len(by_claim)
    for row, (text, outcomes) in zip(claims, by_claim.items(), strict=True):
        assert row["claim"].startswith(text)
        assert row["outcome"] == recomputed.of_claim(outcomes)


@pytest.mark.parametrize("exhibit", LINES)
def test_every_claim_has_the_numbers_of_the_line_that_decides_it(exhibit):
    """Found anew among the recomputed lines; of its text, dates and scale nothing is changed."""
    lines = committed(RESULTS / exhibit / "verdicts.csv")
    claims = [row for row in committed(RESULTS / "verdicts.csv") if row["exhibit"] == exhibit]
    whole = list(zip(*find_again(exhibit), lines, strict=True))
    judged = [entry for entry in whole if entry[2]["outcome"] != "not judged"]
    by_claim = [list(own) for _, own in groupby(judged, key=lambda entry: entry[2]["claim"])]
    for claim, own in zip(claims, by_claim, strict=True):
        k = recomputed.deciding([f for f, _, _ in own], [said for _, (_, said), _ in own])
        f, (holm, _), line = own[k]
        assert claim["claim"].startswith(line["claim"])
        if len(own) > 1:
            seen = sum(said == "seen" for _, (_, said), _ in own)
            here = f" ({seen} of {len(own)} seen; here: {f.of})"
            assert claim["claim"].endswith(here), claim["claim"]
        for name, text in claim.items():
            if name not in ("claim", "outcome"):
                assert text == line[name], (claim["claim"], name, text, line[name])
        numbers = {"estimate": f.estimate, "low": f.low, "high": f.high, "margin": f.margin,
                   "p": f.p, "p_holm": holm}  # fmt: skip
        for name, value in numbers.items():
            assert close(claim[name], value), (claim["claim"], name, claim[name], value)
        assert (int(claim["n"]), claim["unit"], claim["kind"]) == (f.n, f.unit, f.kind)


@pytest.mark.parametrize(("table", "metric"), papers.TABLES.items())
def test_every_table_has_the_repetitions_as_they_are_found_again(table, metric):
    text = (RESULTS / table / "table.md").read_text(encoding="utf-8")
    there = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    head = next(cells for cells in there if cells[:2] == ["method", "n"])
    shown = {cells[0]: dict(zip(head, cells, strict=True))
             for cells in there if len(cells) == len(head) and cells[1] == "10"}  # fmt: skip
    assert list(shown) == ["ae", "beta-vae", "factor-vae", "beta-tcvae", "slow-vae", "pcl",
                           "weak-gan"] if metric == "mig" else ["beta-vae"]  # fmt: skip
    for method, cells in shown.items():
        for name, (mean, low, high) in papers.of_table(metric, method).items():
            found = cells[name].replace("-0.00", "0.00")
            assert found == f"{mean:.2f} [{low:.2f}, {high:.2f}]".replace("-0.00", "0.00"), name
        seeds, half = papers.within_repetitions(metric, method)
        assert (cells["seeds"], cells["within: ±"]) == (str(seeds), f"{half:.2f}")


def test_every_line_has_the_dates_and_the_scale_that_are_written_elsewhere():
    dates = {row["exhibit"]: row["rows_date"] for row in committed(RESULTS / "rows_dates.csv")}
    rules = (RESULTS.parent / "docs" / "verdict-rules.md").read_text(encoding="utf-8")
    tables = [RESULTS / "verdicts.csv", *(RESULTS / name / "verdicts.csv" for name in LINES)]
    for row in (row for table in tables for row in committed(table)):
        exhibit = row["exhibit"]
        repeated = "repetitions" in row.get("of", row["claim"]) and exhibit in papers.TABLES
        assert row["rows_date"] == dates["demo" if repeated else exhibit]
        assert row["rule_date"] in rules, f"docs/verdict-rules.md has no rule of {row}."
        path = RESULTS / exhibit / "exhibit.json"
        demo = repeated or exhibit == "demo" or exhibit.startswith("demo-")
        scale = "demo" if demo else json.loads(path.read_text(encoding="utf-8"))["scale"]
        assert row["scale"] == scale, (exhibit, row["claim"])


def test_no_exhibit_is_left_out():
    missing = {*CATALOGUE, *SAME_CHANGES} - set(LINES) - WITHOUT_CLAIMS
    assert not missing, (
        f"{missing}: compute what the exhibit claims once more from its rows, by other code, in "
        "LINES of this file; without a claim it stands in WITHOUT_CLAIMS."
    )


def test_what_is_seen_keeps_the_rules_to_the_letter():
    for row in committed(RESULTS / "verdicts.csv"):
        low, high = (float(row[k]) if row[k] else float("nan") for k in ("low", "high"))
        if row["outcome"] != "seen" or row["kind"] == "identity":
            continue
        assert low <= float(row["estimate"]) <= high
        if row["kind"] == "direction":
            assert int(row["n"]) >= (3 if row["unit"] == "change" else 10)
            assert float(row["p_holm"]) < 0.05
            assert low > 0 or high < 0
        else:
            assert max(-low, high) <= 2 * float(row["margin"])


def invent(n_seeds=10):
    """Rows of Figure 5 as a laptop will write them: two data sets, both MIGs, learned exponents."""
    chance = np.random.default_rng(0)
    betas = dict.fromkeys(("beta-vae, sampled KL", "beta-tcvae", "isa-vae"), (1.0, 2.0, 4.0))
    betas |= {"isa-tcvae": (2.0, 4.0), "factor-vae": (1.0, 10.0)}
    for data, more in (("dsprites", {}), ("faces", {"isa-vae, learned": (0.5, 1.0)})):
        for method, strengths in (betas | more).items():
            for beta in strengths:
                for seed in range(100, 100 + n_seeds):
                    for metric in ("mig_aggregate_posterior", "mig", "reconstruction"):
                        yield {"dataset": data, "method": method, "strength": beta, "seed": seed,
                               "metric": metric, "value": chance.uniform()}  # fmt: skip


@pytest.mark.parametrize("name", ["figure5", "figure6"])
def test_rows_of_a_laptop_are_found_again_by_the_second_script(name):
    table = [row for row in invent() if name == "figure5" or row["dataset"] == "dsprites"]
    own = [
        line
        for claim in getattr(stuehmer_claims, name)(pd.DataFrame(table))
        for line in claim.lines
    ]
    again = getattr(stuehmer, name)(table)
    assert [line.of for line in own] == [found.of for found in again]
    assert len(own) == {"figure5": 2 + 4 + 2 + 4 + 8, "figure6": 2}[name]
    for line, found in zip(own, again, strict=True):
        numbers = (found.estimate, found.low, found.high, found.p, found.exact, found.sign, found.n)
        assert numbers == pytest.approx(
            (line.estimate, line.low, line.high, line.p, line.exact_p, line.sign, line.n)
        )
