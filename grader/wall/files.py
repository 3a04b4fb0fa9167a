"""Which of this machine's files a sandbox sees, under which neutral names; mounts nothing."""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import os
import platform
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

# Learner code sees these names, never the paths of this machine.
PYTHON_HOME = "/opt/python"
SITE = "/opt/site"
LIBRARIES = "/opt/lib"
SERVICE = "/opt/service"  # holds `worker`, this package's untrusted side, and nothing else

# What learner code may import beside the standard library; einops only where it is installed.
_ROOTS = ("torch", "numpy", "safetensors", "einops")
_OPTIONAL = ("einops",)
# Where the dynamic linker looks by itself, in the order of most systems; there are never many.
_LINKER_FOLDERS = (
    "/lib64",
    "/usr/lib64",
    f"/lib/{platform.machine()}-linux-gnu",
    f"/usr/lib/{platform.machine()}-linux-gnu",
)
# Parts of the standard library that need libraries which may lie where only this Python looks.
_LINKED = ("_ctypes", "_ssl", "_hashlib", "zlib", "_bz2", "_lzma", "_uuid")
# The base interpreter's own packages; with conda, these are all packages, grader included.
_HIDDEN = ("site-packages", "dist-packages")


class MissingFiles(Exception):
    """Something that a worker cannot do without is not installed."""


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
    python: str
    links: tuple[tuple[str, str], ...]  # where each symbolic link leads, and its place


@cache
def needed() -> Files:
    """The interpreter, its standard library, PyTorch with what it needs, and the worker's code."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    standard = Path(sysconfig.get_path("stdlib")).resolve()
    python = Path(sys.executable).resolve()
    packages = dict(_packages())
    home = f"{PYTHON_HOME}/{sys.platlibdir}/{version}"
    mounts = [
        Mount(python, f"{PYTHON_HOME}/bin/{version}"),
        Mount(standard, home),
        *(Mount(source, f"{SITE}/{name}") for name, source in packages.items()),
        Mount(Path(__file__).resolve().parent.parent / "worker", f"{SERVICE}/worker"),
    ]
    dynamic = Path(sysconfig.get_config_var("DESTSHARED") or standard / "lib-dynload").resolve()
    if not dynamic.is_relative_to(standard):
        mounts.append(Mount(dynamic, f"{PYTHON_HOME}/dynload"))
    hidden = [f"{home}/{name}" for name in _HIDDEN if (standard / name).is_dir()]
    system, links = _system_libraries()
    mounts += system
    hidden += [f"{m.target}/{p.name}" for m in system for p in m.source.glob("python3*")]
    conda = Path(sys.base_prefix, "lib")
    if (conda.parent / "conda-meta").is_dir():
        mounts.append(Mount(conda, LIBRARIES))
        hidden += [f"{LIBRARIES}/{path.name}" for path in conda.glob("python3*")]
    seen = [mount.source for mount in mounts]
    mounts += [mount for mount in _own_libraries() if not _lies_in(mount.source, seen)]
    return Files(tuple(mounts), tuple(hidden), f"{PYTHON_HOME}/bin/{version}", links)


def _system_libraries() -> tuple[list[Mount], tuple[tuple[str, str], ...]]:
    """The system's folders of libraries under their own names, and links for their other names."""
    folders = {name: os.path.realpath(name) for name in _LINKER_FOLDERS if os.path.isdir(name)}
    # Some machines name the linker itself at another place.
    linkers = {str(path): os.path.realpath(path) for path in Path("/lib").glob("ld*.so*")}
    inside = [Path(folder) for folder in folders.values()]
    others = {name: real for name, real in linkers.items() if _lies_in(Path(real), inside)}
    links = [(real, name) for name, real in (folders | others).items() if real != name]
    return [Mount(Path(real), real) for real in dict.fromkeys(folders.values())], tuple(links)


def _own_libraries() -> Iterator[Mount]:
    """What this very interpreter has loaded from places of its own, such as libpython."""
    for name in _LINKED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    with contextlib.suppress(OSError):
        maps = Path("/proc/self/maps").read_bytes().decode("utf-8", "surrogateescape")
        packages = [Path(folder) for folder in sys.path if folder]
        for found in sorted(set(re.findall(r"(/.*/lib[^/\n]*\.so[^/\n]*)$", maps, re.MULTILINE))):
            file = Path(found)
            if _lies_in(file, packages):
                continue
            for other in file.parent.glob(f"{file.name.partition('.so')[0]}.so*"):
                if other.resolve() == file:
                    yield Mount(file, f"{LIBRARIES}/{other.name}")


def _lies_in(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _packages() -> Iterator[tuple[str, Path]]:
    """Top-level modules of the roots and of all that they require, by name."""
    for distribution in _distributions(_ROOTS):
        for name in _top_level(distribution):
            path = Path(str(distribution.locate_file(name)))
            if os.path.exists(path):  # a Path's own method raises in folders of others
                yield name, path.resolve()


def _distributions(names: Iterable[str]) -> list[importlib.metadata.Distribution]:
    found: dict[str, importlib.metadata.Distribution] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        key = name.lower().replace("_", "-")
        if key in found:
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            if name in _ROOTS and name not in _OPTIONAL:
                raise MissingFiles(f"{name} is not installed beside the grader") from None
            continue
        found[key] = distribution
        waiting += _requirements(distribution)
    return list(found.values())


def _requirements(distribution: importlib.metadata.Distribution) -> Iterator[str]:
    for line in distribution.requires or ():
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue
        # Those of PyTorch's CUDA builds too: workers see no accelerator, but PyTorch does not load
        # without the libraries that it is linked to.
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name


def _top_level(distribution: importlib.metadata.Distribution) -> list[str]:
    """Names that the distribution puts into site-packages; no scripts, no metadata."""
    record = distribution.read_text("RECORD")
    if record is not None:  # 20,000 lines for PyTorch: much faster as text
        paths = {line.partition(",")[0].partition("/")[:2] for line in record.splitlines()}
    else:
        paths = {str(file).partition("/")[:2] for file in distribution.files or ()}
    names = set()
    for first, in_folder in paths:
        if first in ("..", "", "__pycache__"):
            continue
        if first.endswith((".dist-info", ".egg-info", ".pth")):
            continue
        if in_folder or first.endswith((".py", ".so")):
            names.add(first)
    return sorted(names)
