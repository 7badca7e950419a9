"""From rows to tables, figures and one page; arrays and numbers in, no models."""
