"""The tables and figures of the papers, declared, run and drawn."""

from gordium.exhibits.experiment import Experiment, Results, run_experiment
from gordium.exhibits.published import published

__all__ = ["Experiment", "Results", "published", "run_experiment"]
