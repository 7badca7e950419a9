"""One training loop for every method; an interrupted run resumes and ends in the same bits."""

from gordium.lookup import answer_at_the_border
from gordium.optimisers import OPTIMISERS, SGD, AdaGrad, Adam
from gordium.spec import Settings
from gordium.training.checkpoint import add_checksum
from gordium.training.loop import Recording, Report, Task, run_steps
from gordium.training.machine import pick_device
from gordium.training.runs import Run, load_run, train
from gordium.training.seeds import train_seeds
from gordium.training.sleeping_units import SleepingUnits

__all__ = [
    "OPTIMISERS",
    "SGD",
    "AdaGrad",
    "Adam",
    "Recording",
    "Report",
    "Run",
    "Settings",
    "SleepingUnits",
    "Task",
    "add_checksum",
    "load_run",
    "pick_device",
    "run_steps",
    "train",
    "train_seeds",
]

answer_at_the_border(globals())
