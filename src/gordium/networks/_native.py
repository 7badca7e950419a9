"""The direct kernels, which the system's compiler compiles at first use into the cache."""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gordium.files import cache_folder, write_whole
from gordium.progress import QUIET, progress

SWITCH = "GORDIUM_KERNELS"
SOURCE = Path(__file__).with_name("direct.cpp")
# No -ffast-math: it would make the whole process round denormal numbers to zero.
FLAGS = ("-O3", "-march=native", "-ffp-contract=fast", "-std=c++17", "-shared", "-fPIC")
PYTORCH = "torch"


class Kernels(NamedTuple):
    """What runs convolutions: a library and its name, or PyTorch, and why.

    The name follows from the source; `build` from the compiler, its flags and the processor.
    """

    name: str
    library: ctypes.CDLL | None = None
    why: str = ""
    build: str = ""


def kernels() -> Kernels:
    """The direct kernels, unless GORDIUM_KERNELS is `off` or they cannot be compiled.

    With `any` they are on, and a run may be continued that was begun with other kernels.
    """
    switch = os.environ.get(SWITCH, "on")
    if switch not in ("on", "off", "any"):
        raise ValueError(f"{SWITCH} must be on, off or any; got {switch!r}.")
    if switch == "off":
        return Kernels(PYTORCH, why=f"{SWITCH} is off")
    return _find(os.environ.get("GORDIUM_CACHE"))


@cache
def _find(cache_given: str | None) -> Kernels:
    """Load the kernels from the cache folder, compiled if need be; say in a line why it failed.

    `cache_given` names the cache folder, so that another one is looked at anew.
    """
    try:
        file = compile_library(cache_folder() / "kernels")
        source = hashlib.sha256(SOURCE.read_bytes()).hexdigest()
        library = _declare(ctypes.CDLL(str(file)))
        return Kernels(f"direct-{source[:8]}", library, build=name_build())
    except (OSError, subprocess.SubprocessError) as error:
        if QUIET not in os.environ:
            print(
                f"gordium: PyTorch's convolutions are in use ({error}). With a C++ compiler, such "
                f"as g++, and a cache folder of your own, training on the CPU is up to twice as "
                f"fast. Set {SWITCH}=off to hide this line.",
                file=sys.stderr,
            )
        return Kernels(PYTORCH, why=str(error))


def compile_library(folder: Path) -> Path:
    """The library for this source, compiler and processor, compiled if it is not in the folder.

    It is written beside its place and renamed: a killed process leaves nothing that would be
    loaded, and of two that compile at once, the second replaces the first one's file by the same.
    """
    compiler = find_compiler()
    if compiler is None or sys.platform == "win32":
        raise OSError("there is no C++ compiler")
    key = hashlib.sha256(b"\0".join((SOURCE.read_bytes(), *_build_parts()))).hexdigest()[:16]
    file = folder / f"direct-{key}.so"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with progress("compiling kernels", 1) as advance, write_whole(file) as beside:
            _compile(compiler, beside)
            beside.chmod(0o700)
            advance(1)
    _check_owner(folder)
    _check_owner(file)
    return file


def name_build() -> str:
    """A hash of the compiler, its flags and the processor, on which last bits depend."""
    return hashlib.sha256(b"\0".join(_build_parts())).hexdigest()[:8]


def _build_parts() -> tuple[bytes, ...]:
    command = [find_compiler() or "c++", "--version"]
    version = subprocess.run(command, capture_output=True, check=False).stdout
    return version, repr(FLAGS).encode(), processor().encode()


def find_compiler() -> str | None:
    """The compiler that CXX names, or else the first of the usual names that is found."""
    names = (os.environ.get("CXX", ""), "c++", "g++", "clang++")
    return next((path for name in names if name and (path := shutil.which(name))), None)


def processor() -> str:
    """The processor and its instruction sets: code compiled for one may not run on another."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    kinds = ("model name", "flags", "Features", "CPU part")
    found = {line.split(":")[0].strip(): line for line in reversed(lines) if line.startswith(kinds)}
    return "\n".join([platform.machine(), *sorted(found.values())])


def _compile(compiler: str, target: Path) -> None:
    command = [compiler, *FLAGS, "-o", str(target), str(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        said = (done.stderr.strip() or "no message").splitlines()[0]
        raise subprocess.SubprocessError(f"{compiler} failed: {said}")


def _check_owner(path: Path) -> None:
    """Refuse a file or folder that another user could have written."""
    found = path.stat()
    if found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise OSError(f"others than this user may write to {path}; delete it")


class Layer(ctypes.Structure):
    """The sizes and strides of one convolution, as the native code's struct has them."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("h", "w", "c", "H", "W", "C", "n")),
        *((name, ctypes.c_int) for name in ("kernel", "stride", "padding", "up")),
        ("slope", ctypes.c_float),
        *((name, ctypes.c_long) for name in ("to_output", "to_input", "to_row", "to_column")),
    )


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    layer, pointer, whole = ctypes.POINTER(Layer), ctypes.c_void_p, ctypes.c_int
    library.convolve.argtypes = [layer, *[pointer] * 5, whole, whole]
    library.weigh.argtypes = [layer, *[pointer] * 3, whole, whole]
    library.channel_sums.argtypes = [pointer, pointer, *[whole] * 4]
    library.floats.argtypes = [pointer, pointer, *[whole] * 3]
    library.take_out.argtypes = [pointer, pointer, *[whole] * 3, ctypes.c_long]
    library.loss.argtypes = [whole, *[pointer] * 3, ctypes.c_long, ctypes.c_float]
    library.loss.restype = ctypes.c_double
    for name in ("convolve", "weigh", "channel_sums", "floats", "take_out"):
        getattr(library, name).restype = None
    return library
