"""The version of this package."""

__version__ = "0.2.0.dev0"


def versions() -> dict[str, str]:
    """The versions that a result depends on, read without importing the packages."""
    from importlib.metadata import version
    from platform import python_version

    packages = {name: version(name) for name in ("torch", "numpy")}
    return {"gordium": __version__, **packages, "python": python_version()}
