"""`gordium doctor`: what a bug report needs; `gordium clean`: remove caches."""

import os
import platform
import subprocess
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import typer

from gordium.cli.caches import CACHES, DATA, NUMBA, remove
from gordium.cli.printing import JSON, print_result
from gordium.files import cache_folder

PACKAGES = ("torch", "numpy", "scipy", "scikit-learn", "numba", "pandas", "safetensors", "ray")
VECTORS = ("avx512f", "avx2", "fma", "neon", "asimd")


def doctor(as_json: bool = JSON) -> None:
    """Say what this machine is and what runs on it: for every bug report."""
    facts = dict(_facts())
    caches = [f"{cache.name}: {_megabytes(list(cache.list()))}" for cache in CACHES]
    lines = [f"{f'{name}:':12}{value}" for name, value in facts.items()]
    lines += [f"{'':12}{line}" for line in caches]
    print_result({**facts, "caches": caches}, *lines, as_json=as_json)


def clean(
    data: bool = typer.Option(False, "--data", help="Official files that were fetched as well."),
    numba: bool = typer.Option(
        False, "--numba", help="What numba compiled as well, although GORDIUM_CACHE is set."
    ),
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what would be removed."),
    as_json: bool = JSON,
) -> None:
    """Remove caches: what is in them is made again when it is needed.

    Only files that gordium wrote are removed, whatever else lies in the folder GORDIUM_CACHE. If
    that is set, what numba compiled stays: it lies beside the installed package, for all processes.
    Scratch folders of studies at addresses stay: they may hold what is not uploaded yet.
    """
    removed = {}
    asked = {NUMBA: numba or not os.environ.get("GORDIUM_CACHE"), DATA: data}
    for cache in CACHES:
        if not asked.get(cache, cache.is_cheap):
            continue
        found = list(cache.list())
        size = _megabytes(found)
        if not dry_run:
            for path in found:
                remove(path)
        removed[cache.name] = size
    did = "would remove" if dry_run else "removed"
    lines = [f"{did} {name}: {size}" for name, size in removed.items()]
    print_result({did.replace(" ", "_"): removed}, *lines, as_json=as_json)


def _facts() -> Iterator[tuple[str, str]]:
    """What a bug report is asked for first, by name."""
    from gordium._version import __version__

    yield "gordium", __version__
    yield "python", f"{platform.python_version()} on {platform.platform()}"
    yield "packages", ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    yield from _processor_facts()
    yield from _torch_facts()
    yield "cache", str(cache_folder())


def _processor_facts() -> Iterator[tuple[str, str]]:
    from gordium.networks._native import find_compiler, processor

    lines = processor().splitlines()
    model = next((line.split(":")[1] for line in lines if line.startswith("model name")), lines[0])
    vectors = [name for name in VECTORS if name in " ".join(lines).split()]
    found = f"{model.strip()}, {os.cpu_count()} cores, {' '.join(vectors) or 'no vectors'}"
    yield "processor", found
    compiler = find_compiler()
    yield "compiler", "none" if compiler is None else f"{compiler}, {_first_line(compiler)}"


def _torch_facts() -> Iterator[tuple[str, str]]:
    import torch

    yield "kernels", _describe_kernels()
    given = os.environ.get("OMP_NUM_THREADS", "not set")
    yield "threads", f"{torch.get_num_threads()} (OMP_NUM_THREADS: {given})"
    devices = ["cpu", *(torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count()))]
    yield "devices", ", ".join(devices + ["mps"] * torch.backends.mps.is_available())


def _describe_kernels() -> str:
    """The kernels and their build, or why they are PyTorch's, or what is wrong with the switch."""
    from gordium.networks import kernels

    try:
        found = kernels()
    except ValueError as error:
        return str(error)
    return f"{found.name} ({found.why or f'build {found.build}'})"


def _first_line(compiler: str) -> str:
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    return (said.stdout.splitlines() or ["no version"])[0]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _megabytes(paths: list[Path]) -> str:
    size = sum(path.lstat().st_size for path in paths)
    return f"{size / 1e6:.1f} MB"
