"""The data sets themselves, one file each."""
