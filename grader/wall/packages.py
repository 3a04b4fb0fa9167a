"""Which installed packages a sandbox may see, and what beside them it must not; mounts nothing."""

import importlib.metadata
import json
import os
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("site-packages", "dist-packages")  # what the folders of installers are called
_NEEDED = ("torch", "numpy", "safetensors")
_OURS = __name__.partition(".")[0]
_CACHE = "__pycache__"
_SOURCE = "direct_url.json"  # where a package came from: a folder or an address of this machine's


class MissingPackage(Exception):
    """A package that a worker cannot do without is not installed."""


@dataclass(frozen=True)
class Folder:
    """A folder of packages; `shown` and `hidden` are names of its entries or paths below them."""

    path: Path
    shown: tuple[str, ...]
    hidden: tuple[str, ...]


def installed() -> list[Folder]:
    """Every folder of packages, in the order in which Python looks there.

    Shown is what an installer fetched and recorded: it is as public as where it came from. Hidden
    is all else: the grader itself, packages made from a folder or a repository, lone files.
    Raises MissingPackage.
    """
    entries: dict[Path, dict[str, bool]] = {}
    for distribution in importlib.metadata.distributions():
        record = distribution.read_text("RECORD")
        if record is not None:
            folder = Path(os.path.realpath(str(distribution.locate_file(""))))
            _note(distribution, record, entries.setdefault(folder, {}))
    for folder, known in entries.items():
        for name in os.listdir(folder):
            known.setdefault(name, False)
        known[_CACHE] = _holds_nothing_else(folder / _CACHE, known)
    found = [
        Folder(
            path,
            tuple(sorted(name for name, public in known.items() if public)),
            tuple(sorted(name for name, public in known.items() if not public)),
        )
        for path, known in entries.items()
    ]
    for name in _NEEDED:
        if not any(name in folder.shown for folder in found):
            raise MissingPackage(f"{name} is not installed beside the grader")
    return found


def _note(
    distribution: importlib.metadata.Distribution, record: str, known: dict[str, bool]
) -> None:
    """Note what a distribution has put into its folder; what a private one owns is private."""
    # 20,000 lines for PyTorch: much faster as text than as paths
    paths = [line.partition(",")[0] for line in record.splitlines()]
    names = {path.partition("/")[0] for path in paths} - {"", "..", _CACHE}
    source = distribution.read_text(_SOURCE)
    by_conda = (distribution.read_text("INSTALLER") or "").strip() == "conda"
    public = _OURS not in names and (source is None or by_conda or _is_file(source))
    for name in names:
        known[name] = known.get(name, True) and public
    if public and source is not None and not by_conda:
        known.update((path, False) for path in paths if path.endswith(f"/{_SOURCE}"))


def _is_file(source: str) -> bool:
    """Whether a package was made from a wheel or an archive, of whatever address."""
    try:
        return "archive_info" in json.loads(source)
    except (ValueError, TypeError):
        return False


def _holds_nothing_else(cache: Path, known: dict[str, bool]) -> bool:
    """Whether all compiled modules in there belong to modules that are shown."""
    try:
        modules = {name.partition(".")[0] for name in os.listdir(cache)}
    except OSError:
        return False
    return all(known.get(f"{module}.py", False) for module in modules)
