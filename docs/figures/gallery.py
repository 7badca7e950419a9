"""The explorer's pages in the documentation, made of models of the zoo."""

from pathlib import Path

import gordium as gd

PAGES = {
    "headline": ("original-0", "modified-0", "noise-0"),
    "methods": ("ae", "vae", "beta-vae", "factor-vae"),
}
POINTS = 200
LARGEST = 4_000_000  # bytes of a page


def write_pages(folder: Path) -> None:
    """One page for each group of models."""
    for name, models in PAGES.items():
        page = gd.explore(*map(gd.zoo.get, models), points=POINTS).save(folder / f"{name}.html")
        if page.stat().st_size > LARGEST:
            raise ValueError(f"{page} has {page.stat().st_size} bytes; at most {LARGEST}.")
