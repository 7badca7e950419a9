"""Data sets made from others: parts of them, noise, learned changes."""
