"""Which installed packages a sandbox may see, and what beside them it must not; mounts nothing."""

import importlib.metadata
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FOLDERS = ("site-packages", "dist-packages")  # what the folders of installers are called
_NEEDED = ("torch", "numpy", "safetensors")
_USEFUL = ("einops",)  # that learners write right code with, where it is installed
_NAME = re.compile(r"^Name:[ \t]*(\S+)", re.MULTILINE)
_SHARED = "nvidia"  # the folder in which packages of CUDA's lie side by side
_OURS = __name__.partition(".")[0]
_NO_NAMES = {"", "..", "__pycache__"}
_SOURCE = "direct_url.json"  # where a package came from: a folder or an address of this machine's


class MissingPackage(Exception):
    """A package that a worker cannot do without is not installed."""


@dataclass(frozen=True)
class Folder:
    """A folder of packages: names of its entries that are shown, and what is covered below them."""

    path: Path
    shown: tuple[str, ...]
    covered: tuple[str, ...]


def visible() -> dict[str, str]:
    """The packages that exist for learner code, and their versions: a mark may depend on them.

    They are those that exercises need and, of those, what they cannot be imported without.
    """
    return needed_by((*_NEEDED, *_USEFUL))


def needed_by(requirements: Iterable[str]) -> dict[str, str]:
    """The packages that these ask for and all that they lead to, with versions, as installed."""
    versions: dict[str, str] = {}
    waiting = [*_required(requirements, "")]  # packages, each with an extra of it
    seen: set[tuple[str, str]] = set()
    while waiting:
        name, extra = asked = waiting.pop()
        if asked in seen:
            continue
        seen.add(asked)
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # one that another system or Python needs
        versions[name] = distribution.version
        waiting += _required(distribution.requires or (), extra)
    return dict(sorted(versions.items()))


def installed() -> list[Folder]:
    """Every folder of packages, in the order in which Python looks there.

    Shown is what is `visible` and an installer fetched and recorded: it is as public as where it
    came from. All else is not: packages that no exercise needs, the grader itself, packages made
    from a folder or a repository, lone files. Raises MissingPackage.
    """
    found, _ = _folders()
    for name in _NEEDED:
        if not any(name in folder.shown for folder in found):
            raise MissingPackage(f"{name} is not installed beside the grader")
    return found


@cache
def shown() -> tuple[str, ...]:
    """The installed packages that a sandbox sees anything of, as an index calls them."""
    folders, owners = _folders()
    seen = {(folder.path, name) for folder in folders for name in folder.shown}
    return tuple(owner for owner, entries in owners if not seen.isdisjoint(entries))


_Owner = tuple[str, set[tuple[Path, str]]]  # a package, and its entries of folders


def _folders() -> tuple[list[Folder], list[_Owner]]:
    entries: dict[Path, dict[str, bool]] = {}
    covered: dict[Path, list[str]] = {}
    owners: list[_Owner] = []
    needed = visible()
    for distribution in importlib.metadata.distributions():
        record = distribution.read_text("RECORD")
        if record is not None:
            own, folder, names = _name(distribution), _folder_of(distribution), _names(record)
            owners.append((own, {(folder, name) for name in names}))
            public = canonicalize_name(own) in needed and _is_public(distribution, names)
            known = entries.setdefault(folder, {})
            for name in names:  # what a private one owns is private
                known[name] = known.get(name, True) and public
            covered.setdefault(folder, []).extend(_sources(distribution, record))
    folders = []
    for path, known in entries.items():
        shown = tuple(sorted(name for name, public in known.items() if public))
        below = (each for each in covered[path] if each.partition("/")[0] in shown)
        folders.append(Folder(path, shown, tuple(below)))
    return folders, owners


def _name(distribution: importlib.metadata.Distribution) -> str:
    """As it stands at the head of its metadata, of which to read all is slow."""
    found = _NAME.search(distribution.read_text("METADATA") or "")
    return found[1] if found else distribution.name


def _folder_of(distribution: importlib.metadata.Distribution) -> Path:
    return Path(os.path.realpath(str(distribution.locate_file(""))))


def _names(record: str) -> set[str]:
    """What the paths of a record begin with: entries of the folder that it lies in."""
    # 20,000 lines for PyTorch: much faster as text than as paths
    names = {line.partition(",")[0].partition("/")[0] for line in record.splitlines()} - _NO_NAMES
    if _SHARED in names:
        names.remove(_SHARED)
        parts = (line.partition(",")[0].split("/") for line in record.splitlines())
        names |= {"/".join(some[:2]) for some in parts if some[0] == _SHARED}
    return names


def _required(requirements: Iterable[str], extra: str) -> Iterator[tuple[str, str]]:
    """What a package, or an extra of it, asks for here: names, and each extra asked of them."""
    for each in map(Requirement, requirements):
        if each.marker is None or each.marker.evaluate({"extra": extra}):
            yield from ((canonicalize_name(each.name), one) for one in ("", *each.extras))


def _is_public(distribution: importlib.metadata.Distribution, names: set[str]) -> bool:
    """Whether it is no part of this project, and came from where anybody gets it."""
    source = distribution.read_text(_SOURCE)
    by_conda = (distribution.read_text("INSTALLER") or "").strip() == "conda"
    return _OURS not in names and (source is None or by_conda or _is_file(source))


def _sources(distribution: importlib.metadata.Distribution, record: str) -> list[str]:
    """The files of it that say where it came from."""
    if distribution.read_text(_SOURCE) is None:
        return []
    paths = (line.partition(",")[0] for line in record.splitlines())
    return [path for path in paths if path.endswith(f"/{_SOURCE}")]


def _is_file(source: str) -> bool:
    """Whether a package was made from a wheel or an archive, of whatever address."""
    try:
        return "archive_info" in json.loads(source)
    except (ValueError, TypeError):
        return False
