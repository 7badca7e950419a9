"""Writes docs/protocols.md: what was published, and what `--scale paper` and `laptop` declare.

    python docs/figures/protocols.py

The two scales are read from the declarations (docs/figures/protocol_page); the published settings,
and the reasons for differences, from docs/figures/published_protocols.toml.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from textwrap import fill
from typing import Any

from protocol_page.shared import declare_protocols
from protocol_page.single import TRAIN_NOTHING, declare_single
from protocol_page.words import STRENGTH, Facts

from gordium.exhibits.catalogue import CATALOGUE, say_where

HERE = Path(__file__).resolve().parent
PAGE, PUBLISHED = HERE.parent / "protocols.md", HERE / "published_protocols.toml"
NOT_PRINTED = "not printed"
Told = Mapping[str, Any]  # what was published of one protocol


def read_published_protocols() -> dict[str, Told]:
    """The published settings of each protocol and single exhibit, and why ours differ."""
    found = tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))
    single = found.pop("single")
    return {**found, **single}


def declare_all(scale: str) -> dict[str, Facts]:
    """What a scale declares, by the name of the protocol or of the single exhibit."""
    shared = {name: tell() for name, tell in declare_protocols(scale).items()}
    return {**shared, **declare_single(scale)}


def published_facts(told: Told) -> dict[str, str]:
    """What was published, to be compared with what is declared."""
    given = {STRENGTH: "1 times", **told}
    return {k: v for k, v in given.items() if isinstance(v, str) and v != NOT_PRINTED}


def list_shared() -> dict[str, list[str]]:
    """The protocols that each exhibit shares, which name it."""
    found: dict[str, list[str]] = {}
    for protocol, told in read_published_protocols().items():
        for exhibit in told.get("exhibits", ()):
            found.setdefault(exhibit, []).append(protocol)
    return found


def page() -> str:
    """The text of docs/protocols.md."""
    theirs, paper, laptop = read_published_protocols(), declare_all("paper"), declare_all("laptop")
    single = declare_single("paper")
    parts = [INTRODUCTION]
    for name in paper:
        if name not in single:
            parts.append(_section(name, theirs[name], paper[name], laptop[name]))
    parts.append(SINGLE)
    parts += [_section(name, theirs[name], paper[name], laptop[name]) for name in single]
    return "\n".join([*parts, _untrained(), CLOSING])


def _section(name: str, told: Told, ours: Facts, small: Facts) -> str:
    lines = [f"### {name}" if name in CATALOGUE else f"## {name}", "", _of_exhibits(name, told)]
    lines += ["", HEAD]
    for fact, declared in ours.items():
        theirs = published_facts(told).get(fact)
        row = (fact, theirs or NOT_PRINTED, _mark(theirs, declared), small.get(fact, "none"))
        lines.append("| " + " | ".join(row) + " |")
    reasons = [f"- **{fact}**: {why}" for fact, why in told.get("differs", {}).items()]
    return "\n".join([*lines, "", *reasons, *([""] if reasons else [])])


def _of_exhibits(name: str, told: Told) -> str:
    if name in CATALOGUE:
        shared = [f"`{protocol}`" for protocol in list_shared().get(name, ())]
        above = f" What is not here is in {' and '.join(shared)}." if shared else ""
        return f"{say_where(name)}.{above}"
    exhibits = [f"{CATALOGUE[one].part} (`{one}`)" for one in told.get("exhibits", ())]
    return f"For {', '.join([*exhibits, *filter(None, [told.get('for')])])}."


def _untrained() -> str:
    names = [f"`{name}`" for name in TRAIN_NOTHING]
    text = (
        f"{', '.join(names[:-1])} and {names[-1]} are computed; where the papers print no "
        "parameters they are ours, and the exhibit's notes say so."
    )
    lines = fill(text, 100, break_on_hyphens=False, break_long_words=False)
    return f"## Exhibits that train nothing\n\n{lines}\n"


def _mark(told: str | None, declared: str) -> str:
    if told is None:
        return declared
    return "as published" if told == declared else f"**{declared}**"


HEAD = "| | published | `--scale paper` | `--scale laptop` |\n| --- | --- | --- | --- |"
INTRODUCTION = """\
# Protocols

Made by `python docs/figures/protocols.py` from the declarations; do not edit it. These are
declarations: what the judged rows of Locatello and of Stühmer's Figure 6 are, shorter and with
fewer seeds than `laptop` here (scale `unscaled`), is under [Limits
first](reproduction.md#limits-first). In bold: where `--scale paper` is not what was published, with
the reason below the table. What a paper does not print, and no library or code that it names fixes,
is ours.

Losses are sums over pixels, so a weight beside them acts on 32 x 32 pixels as four times itself on
64 x 64, unless each pixel counts as four (`likelihood = "bernoulli-x4"`). The rows `strength beside
the published` have that in them: they say how many times as strongly a method is regularised (beta,
gamma, lambda; of AnnealedVAE gamma). Of a grid of strengths each is beside its own. The committed
rows of Locatello and of Stühmer's Figure 6 are of the scale `unscaled`, published strengths without
that weight: 4 times, and AnnealedVAE, whose gamma was 100 there, 0.4 times.
"""
SINGLE = """\
## What exhibits declare of their own

In addition to a protocol above, or alone.
"""
CLOSING = """\
## Scoring

Metrics with a fitted predictor (DCI, SAP, downstream) are trained on two thirds of the encoded
images of a run and tested on the rest. At paper scale these are 10,000 and 5,000, as published; the
metrics that fit nothing (MIG, Modularity) see all 15,000 there, where the published code draws
10,000 for each. An image is drawn at most once, the published code draws anew.
"""

if __name__ == "__main__":
    os.environ.pop("GORDIUM_DATA", None)  # the page is of a machine without the published files
    PAGE.write_text(page(), encoding="utf-8")
