"""Which of this machine's files a sandbox sees, under which neutral names; mounts nothing."""

import contextlib
import importlib
import os
import platform
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import packages

# Learner code sees these names, and not where the files lie on this machine.
PYTHON_HOME = "/opt/python"
SITE = "/opt/site"
LIBRARIES = "/opt/lib"
SERVICE = "/opt/service"  # holds `worker`, this package's untrusted side, and nothing else

# What covers a file: behind the wall nobody may open a device that is bound so.
_NOTHING = Path(os.devnull)
# Where the dynamic linker looks by itself, in the order of most systems; there are never many.
_LINKER_FOLDERS = (
    "/lib64",
    "/usr/lib64",
    f"/lib/{platform.machine()}-linux-gnu",
    f"/usr/lib/{platform.machine()}-linux-gnu",
)
# Parts of the standard library that need libraries which may lie where only this Python looks.
_LINKED = ("_ctypes", "_ssl", "_hashlib", "zlib", "_bz2", "_lzma", "_uuid")


@dataclass(frozen=True)
class Mount:
    """One file or directory of this machine and its place in the sandbox."""

    source: Path
    target: str


@dataclass(frozen=True)
class Files:
    """Everything a worker sees of this machine, read-only."""

    mounts: tuple[Mount, ...]
    hidden: tuple[str, ...]  # directories to cover by empty ones
    links: tuple[tuple[str, str], ...]  # where each symbolic link leads, and its place
    python: str
    path: tuple[str, ...]  # where Python looks for modules after its standard library


@cache
def needed() -> Files:
    """The interpreter, its standard library, the installed packages and the worker's code.

    Raises packages.MissingPackage.
    """
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    python = f"{PYTHON_HOME}/bin/{version}"
    standard = Path(sysconfig.get_path("stdlib")).resolve()
    home = f"{PYTHON_HOME}/{sys.platlibdir}/{version}"
    mounts = [
        Mount(Path(sys.executable).resolve(), python),
        Mount(standard, home),
        Mount(Path(__file__).resolve().parent.parent / "worker", f"{SERVICE}/worker"),
    ]
    path = [SERVICE]
    dynamic = Path(sysconfig.get_config_var("DESTSHARED") or standard / "lib-dynload").resolve()
    if not dynamic.is_relative_to(standard):
        mounts.append(Mount(dynamic, f"{PYTHON_HOME}/dynload"))
        path.append(f"{PYTHON_HOME}/dynload")
    # The base interpreter's own packages; with conda, these are all packages, grader included.
    hidden = [f"{home}/{name}" for name in packages.FOLDERS if (standard / name).is_dir()]
    for number, folder in enumerate(packages.installed()):
        path.append(f"{SITE}/{number}")
        mounts += _packages(folder, path[-1])
    libraries, covered, links = _libraries()
    seen = [mount.source for mount in (*mounts, *libraries)]
    mounts += [*libraries, *(own for own in _loaded() if not _lies_in(own.source, seen))]
    return Files(tuple(mounts), (*hidden, *covered), links, python, tuple(path))


def _packages(folder: packages.Folder, target: str) -> Iterator[Mount]:
    """Each package by itself, and what covers the files in them that are nobody's business."""
    for name in folder.shown:
        yield Mount((folder.path / name).resolve(), f"{target}/{name}")
    for name in folder.covered:
        yield Mount(_NOTHING, f"{target}/{name}")


def _libraries() -> tuple[list[Mount], list[str], tuple[tuple[str, str], ...]]:
    """Whole folders of shared libraries, what to hide in them, and links for their other names."""
    folders = {name: os.path.realpath(name) for name in _LINKER_FOLDERS if os.path.isdir(name)}
    mounts = [Mount(Path(real), real) for real in dict.fromkeys(folders.values())]
    inside = [mount.source for mount in mounts]
    # Some processors' programs name the linker itself at another place.
    linkers = {str(path): os.path.realpath(path) for path in Path("/lib").glob("ld*.so*")}
    names = folders | {name: real for name, real in linkers.items() if _lies_in(Path(real), inside)}
    if Path(sys.base_prefix, "conda-meta").is_dir():
        mounts.append(Mount(Path(sys.base_prefix, "lib"), LIBRARIES))
    pythons = [(m, each) for m in mounts for each in m.source.glob("python*") if each.is_dir()]
    hidden = [f"{mount.target}/{each.name}" for mount, each in pythons]
    links = tuple((real, name) for name, real in names.items() if real != name)
    return mounts, hidden, links


def _loaded() -> Iterator[Mount]:
    """Libraries that this very interpreter has loaded from places of its own, such as libpython."""
    for name in _LINKED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    maps = Path("/proc/self/maps").read_bytes().decode("utf-8", "surrogateescape")
    searched = [Path(folder) for folder in sys.path if folder]
    for found in sorted(set(re.findall(r"(/.*/lib[^/\n]*\.so[^/\n]*)$", maps, re.MULTILINE))):
        library = Path(found)
        if _lies_in(library, searched):
            continue  # an extension module, or what a package brought for itself
        for other in library.parent.glob(f"{library.name.partition('.so')[0]}.so*"):
            if other.resolve() == library:
                yield Mount(library, f"{LIBRARIES}/{other.name}")


def _lies_in(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
