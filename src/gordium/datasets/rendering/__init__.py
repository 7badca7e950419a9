"""Shapes, cameras and lights: what the rendered data sets are drawn with."""
