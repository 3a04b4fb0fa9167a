"""Remembers of a report's pages what each was made of, so that the same is not made again."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from ..curriculum.course import course
from .whole_files import replace_file

_LEDGER = ".made_of.json"
_ROOMS = ("report", "gradebook", "candidate", "curriculum")  # what pages come of, and the course
_KINDS = (".py", ".html", ".css", ".js", ".toml")


class Written:
    """The pages that lie in one folder, by their names in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known = _read(folder / _LEDGER)

    def stale(self, made_of: Mapping[str, str]) -> list[str]:
        """Those of these pages that are not there, or were made of something else."""
        return [
            name
            for name, state in made_of.items()
            if self._known.get(name) != state or not (self._folder / name).is_file()
        ]

    def forget(self, names: Collection[str]) -> None:
        """Take these for old from now on: somebody begins to write them."""
        if any(self._known.pop(name, None) is not None for name in names):
            self._keep()

    def note(self, made_of: Mapping[str, str]) -> None:
        """These are all pages there are, and are written."""
        if self._known != made_of:
            self._known = dict(made_of)
            self._keep()

    def _keep(self) -> None:
        replace_file(self._folder / _LEDGER, json.dumps(self._known))


def made_of(parts: Iterable[object]) -> str:
    """A hash of what a page shows and of the code that shows it."""
    state = hashlib.blake2b(_code().encode(), digest_size=12)
    for part in parts:
        data = repr(part).encode("utf-8", "surrogatepass")
        state.update(len(data).to_bytes(8, "big") + data)
    return state.hexdigest()


@cache
def _code() -> str:
    state = hashlib.blake2b(digest_size=16)
    grader = Path(__file__).resolve().parent.parent
    folders = (*(grader / room for room in _ROOMS), course().folder, course().solutions_folder)
    paths = {path for folder in folders for path in folder.rglob("*")}
    for path in sorted(each for each in paths if each.suffix in _KINDS):
        state.update(path.read_bytes())
    return state.hexdigest()


def _read(path: Path) -> dict[str, str]:
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
