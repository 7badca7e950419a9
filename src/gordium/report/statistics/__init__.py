"""What rows say, as numbers: intervals, tests, correlations and verdicts."""
