"""Reads the known wrong turns from the course's data files, which it refuses where they are wrong.

It knows words and names, and runs nothing. The head of common.toml says how the files are written.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...candidate.records import Diagnosis
from ...curriculum.complaint import Complaint
from ...curriculum.course import course
from ...curriculum.syllabus import syllabus
from ..edited_tree import WHOLE, Edit

COMMON = "common"  # the file of what several chapters share
SPOTS = "spots"  # its table of wrong implementations
_USUAL = Path(__file__).with_name("usual.toml")  # of any course
BODIES = "bodies"  # the folder of whole definitions
_LISTS = ("alike", "ways", "lets_through")
_KEYS = {"question", "error", "instead", *_LISTS}
_KEEPS_VALUES = "values_right_but"  # in the place of "behaviour"
_ELSEWHERE = re.compile(r"([A-Za-z_][\w.]*): +(?=\S)")  # in front of a text: in which definition
_COMPOSITION = ("of", "without", "first")
_ALSO = "also"  # changes that go along with several mistakes


class CatalogueError(Complaint, ValueError):
    """A data file that cannot be used: which file, which entry, and why."""


@dataclass(frozen=True)
class Misconception:
    """A known wrong turn. Its variant is the reference with a change of that name, or, where no
    values can show it, `error` is a regular expression that the learner's own exception matches."""

    id: str  # also the name of the change
    behaviour: str  # what the code behaves like, and the effect; never the answer
    question: str  # leads on
    error: str | None = None  # matched against "Type: message" of an exception
    ways: tuple[str, ...] = ()  # changes under which the same mistake has other values
    lets_through: tuple[str, ...] = ()  # of `wrong_implementations`, what it takes for right
    keeps_values: bool = False  # then the behaviour follows "The values are right, but"

    @property
    def explanation(self) -> str:
        """What is told of this mistake alone."""
        return (
            f"The values are right, but {self.behaviour}" if self.keeps_values else self.behaviour
        )


def told(found: Sequence[Misconception]) -> tuple[Diagnosis, ...]:
    """What is told of mistakes together: values are right only where each of them keeps them."""
    are_right = all(one.keeps_values for one in found)
    texts = [
        f"{one.behaviour[0].upper()}{one.behaviour[1:]}"
        if one.keeps_values and not are_right
        else one.explanation
        for one in found
    ]
    return tuple(
        Diagnosis(one.id, text, one.question) for one, text in zip(found, texts, strict=True)
    )


Change = tuple[Edit, ...] | str  # or the "group.id" of an entry that has the same


@dataclass(frozen=True)
class Group:
    """What a data file says under one name: own entries, and what an exercise is made up of."""

    file: str
    name: str
    entries: dict[str, Misconception]
    also: tuple[str, ...]  # changes that are no mistakes by themselves
    changes: dict[str, Change]  # of the reference, by the name of an entry or of a way
    of: tuple[str, ...]  # groups, or single entries as "group.id", in this order
    without: tuple[str, ...]
    first: tuple[str, ...]


Groups = Callable[[str], Group | None]  # the group of a name


@cache
def misconceptions(exercise: str) -> tuple[Misconception, ...]:
    """All that is known of an exercise, likely ones first.

    Raises:
        CatalogueError: A data file that it needs has a fault.
    """
    found = group(exercise)
    return composed(found, group) if found is not None else ()


def common(name: str) -> Misconception:
    """The entry "group.id" of what chapters share; raises CatalogueError where it is absent."""
    return _named(name, group, f"{COMMON}.toml")[0]


def wrong_implementations(exercise: str) -> dict[str, str]:
    """What a find-the-mistake exercise is tried on: names, and the mistake in words."""
    found = _data(COMMON).get(SPOTS, {}).get(exercise)
    if found is None:
        raise CatalogueError(f"{COMMON}.toml: {SPOTS}: nothing is called {exercise!r}")
    return _texts(f"{COMMON}.toml: {SPOTS}.{exercise}", found)


def let_through(exercise: str) -> dict[str, tuple[str, ...]]:
    """Which of these are taken for right, by the mistake that its author makes."""
    known = wrong_implementations(exercise)
    found = {one.id: one.lets_through for one in misconceptions(exercise)}
    for id, names in found.items():
        if unknown := sorted({*names} - known.keys()):
            where = f"{syllabus()[exercise].chapter}.toml: {exercise}.{id}: lets_through"
            raise CatalogueError(f"{where}: nothing of {SPOTS} is called {unknown[0]!r}")
    return found


def group(name: str) -> Group | None:
    """The group of that name: an exercise's stands in its chapter's file, any other in common."""
    known = name in syllabus().names
    return _file(syllabus()[name].chapter if known else COMMON).get(name)


@cache
def _file(stem: str) -> dict[str, Group]:
    shared = {} if stem == COMMON else _data(COMMON).get("texts", {})
    return groups(stem, _data(stem), shared)


@cache
def _data(stem: str) -> dict[str, Any]:
    path = course().misconceptions / f"{stem}.toml"
    own = read(stem, path.read_bytes()) if path.is_file() else {}  # a course may know of none
    return {**read(_USUAL.stem, _USUAL.read_bytes()), **own} if stem == COMMON else own


def read(stem: str, content: bytes) -> dict[str, Any]:
    """What a data file holds; raises CatalogueError where it is no TOML."""
    try:
        return tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{stem}.toml: {error}") from error


def groups(stem: str, data: Mapping[str, Any], shared: Mapping[str, str]) -> dict[str, Group]:
    """The groups of one data file; `shared` are texts of all chapters. Raises CatalogueError."""
    own = _texts(f"{stem}.toml: texts", data.get("texts", {}))
    named = {name: table for name, table in data.items() if name not in ("texts", SPOTS)}
    if stem != COMMON:
        allowed = {one.name for one in syllabus().exercises if one.chapter == stem}
        for name in named.keys() - allowed:
            reason = "there is no such exercise in this chapter"
            raise CatalogueError(f"{stem}.toml: {name}: {reason}")
        for name in own:
            if f"{{{name}}}" not in str(named):
                raise CatalogueError(f"{stem}.toml: texts.{name}: nothing says it")
    return {name: _group(stem, name, table, {**shared, **own}) for name, table in named.items()}


def composed(exercise: Group, of: Groups) -> tuple[Misconception, ...]:
    """An exercise's own entries and those of others, `of(name)` being the group of that name."""
    where = f"{exercise.file}.toml: {exercise.name}"
    found: dict[str, Misconception] = {}
    for name in exercise.of:
        found |= {one.id: one for one in _named(name, of, where)}
    for key in ("without", "first"):
        for id in getattr(exercise, key):
            if id not in found:
                raise CatalogueError(f"{where}: {key}: nothing is called {id!r}")
    order = dict.fromkeys((*exercise.first, *found))
    return tuple(found[id] for id in order if id not in exercise.without)


def _named(name: str, of: Groups, where: str) -> list[Misconception]:
    """The entries of a group, or the one entry that "group.id" names."""
    owner, _, id = name.partition(".")
    found = of(owner)
    if found is None or (id and id not in found.entries):
        raise CatalogueError(f"{where}: nothing is called {name!r}")
    return [found.entries[id]] if id else list(found.entries.values())


def _texts(where: str, table: Any) -> dict[str, str]:
    if not isinstance(table, dict):
        raise CatalogueError(f"{where}: a table of names and texts is expected")
    return {name: _text(f"{where}.{name}", text) for name, text in table.items()}


def _text(where: str, text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        raise CatalogueError(f"{where}: the text is empty")
    return text


def _group(stem: str, name: str, table: Any, texts: Mapping[str, str]) -> Group:
    where = f"{stem}.toml: {name}"
    if not isinstance(table, dict):
        raise CatalogueError(f"{where}: a table is expected")
    entries: dict[str, Misconception] = {}
    changes: dict[str, Change] = {}
    for id, row in table.items():
        if id == _ALSO:
            changes |= _changes(where, name, id, {"ways": row})
        elif isinstance(row, dict):
            changes |= _changes(f"{where}.{id}", name, id, row)
            for one in _entries(f"{where}.{id}", id, row, texts):
                if one.id in entries:
                    raise CatalogueError(f"{where}.{id}: {one.id!r} is there twice")
                entries[one.id] = one
        elif id not in _COMPOSITION:
            raise CatalogueError(f"{where}: the key {id!r} is unknown")
    lists = {key: _names(where, key, table.get(key, ())) for key in _COMPOSITION}
    of = lists["of"] or (name,)
    also = tuple(table.get(_ALSO, ()))
    return Group(stem, name, entries, also, changes, of, lists["without"], lists["first"])


def _changes(
    where: str, exercise: str, id: str, row: dict[str, Any]
) -> Iterator[tuple[str, Change]]:
    """What one entry, and those beside it that have names of their own, say of the reference."""
    said = {id: row["instead"]} if "instead" in row else {}
    for key in ("alike", "ways"):
        said |= row[key] if isinstance(row.get(key), dict) else {}
    for name, instead in said.items():
        place = f"{where}: instead of {name}" if name != id else f"{where}: instead"
        if isinstance(instead, str) and instead.endswith(".py"):
            yield name, (Edit(exercise, WHOLE, _body(place, instead)),)
        elif isinstance(instead, str) and "." in instead:
            yield name, instead
        elif isinstance(instead, dict) and instead:
            edits = (_edit(place, exercise, *pair) for pair in instead.items())
            yield name, tuple(edits)
        else:
            reason = "a table of old and new texts, an entry's name or a file's is expected"
            raise CatalogueError(f"{place}: {reason}")


def _edit(where: str, exercise: str, old: str, new: Any) -> Edit:
    if not isinstance(new, str):
        raise CatalogueError(f"{where}: {old!r}: a text is expected")
    elsewhere = _ELSEWHERE.match(old)
    definition = elsewhere[1] if elsewhere else exercise
    return Edit(definition, old[elsewhere.end() :] if elsewhere else old, new)


def _body(where: str, name: str) -> str:
    try:
        return (course().misconceptions / BODIES / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{where}: {name} cannot be read: {error}") from error


def _entries(
    where: str, id: str, row: dict[str, Any], texts: Mapping[str, str]
) -> Iterator[Misconception]:
    """One entry, and those that are alike but for a number."""
    keeps_values = _KEEPS_VALUES in row
    words = _KEEPS_VALUES if keeps_values else "behaviour", "question"
    unknown = row.keys() - _KEYS.union(words)
    if unknown:
        raise CatalogueError(f"{where}: the key {min(unknown)!r} is unknown")
    lists = {key: _names(where, key, _listed(row.get(key, ()))) for key in _LISTS}
    error = row.get("error")
    if error is not None:
        try:
            re.compile(error)
        except (re.error, TypeError) as problem:
            raise CatalogueError(f"{where}: error: {problem}") from problem
    said = []
    for key in words:
        text = _text(f"{where}: {key}", row.get(key))
        try:
            said.append(text.format_map(texts) if "{" in text else text)
        except (KeyError, ValueError, IndexError) as problem:
            raise CatalogueError(f"{where}: {key}: there is no text called {problem}") from problem
    behaviour, question = said
    for each in (id, *lists["alike"]):
        ways, shown = lists["ways"], lists["lets_through"]
        yield Misconception(each, behaviour, question, error, ways, shown, keeps_values)


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, dict) else value


def _names(where: str, key: str, value: Any) -> tuple[str, ...]:
    is_list = isinstance(value, list | tuple)
    if not is_list or not all(isinstance(name, str) and name for name in value):
        raise CatalogueError(f"{where}: {key}: a list of names is expected")
    return tuple(value)
