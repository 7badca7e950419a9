"""Zietlow et al. 2021: demystifying inductive biases for (beta-)VAE based architectures."""
