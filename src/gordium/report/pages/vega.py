"""Vega-Lite as a script inside a page, which draws interactive figures and fetches nothing."""

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from gordium.files import cache_folder, find_cached, write_text

_EXPORTED = "window.vegaEmbed = vegaEmbed;"


@lru_cache(maxsize=1)
def script() -> str:
    """Vega, Vega-Lite and Vega-Embed, as the package vl-convert carries them (BSD, 0.9 MB).

    Bundling them takes seconds, so the bundle is kept in the user's cache, by version.
    """
    import vl_convert  # 30 MB that only the page of a study needs

    place = cache_folder() / f"vega-{version('vl-convert-python')}.js"
    try:
        return place.read_text(encoding="utf-8")
    except OSError:
        text: str = vl_convert.javascript_bundle(_EXPORTED)
        text = text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    with suppress(OSError):  # without a cache that can be written, it is bundled again
        write_text(place, text)
    return text


def list_scripts() -> Iterator[Path]:
    """The bundles in the cache folder, of all versions."""
    return find_cached("", r"vega-[0-9][0-9a-z.+]*\.js")
