"""Burgess et al. 2018: understanding disentangling in beta-VAE."""
