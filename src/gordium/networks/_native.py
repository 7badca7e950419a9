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
from tempfile import TemporaryDirectory
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
        file = find_library(cache_folder() / "kernels")
        library = _declare(ctypes.CDLL(str(file)))
        build = file.name.split("-")[2]
        return Kernels(f"direct-{_hash(SOURCE.read_bytes())[:8]}", library, build=build)
    except (OSError, subprocess.SubprocessError) as error:
        if QUIET not in os.environ:
            print(
                f"gordium: PyTorch's convolutions are in use ({error}). With a C++ compiler, such "
                f"as g++, and a cache folder of your own, training on the CPU is up to twice as "
                f"fast. Set {SWITCH}=off to hide this line.",
                file=sys.stderr,
            )
        return Kernels(PYTORCH, why=str(error))


def find_library(folder: Path) -> Path:
    """The library for this source, compiler and processor, compiled if it is not in the folder.

    Its name is `direct-KEY-BUILD-CHECKSUM.so`: a hash of source, flags and processor; what
    `name_build` says; and a hash of its content, which is checked, since to run a file that was cut
    short kills the process. Without a compiler, the latest that any compiler has made is taken.
    """
    compiler = None if sys.platform == "win32" else find_compiler()
    if found := _find_whole(folder, "*" if compiler is None else name_build()):
        return found
    if compiler is None:
        raise OSError("there is no C++ compiler")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with progress("compiling kernels", 1) as advance:
        content = _compile(compiler)
        file = folder / f"direct-{_key()}-{name_build()}-{_hash(content)[:16]}.so"
        with write_whole(file) as beside:
            beside.write_bytes(content)
            beside.chmod(0o700)
        advance(1)
    _check_owner(folder)
    return file


def _find_whole(folder: Path, build: str) -> Path | None:
    """The latest library of a build that is as it was written."""
    found = folder.glob(f"direct-{_key()}-{build}-*.so")
    for file in sorted(found, key=lambda file: file.stat().st_mtime, reverse=True):
        _check_owner(folder)
        _check_owner(file)
        if file.stem.endswith(f"-{_hash(file.read_bytes())[:16]}"):
            return file
    return None


def _key() -> str:
    """A hash of the source, its flags and the processor."""
    return _hash(SOURCE.read_bytes(), *_machine_parts())[:16]


def name_build() -> str:
    """A hash of the compiler, its flags and the processor, on which last bits depend."""
    command = [find_compiler() or "c++", "--version"]
    version = subprocess.run(command, capture_output=True, check=False).stdout
    return _hash(version, *_machine_parts())[:8]


def _machine_parts() -> tuple[bytes, ...]:
    return repr(FLAGS).encode(), processor().encode()


def _hash(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


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


def _compile(compiler: str) -> bytes:
    """Compile the source; return the content of the library."""
    with TemporaryDirectory() as place:
        target = Path(place) / "direct.so"
        command = [compiler, *FLAGS, "-o", str(target), str(SOURCE)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        if done.returncode:
            said = (done.stderr.strip() or "no message").splitlines()[0]
            raise subprocess.SubprocessError(f"{compiler} failed: {said}")
        return target.read_bytes()


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
