"""Train a decoder that sees each true factor through a noisy channel (Burgess et al. 2018)."""

import io
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from gordium.datasets import Dataset
from gordium.fields import Declaration
from gordium.files import write_bytes
from gordium.methods import AnnealedVAE, Context, Forward
from gordium.methods.base import sample
from gordium.networks import Convolutional, Mlp, Posterior, autoencoder
from gordium.training import Adam, Report
from gordium.training.checkpoint import Part
from gordium.training.folder import Row, claim, is_finished, read_history, save_finished
from gordium.training.loop import Recording, Task, run_steps
from gordium.training.pixels import as_floats
from gordium.training.streams import Batches, streams

START = 0.1  # deviation of the means before training: they carry next to no information


@dataclass(frozen=True)
class Channels:
    """How the channels are trained: by the AnnealedVAE's objective, with rising capacity.

    When the capacity reaches each of `marks`, reconstructions of the images `shown` are saved.
    """

    dataset: Dataset
    method: AnnealedVAE
    network: Convolutional | Mlp
    marks: tuple[float, ...]
    shown: tuple[int, ...]
    batch_size: int = 64
    optimiser: Adam = field(default_factory=lambda: Adam(learning_rate=1e-3))
    channel_rate: float = 5e-3
    seed: int = 0

    @property
    def declaration(self) -> Declaration:
        """All that the numbers follow from, as JSON."""
        plain = {key: getattr(self, key) for key in ("batch_size", "channel_rate", "seed")}
        parts = {key: asdict(getattr(self, key)) for key in ("method", "network", "optimiser")}
        lists = {"marks": list(self.marks), "shown": list(self.shown)}
        whole = {"kind": "channels", "dataset": self.dataset.declaration}
        return {**whole, **parts, **plain, **lists}

    def step_of(self, capacity: float) -> int:
        """The step at which the capacity reaches this value."""
        share = min(1.0, capacity / self.method.capacity)
        return min(self.method.warmup_steps - 1, round(share * self.method.warmup_steps))


class FactorEncoder(nn.Module):
    """One latent unit for each factor: a mean for each of its values, one variance for all."""

    def __init__(self, sizes: list[int]) -> None:
        super().__init__()
        self.means = nn.ParameterList([START * _ramp(size) for size in sizes])
        self.log_variances = nn.Parameter(torch.zeros(len(sizes)))

    def forward(self, factors: Tensor) -> Posterior:
        means = [table[column] for table, column in zip(self.means, factors.T, strict=True)]
        mean = torch.stack(means, dim=1)
        return Posterior(mean, self.log_variances.expand_as(mean))


def _ramp(size: int) -> Tensor:
    """Values in order, with mean 0 and deviation 1."""
    values = torch.arange(size, dtype=torch.float32)
    return (values - values.mean()) / values.std(correction=0)


def train_channels(
    channels: Channels, folder: Path, *, report: Report | None = None
) -> tuple[list[Row], list[NDArray[np.uint8]]]:
    """Train the channels unless they are finished; return history and reconstructions by mark."""
    claim(folder, channels.declaration)
    files = [folder / f"seen-{mark:g}.npy" for mark in channels.marks]
    if not is_finished(folder):
        module, task = _task(channels, dict(zip(channels.marks, files, strict=True)))
        recording = Recording(record_every=max(1, task.steps // 200))
        history = run_steps(task, folder=folder, recording=recording, report=report)
        save_finished(folder, "channels", module, history)
    return read_history(folder), [np.load(file, allow_pickle=False) for file in files]


def _task(channels: Channels, files: dict[float, Path]) -> tuple[nn.Module, Task]:
    dataset = channels.dataset
    chance = streams(channels.seed)
    sizes = [factor.size for factor in dataset.factors]
    whole = autoencoder(
        channels.network, dataset.image_shape, len(sizes),
        likelihood="bernoulli", generator=chance.weights,
    )  # fmt: skip
    encoder = FactorEncoder(sizes)
    module = nn.ModuleDict({"encoder": encoder, "decoder": whole.decoder})
    optimiser = channels.optimiser.build(list(whole.decoder.parameters()))
    group = {"params": list(encoder.parameters()), "lr": channels.channel_rate}
    optimiser.add_param_group(group)
    batches = Batches(chance.data, len(dataset), channels.batch_size)
    marks = {channels.step_of(mark): file for mark, file in files.items()}

    def step(i: int) -> dict[str, Tensor]:
        indices = batches.at(i)
        x = as_floats(dataset.images(indices), torch.device("cpu"))
        posterior = encoder(torch.from_numpy(dataset.factors_at(indices)))
        z = sample(posterior, chance.noise)
        out = Forward(x, posterior, z, whole.decoder(z), whole)
        loss = channels.method(out, Context(i))
        optimiser.zero_grad(set_to_none=True)
        loss.total.backward()
        optimiser.step()
        if i in marks:
            factors = torch.from_numpy(dataset.factors_at(list(channels.shown)))
            _save_images(marks[i], whole.decode(encoder(factors).mean))
        return {"loss": loss.total, **loss.terms}

    parts: dict[str, Part] = {"model": module, "optimiser": optimiser, "noise": chance.noise}
    return module, Task("channels", channels.method.warmup_steps, step, parts)


def _save_images(path: Path, images: Tensor) -> None:
    buffer = io.BytesIO()
    shown = (255 * images.detach().clamp(0, 1)).round().to(torch.uint8)
    np.save(buffer, shown.permute(0, 2, 3, 1).numpy())
    write_bytes(path, buffer.getvalue())
