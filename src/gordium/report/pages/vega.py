"""Vega-Lite as one script inside a page: figures that can be touched, and nothing is fetched."""

from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version

from gordium.files import cache_folder, write_text

_EXPORTED = "window.vegaEmbed = vegaEmbed;"


@lru_cache(maxsize=1)
def script() -> str:
    """Vega, Vega-Lite and Vega-Embed, as the package vl-convert carries them (BSD, 0.9 MB).

    They take seconds to put together, so the user's cache keeps them, by version.
    """
    import vl_convert  # 30 MB that only the page of a study needs

    place = cache_folder() / f"vega-{version('vl-convert-python')}.js"
    try:
        return place.read_text(encoding="utf-8")
    except OSError:
        text: str = vl_convert.javascript_bundle(_EXPORTED)
        text = text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    with suppress(OSError):  # a cache that cannot be written is done without
        write_text(place, text)
    return text
