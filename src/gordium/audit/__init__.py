"""Audit of a data set: how far its factors are the local principal components that VAEs pursue."""
