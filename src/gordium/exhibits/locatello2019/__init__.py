"""Locatello et al. 2019: challenging common assumptions."""
