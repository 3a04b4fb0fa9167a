"""A folder of the learner's own: the course copied into it, a stub given back; marks nothing."""

import ast
import datetime
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..candidate.records import Mark
from ..curriculum.complaint import Complaint
from ..curriculum.course import course as chosen
from ..curriculum.syllabus import syllabus
from ..notebook.own_files import OLD as OLD
from ..notebook.progress_file import FILE as PROGRESS
from ..notebook.progress_file import remember
from ..report.whole_files import replace_file
from ..report.wording import NOT_BEGUN
from ..submission.parsing import parsed
from ..submission.statements import first_line

FOLDER = "my-course"  # of a clone; git ignores it
_COPIED = ".course.json"  # each file's hash when it was copied


def start(folder: Path, notebooks: Path | None = None) -> tuple[Path, ...]:
    """Copy what the folder lacks of the course, and renew what nobody has changed since.

    Gives what was copied, relative to the folder. Raises Complaint where there is no course.
    """
    course = notebooks or chosen().notebooks
    if not any(course.glob("*.ipynb")):
        raise Complaint(f"{course} holds no notebooks")
    if folder.resolve().is_relative_to(course.resolve()):
        raise Complaint(f"{folder} is part of the course itself; choose another folder")
    known: dict[str, str] = {}
    with suppress(OSError, ValueError, TypeError):  # nothing was copied, or nobody can tell
        known = dict(json.loads((folder / _COPIED).read_text(encoding="utf-8")))
    copied = []
    for path in sorted(course.rglob("*")):
        inside = path.relative_to(course)
        hidden = any(part.startswith(".") or part == "__pycache__" for part in inside.parts)
        if path.is_dir() or inside.name == PROGRESS or hidden:
            continue
        new, target, name = _as_saved(path), folder / inside, inside.as_posix()
        old = target.read_bytes() if target.is_file() else None
        if not target.exists() or (old not in (None, new) and _hash(old) == known.get(name)):
            replace_file(target, new)  # half a notebook would count as the learner's own
            copied.append(inside)
            old = new
        if old == new:
            known[name] = _hash(new)
    replace_file(folder / _COPIED, json.dumps(known, indent=1))
    return tuple(copied)


def _as_saved(path: Path) -> bytes:
    """A file of the course; a notebook as JupyterLab saves it, so that opening changes nothing."""
    content = path.read_bytes()
    if path.suffix != ".ipynb":
        return content
    try:
        notebook = json.loads(content)
        for cell in notebook["cells"]:
            if cell["metadata"].get("jupyter", {}).get("outputs_hidden"):
                cell["metadata"]["collapsed"] = True
        notebook["metadata"]["language_info"] = {
            "codemirror_mode": {"name": "ipython", "version": 3},
            "file_extension": ".py",
            "mimetype": "text/x-python",
            "name": "python",
            "nbconvert_exporter": "python",
            "pygments_lexer": "ipython3",
            "version": ".".join(map(str, sys.version_info[:3])),
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        return content
    text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
    return f"{text}\n".encode()


def is_begun(folder: Path) -> bool:
    """Whether the course was copied into this very folder."""
    return (folder / _COPIED).exists()


def find(folder: Path) -> Path:
    """Where the notebooks are of somebody who stands in `folder`: there, or in the clone's own."""
    inside = folder / FOLDER
    return inside if not any(folder.glob("*.ipynb")) and inside.is_dir() else folder


def keep(folder: Path, marks: Iterable[Mark]) -> None:
    """Have `progress()` know what these came to, where the folder is a learner's own."""
    if any((folder / name).exists() for name in (_COPIED, PROGRESS)):
        remember(folder, *(mark for mark in marks if mark.verdict not in NOT_BEGUN))


def _hash(content: bytes | None) -> str:
    return hashlib.sha256(content or b"").hexdigest()


def reset(notebook: Path, exercise: str = "") -> tuple[str, ...]:
    """Put stubs back in place of what was written, in one notebook; the names of them.

    What was there is added to `replaced.txt` beside it. Raises Complaint where the notebook
    is none of the course, or does not hold the exercise.
    """
    original = chosen().notebooks / notebook.name
    if not original.is_file():
        raise Complaint(f"the course has no {notebook.name}")
    stubs = {
        name: text
        for name, text in _definitions(_read(original))
        if not exercise or name == exercise
    }
    if not stubs:
        raise Complaint(f"{notebook.name} of the course has no exercise {exercise!r}")
    content = _read(notebook)
    replaced: list[tuple[str, str]] = []
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            source, old = _with_stubs("".join(cell["source"]), stubs)
            if old:
                cell["source"] = source.splitlines(keepends=True)
                replaced += old
    if exercise and not replaced:
        raise Complaint(f"{notebook} defines no {exercise} that is more than its stub")
    if replaced:
        now = datetime.datetime.now().isoformat(" ", "seconds")
        with (notebook.parent / OLD).open("a", encoding="utf-8") as kept:
            for name, text in replaced:
                kept.write(f"# {now}, {notebook.name}, {name}\n{text}\n\n")
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        replace_file(notebook, text)
    return tuple(dict.fromkeys(name for name, _ in replaced))


def _with_stubs(source: str, stubs: dict[str, str]) -> tuple[str, list[tuple[str, str]]]:
    """A cell with its stubs given back, and each definition that stood there."""
    lines, old = source.split("\n"), list[tuple[str, str]]()
    for name, first, last in reversed([*_places(source)]):
        text = "\n".join(lines[first:last])
        if name in stubs and text != stubs[name]:
            lines[first:last] = stubs[name].split("\n")
            old.insert(0, (name, text))
    return "\n".join(lines), old


def _definitions(notebook: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The exercises that a notebook defines, and their text."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            for name, first, last in _places(source):
                yield name, "\n".join(source.split("\n")[first:last])


def _places(source: str) -> Iterator[tuple[str, int, int]]:
    """The exercises that a cell defines: name, first line, line after the last."""
    tree = parsed(source)
    for node in tree.body if tree else ():  # none of magics, and of what is half written
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in syllabus().names:
            yield node.name, first_line(node) - 1, node.end_lineno or node.lineno


def _read(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        content["cells"]
    except (ValueError, KeyError, TypeError):
        raise Complaint(f"{path} is no notebook") from None
    return content
