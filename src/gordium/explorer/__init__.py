"""An interactive page: a run's networks, its units and its data in one offline HTML file."""

from gordium.explorer.build import Explorer, explore

__all__ = ["Explorer", "explore"]
