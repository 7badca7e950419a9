"""Rolinek et al. 2019: variational autoencoders pursue PCA directions (by accident)."""
