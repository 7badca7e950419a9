"""Data sets made from others: parts of them, or with noise or learned changes."""
