"""The command line: thin, with the names of the library."""

from gordium.cli.main import main

__all__ = ["main"]
