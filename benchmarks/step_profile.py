"""Where the time of a training step goes, with the direct kernels and with PyTorch's.

    python benchmarks/step_profile.py [--steps 20] [--rounds 5] [size ...]

The sizes are those of `training.py`: a beta-VAE on shapes3d, batches of 64, one thread. Rounds of
some steps alternate between both kernels; of each part the median over rounds is printed, in
milliseconds a step of processor time. "Forward" is the losses with all that a method does for them;
"rest" is the loop around the parts.
"""

import argparse
import os
import time
from collections.abc import Callable
from statistics import median
from typing import Any
from unittest.mock import patch

import torch

import gordium as gd
from gordium.networks import Convolutional, Mlp
from gordium.training import Settings
from gordium.training.machine import SWITCH, keep_freed_memory
from gordium.training.step import Steps, training_steps
from training import CASES, HIDDEN, LATENTS, Case

PARTS = ("data", "forward", "backward", "optimiser", "rest")
Spent = dict[str, float]


def main() -> None:
    """Profile the sizes asked for, by default all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", default=list(CASES), help=", ".join(CASES))
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(1)
    keep_freed_memory()
    print("| size | kernels | " + " | ".join(PARTS) + " | together |\n" + "|---" * 8 + "|")
    for name in options.sizes:
        profiles = {switch: Profile(CASES[name], switch) for switch in ("off", "on")}
        rounds = [
            {switch: profile.take(options.steps) for switch, profile in profiles.items()}
            for _ in range(options.rounds + 1)
        ][1:]
        for switch in profiles:
            tell(name, switch, [spent[switch] for spent in rounds])


def tell(name: str, switch: str, rounds: list[Spent]) -> None:
    each = [median(spent[part] for spent in rounds) for part in PARTS]
    whole = median(sum(spent.values()) for spent in rounds)
    kernels = {"on": "direct", "off": "PyTorch's"}[switch]
    print(f"| {name} | {kernels} | " + " | ".join(f"{t:.2f}" for t in [*each, whole]) + " |")


class Profile:
    """Steps of a size with one kind of kernels, whose parts are timed."""

    def __init__(self, case: Case, switch: str) -> None:
        self.switch, self.done = switch, 0
        self.spent: Spent = {}
        self.backward = clocked(torch.Tensor.backward, self._add("backward"))
        self.steps = self._watched(new_steps(case))

    def take(self, n: int) -> Spent:
        """Milliseconds a step that each part takes, over the next n steps."""
        os.environ[SWITCH] = self.switch
        self.spent = dict.fromkeys((*PARTS, "work"), 0.0)
        begun = time.process_time()
        with patch.object(torch.Tensor, "backward", self.backward):
            for i in range(self.done, self.done + n):
                self.steps.take(i)
        whole = time.process_time() - begun
        self.done += n
        found = self.spent
        found["forward"] = found.pop("work") - found["backward"] - found["optimiser"]
        found["rest"] = whole - sum(found.values())
        return {part: 1e3 * found[part] / n for part in PARTS}

    def _watched(self, steps: Steps) -> Steps:
        """The same steps, whose drawing, work and updates are timed."""
        optimiser: Any = steps.parts["model-optimiser"]
        optimiser.step = clocked(optimiser.step, self._add("optimiser"))
        draw, work = (
            clocked(function, self._add(part))
            for function, part in ((steps.draw, "data"), (steps.work, "work"))
        )
        return steps._replace(draw=draw, work=work)

    def _add(self, part: str) -> Callable[[float], None]:
        def add(seconds: float) -> None:
            self.spent[part] += seconds

        return add


def new_steps(case: Case) -> Steps:
    """The steps that `training.py` times."""
    dense = (HIDDEN, HIDDEN)
    network = Mlp(dense, dense) if case.width is None else Convolutional(case.width)
    settings = Settings(latent_dim=LATENTS, steps=10**9, architecture=network)
    dataset = gd.load_dataset("shapes3d", size=case.size)
    return training_steps(gd.methods.BetaVAE(beta=4), dataset, settings, torch.device("cpu"))


def clocked(function: Callable[..., Any], add: Callable[[float], None]) -> Callable[..., Any]:
    """The function, whose seconds are added."""

    def call(*arguments: Any, **named: Any) -> Any:
        begun = time.process_time()
        try:
            return function(*arguments, **named)
        finally:
            add(time.process_time() - begun)

    return call


if __name__ == "__main__":
    main()
