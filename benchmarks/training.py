"""How fast training is, against a bare PyTorch loop, its peers and the machine's own limit.

    python benchmarks/training.py [--rounds 3] [--seconds 3] [--avx2] [size ...]

All contenders take turns in one run, each in as many processes of one thread as there are cores,
so that their ratios mean something on a machine that is not quiet; with `--processor-time` a
process counts the time that it ran, not the time that passed. "Bare" is the loop that one would
write first: the same network, loss and batch, PyTorch's default memory layout, optimiser and
allocator, one batch of floats that is already there. The peers, if they are installed, do the same
with their own beta-VAE around that network. Gordium makes its batches. Peak is a 1024 x 1024
matrix product. With `--avx2`, a processor with AVX-512 works as one without: PyTorch is held to
AVX2, and our kernels are compiled for it.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

AVX2 = {"ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2"}
COMPILER = """#!/bin/sh
# A version of its own, so that what it compiles has another name in the cache.
if [ "$1" = --version ]; then echo "without AVX-512"; fi
exec {compiler} "$@" -mno-avx512f
"""
WARM_UP, BATCH, LATENTS, HIDDEN = 3, 64, 10, 256


@dataclass(frozen=True)
class Case:
    """Images of some size, and the reference network times `width`, or a fully connected one."""

    size: int
    width: float | None

    @property
    def flops(self) -> int:
        """Of a step for one image: forward, and backward to weights and inputs but the images."""
        first, *rest = self.encoder_products()
        return 2 * (2 * first + 3 * sum(rest) + 3 * sum(self.decoder_products()))

    def units(self) -> tuple[int, int, int]:
        return tuple(round(n * self.width) for n in (32, 64, 256))

    def encoder_products(self) -> list[int]:
        """Multiply-adds of each layer."""
        s = self.size
        if self.width is None:
            return [3 * s * s * HIDDEN, HIDDEN**2, HIDDEN * 2 * LATENTS]
        a, b, dense = self.units()
        areas = [(s // 2**k) ** 2 for k in (1, 2, 3, 4)]
        sizes = [48 * a, 16 * a * a, 4 * a * b, 4 * b * b]
        convolutions = [area * size for area, size in zip(areas, sizes, strict=True)]
        return [*convolutions, areas[3] * b * dense, dense * 2 * LATENTS]

    def decoder_products(self) -> list[int]:
        s = self.size
        if self.width is None:
            return [LATENTS * HIDDEN, HIDDEN**2, HIDDEN * 3 * s * s]
        a, b, dense = self.units()
        areas = [(s // 2**k) ** 2 for k in (4, 3, 2, 1)]
        sizes = [16 * b * b, 16 * a * b, 16 * a * a, 48 * a]
        convolutions = [area * size for area, size in zip(areas, sizes, strict=True)]
        return [LATENTS * dense, dense * b * areas[0], *convolutions]


CASES = {
    "64-w1": Case(64, 1.0),
    "32-w0.5": Case(32, 0.5),
    "32-w0.25": Case(32, 0.25),
    "mlp-16": Case(16, None),
}


def plain_networks(case: Case):  # noqa: ANN201
    """Encoder and decoder as one would write them."""
    from torch import nn

    s = case.size
    if case.width is None:
        n = HIDDEN
        return (
            nn.Sequential(nn.Flatten(), nn.Linear(3 * s * s, n), nn.ReLU(), nn.Linear(n, n),
                          nn.ReLU(), nn.Linear(n, 2 * LATENTS)),
            nn.Sequential(nn.Linear(LATENTS, n), nn.Tanh(), nn.Linear(n, n), nn.Tanh(),
                          nn.Linear(n, 3 * s * s), nn.Unflatten(1, (3, s, s))),
        )  # fmt: skip
    a, b, dense = case.units()
    side = s // 16
    encoder = nn.Sequential(
        nn.Conv2d(3, a, 4, 2, 1), nn.ReLU(), nn.Conv2d(a, a, 4, 2, 1), nn.ReLU(),
        nn.Conv2d(a, b, 2, 2), nn.ReLU(), nn.Conv2d(b, b, 2, 2), nn.ReLU(), nn.Flatten(),
        nn.Linear(b * side**2, dense), nn.ReLU(), nn.Linear(dense, 2 * LATENTS),
    )  # fmt: skip
    decoder = nn.Sequential(
        nn.Linear(LATENTS, dense), nn.ReLU(), nn.Linear(dense, b * side**2), nn.ReLU(),
        nn.Unflatten(1, (b, side, side)),
        nn.ConvTranspose2d(b, b, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(b, a, 4, 2, 1), nn.ReLU(),
        nn.ConvTranspose2d(a, a, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(a, 3, 4, 2, 1),
    )  # fmt: skip
    return encoder, decoder


def bare(case: Case):  # noqa: ANN201
    """A step of the plain loop."""
    import torch
    from torch.nn import functional as F

    encoder, decoder = plain_networks(case)
    optimiser = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-4)
    x = torch.rand(BATCH, 3, case.size, case.size)

    def step(i: int) -> None:
        mean, log_variance = encoder(x).chunk(2, dim=1)
        z = mean + torch.randn_like(mean) * (0.5 * log_variance).exp()
        nll = F.binary_cross_entropy_with_logits(decoder(z), x, reduction="sum") / len(x)
        kl = 0.5 * (mean**2 + log_variance.exp() - log_variance - 1).sum(dim=1).mean()
        optimiser.zero_grad()
        (nll + 4 * kl).backward()
        optimiser.step()

    return step


def gordium(case: Case):  # noqa: ANN201
    """A step of `gordium.train` on shapes3d, data included."""
    import torch

    import gordium as gd
    from gordium.networks import Convolutional, Mlp
    from gordium.training import Settings
    from gordium.training.machine import keep_freed_memory
    from gordium.training.step import training_task

    keep_freed_memory()
    dense = (HIDDEN, HIDDEN)
    network = Mlp(dense, dense) if case.width is None else Convolutional(case.width)
    settings = Settings(latent_dim=LATENTS, steps=10**9, architecture=network)
    dataset = gd.load_dataset("shapes3d", size=case.size)
    return training_task(gd.methods.BetaVAE(beta=4), dataset, settings, torch.device("cpu"))[1].step


def pythae(case: Case):  # noqa: ANN201
    """A step with the beta-VAE of pythae."""
    import torch
    from pythae.models import BetaVAE, BetaVAEConfig
    from pythae.models.base.base_utils import ModelOutput
    from pythae.models.nn import BaseDecoder, BaseEncoder

    plain = plain_networks(case)

    class Encoder(BaseEncoder):
        def __init__(self) -> None:
            super().__init__()
            self.layers = plain[0]

        def forward(self, x):  # noqa: ANN001, ANN202
            mean, log_variance = self.layers(x).chunk(2, dim=1)
            return ModelOutput(embedding=mean, log_covariance=log_variance)

    class Decoder(BaseDecoder):
        def __init__(self) -> None:
            super().__init__()
            self.layers = plain[1]

        def forward(self, z):  # noqa: ANN001, ANN202
            return ModelOutput(reconstruction=torch.sigmoid(self.layers(z)))

    shape = (3, case.size, case.size)
    config = BetaVAEConfig(input_dim=shape, latent_dim=LATENTS, beta=4, reconstruction_loss="bce")
    model = BetaVAE(config, encoder=Encoder(), decoder=Decoder())
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-4)
    batch = {"data": torch.rand(BATCH, *shape)}

    def step(i: int) -> None:
        optimiser.zero_grad()
        model(batch).loss.backward()
        optimiser.step()

    return step


def disent(case: Case):  # noqa: ANN201
    """A step with the beta-VAE of disent."""
    import torch
    from disent.frameworks.vae import BetaVae
    from disent.model import AutoEncoder, DisentDecoder, DisentEncoder

    plain = plain_networks(case)
    shape = (3, case.size, case.size)

    class Encoder(DisentEncoder):
        def __init__(self) -> None:
            super().__init__(x_shape=shape, z_size=LATENTS, z_multiplier=2)
            self.layers = plain[0]

        def encode(self, x):  # noqa: ANN001, ANN202
            return self.layers(x)

    class Decoder(DisentDecoder):
        def __init__(self) -> None:
            super().__init__(x_shape=shape, z_size=LATENTS, z_multiplier=1)
            self.layers = plain[1]

        def decode(self, z):  # noqa: ANN001, ANN202
            return self.layers(z)

    options = BetaVae.cfg(beta=4, recon_loss="bce", loss_reduction="mean_sum")
    model = BetaVae(model=AutoEncoder(Encoder(), Decoder()), cfg=options)
    model.log_dict = model.log = lambda *_, **__: None  # there is no trainer to log to
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-4)
    batch = {"x_targ": (torch.rand(BATCH, *shape),)}

    def step(i: int) -> None:
        optimiser.zero_grad()
        model.do_training_step(batch, i).backward()
        optimiser.step()

    return step


def peak(case: Case):  # noqa: ANN201
    """A large matrix product; its speed is in products a second."""
    import torch

    a = torch.rand(1024, 1024)
    return lambda i: a @ a


PARTS = {part.__name__: part for part in (bare, gordium, disent, pythae, peak)}
PEERS = ("disent", "pythae")
PRODUCT = 2 * 1024**3


def speed(part: str, case: Case, seconds: float, clock) -> float:  # noqa: ANN001
    """Steps a second, once warm."""
    step = PARTS[part](case)
    for i in range(WARM_UP):
        step(i)
    start, n = clock(), 0
    while n == 0 or clock() - start < seconds:
        step(n)
        n += 1
    return n / (clock() - start)


def measure(part: str, case: str, options: argparse.Namespace) -> float:
    """Steps a second of fresh processes that run side by side, together."""
    variables = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, __file__, case, "--part", part, "--seconds", str(options.seconds)]
    command += ["--processor-time"] * options.processor_time
    processes = [
        subprocess.Popen(command, env=variables, stdout=subprocess.PIPE)
        for _ in range(os.cpu_count() or 1)
    ]
    return sum(json.loads(process.communicate()[0].splitlines()[-1]) for process in processes)


def compare(name: str, parts: list[str], options: argparse.Namespace) -> None:
    """Print the images a second of each contender, its ratio to the bare loop, shares of peak."""
    found: dict[str, list[float]] = {part: [] for part in parts}
    for _ in range(options.rounds):
        for part in parts:
            found[part].append(measure(part, name, options))
    limit = median(found.pop("peak")) * PRODUCT / CASES[name].flops
    for part, steps in found.items():
        ratios = [own / plain for own, plain in zip(steps, found["bare"], strict=True)]
        images = BATCH * median(steps)
        print(
            f"{name:9} {part:8} {images:8.0f} images/s, {median(ratios):.2f} times bare "
            f"(rounds {', '.join(f'{r:.2f}' for r in ratios)}), {images / limit:.2f} of peak",
            flush=True,
        )


def hold_to_avx2(folder: Path) -> None:
    """Let this process and those that it starts do without AVX-512."""
    os.environ.update(AVX2)  # before PyTorch is imported, which reads it
    from gordium.networks._native import find_compiler

    compiler = find_compiler()
    if compiler is None:
        sys.exit("--avx2 compiles our kernels anew, and there is no C++ compiler.")
    wrapper = folder / "compiler"
    wrapper.write_text(COMPILER.format(compiler=compiler))
    wrapper.chmod(0o700)
    os.environ["CXX"] = str(wrapper)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", default=list(CASES), help=", ".join(CASES))
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--processor-time", action="store_true")
    parser.add_argument("--avx2", action="store_true", help="do without AVX-512")
    options = parser.parse_args()
    if unknown := set(options.cases) - set(CASES):
        parser.error(f"there is no size {', '.join(unknown)}; there are {', '.join(CASES)}.")
    with TemporaryDirectory() as folder:
        if options.avx2:
            hold_to_avx2(Path(folder))
        run(options)


def run(options: argparse.Namespace) -> None:
    if options.part:
        clock = time.process_time if options.processor_time else time.perf_counter
        print(json.dumps(speed(options.part, CASES[options.cases[0]], options.seconds, clock)))
        return
    missing = [name for name in PEERS if importlib.util.find_spec(name) is None]
    for name in missing:
        print(f"{name} is not installed and is left out")
    for name in options.cases:
        compare(name, [part for part in PARTS if part not in missing], options)


if __name__ == "__main__":
    main()
