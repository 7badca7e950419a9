"""Figures from arrays, as PNG."""
