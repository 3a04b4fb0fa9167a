"""Finds what some chapters need of the kit: other chapters' pictures and models stay out."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from ...curriculum.course import course
from .imports import imported


def kit_files(notebooks: Iterable[Path]) -> tuple[Path, ...]:
    """The modules that these notebooks import, directly or not, and the files that those name."""
    kit = course().notebooks / "kit"
    found = {kit / "__init__.py", kit / "earlier.py"}
    waiting = [*_modules(notebooks, kit), *_modules(found, kit)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _modules([path], kit)
    code = "".join(path.read_text(encoding="utf-8") for path in sorted(found))
    beside = [path for room in ("data", "page") for path in (kit / room).iterdir()]
    named = {path for path in beside if path.is_file() and path.name in code}
    if any(path.parent.name == "data" for path in named):
        named.add(kit / "data" / "README.md")
    return tuple(sorted(found | named))


def _modules(files: Iterable[Path], kit: Path) -> Iterator[Path]:
    for module, name in imported(files):
        places = [f"{module}.{name}", module, f"kit.{name}"]
        for place in (each.split(".") for each in places):
            if place[0] == "kit" and len(place) == 2 and (kit / f"{place[1]}.py").is_file():
                yield kit / f"{place[1]}.py"
