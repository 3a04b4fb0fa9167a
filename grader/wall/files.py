"""Which of this machine's files a sandbox sees, under which neutral names; mounts nothing."""

from __future__ import annotations

import importlib.metadata
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from . import libraries

# Learner code sees these names, never the paths of this machine.
PYTHON_HOME = "/opt/python"
SITE = "/opt/site"
LIBRARIES = "/opt/lib"
SERVICE = "/opt/service"  # holds `worker`, this package's untrusted side, and nothing else

# What learner code may import beside the standard library; einops only where it is installed.
_ROOTS = ("torch", "numpy", "safetensors", "einops")
_OPTIONAL = ("einops",)
# Extension modules of windows, terminals and databases: learner code cannot use them in here.
_USELESS = ("_tkinter", "_curses", "readline", "nis", "_gdbm", "_dbm", "_sqlite3")
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
    mounts += _libraries(python, dynamic, packages)
    hidden = tuple(f"{home}/{name}" for name in _HIDDEN if (standard / name).is_dir())
    return Files(tuple(mounts), hidden, f"{PYTHON_HOME}/bin/{version}")


def _libraries(python: Path, dynamic: Path, packages: dict[str, Path]) -> Iterator[Mount]:
    """The dynamic linker at the place the interpreter names, and all libraries in one directory."""
    extensions = [file for file in dynamic.glob("*.so") if not file.name.startswith(_USELESS)]
    programs = [python, *extensions]
    for source in packages.values():
        if source.is_dir():
            programs += _shared_objects(source)
        elif source.suffix == ".so":
            programs.append(source)
    inside = {source for source in packages.values() if source.is_dir()}
    prefixes = (Path(sys.base_prefix) / "lib", Path(sys.base_prefix) / "lib64")
    for name, path in sorted(libraries.closure(programs, prefixes).items()):
        real = path.resolve()
        if inside.isdisjoint(real.parents):
            yield Mount(real, f"{LIBRARIES}/{name}")
    elf = libraries.read(python)
    if elf is None or elf.interpreter is None:
        return  # a static interpreter, or an architecture that we cannot read
    yield Mount(Path(elf.interpreter).resolve(), elf.interpreter)


def _shared_objects(directory: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(directory):  # much faster than a Path for each file
        for name in names:
            if ".so" in name and (path := Path(folder, name)).is_file():
                yield path


def _packages() -> Iterator[tuple[str, Path]]:
    """Top-level modules of the roots and of all that they require, by name."""
    for distribution in _distributions(_ROOTS):
        for name in _top_level(distribution):
            path = Path(str(distribution.locate_file(name)))
            if path.exists():
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
