"""Says which files are copies of one notebook with other answers in them; decides for none."""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence

from ..handed_in.file_names import copied_from, printable, put_back, without_added
from .definitions import Notebook, Offers
from .notebooks import Notebooks

# What systems and people add to the name of a copy: `04 (1).ipynb`, `04-Copy1.ipynb`, `04_final`.
_ADDED = re.compile(
    r"[ _-]*(?:\(\d+\)|(?:copy|kopie|copia|copie)\d*|(?<=[ _-])v?\d|(?:final|new|old|neu|alt))$"
)
_IN_FRONT = re.compile(r"\d_(?=\d\d)")  # by `grader arrange`, where one name came twice
_CHAPTER = re.compile(r"\d\d")
_NAMED = 5  # exercises


def copies(names: Sequence[str]) -> dict[int, list[int]]:
    """The places of names that only what is added to copies tells apart, by each of the places.

    Names that do not begin with a chapter's number are alike, and so are those of two folders.
    """
    alike: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        alike.setdefault(_original(name), []).append(index)
    return {index: rest for rest in alike.values() if len(rest) > 1 for index in rest}


def answered_twice(
    notebooks: Notebooks, alike: Mapping[int, Sequence[int]], exercises: Iterable[str]
) -> list[str]:
    """A line for each copy, and for each file that its name alone puts behind another, whose
    answers differ from those that count.
    """
    found: dict[tuple[int, int], list[str]] = {}
    for name in sorted(exercises):
        home = notebooks.home(name)
        if home is None:
            continue
        for index in sorted({*alike.get(home, ()), *notebooks.rivals(name)} - {home}):
            if _differ(notebooks[index], notebooks[home], name):
                found.setdefault((index, home), []).append(name)
    said = []
    for (index, home), names in found.items():
        more = " and others" if len(names) > _NAMED else ""
        copy, counts = printable(notebooks[index].name), printable(notebooks[home].name)
        said.append(
            f"{copy}: answers {', '.join(names[:_NAMED])}{more} otherwise than {counts}, which "
            "counts; leave the one that is meant, and take the other away"
        )
    return said


def _original(name: str) -> str:
    """The name without folders, its suffix and what was added to tell copies apart."""
    own = copied_from(without_added(name)).rpartition("/")[2]
    stem, before = own.rpartition(".")[0].casefold(), ""
    if in_front := _IN_FRONT.match(stem):
        stem = stem[in_front.end() :]
    if not _CHAPTER.match(stem):
        return ""
    while stem != before:
        before, stem = stem, put_back(_ADDED.sub("", stem))
    return stem


def _differ(one: Notebook, other: Notebook, exercise: str) -> bool:
    answers = []
    for notebook in (one, other):
        if notebook.standing(exercise) is not Offers.ANSWER:
            return False
        nodes = (notebook.statements[place].node for place in notebook.definition(exercise))
        answers.append([ast.dump(node) for node in nodes])
    return answers[0] != answers[1]
