"""Stühmer et al. 2020: independent subspace analysis."""
