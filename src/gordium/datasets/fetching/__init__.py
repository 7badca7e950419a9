"""Downloading the official files of data sets into the cache folder."""
