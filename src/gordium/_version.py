"""The version of this package."""

__version__ = "0.2.0.dev0"


def versions() -> dict[str, str]:
    """What a result depends on besides its declaration; nothing is imported to find out."""
    from importlib.metadata import version
    from platform import python_version

    packages = {name: version(name) for name in ("torch", "numpy")}
    return {"gordium": __version__, **packages, "python": python_version()}
