"""The catalogue is sound, and a data file with a fault is refused by its name and entry."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.course import misconceptions as room
from grader.course.misconceptions.spots import SPOTS
from grader.course.modules.module_subjects import module_subject
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.misconceptions.catalogue import (
    COMMON,
    CatalogueError,
    Group,
    composed,
    group,
    groups,
    misconceptions,
    read,
    told,
    wrong_implementations,
)
from grader.diagnosis.misconceptions.registry import function_subjects
from grader.diagnosis.misconceptions.spotting import Spot

FOLDER = Path(next(iter(room.__path__)))
FILES = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.toml")}
WORDS = 'behaviour = "It does."\nquestion = "Why?"\n'


def parsed(stem: str, text: str) -> dict[str, Group]:
    return groups(stem, read(stem, text.encode()), {})


def test_there_is_one_file_a_chapter() -> None:
    assert set(FILES) == {*syllabus().chapters, COMMON}


@pytest.mark.parametrize("exercise", syllabus().names)
def test_every_exercise_has_misconceptions_with_words_for_learners(exercise: str) -> None:
    found = misconceptions(exercise)
    assert len({one.id for one in found}) == len(found) > 4
    for one in found:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", one.id), one.id
        assert one.explanation.endswith((".", ".)")) and one.question.endswith(("?", ".")), one.id
        assert 20 < len(one.explanation) < 300, one.id


def test_one_mistake_has_one_id() -> None:
    ids: dict[tuple[str, str], set[str]] = {}
    for exercise in syllabus().names:
        for one in misconceptions(exercise):
            ids.setdefault((one.explanation, one.question), set()).add(one.id)
    # Those of one data entry differ by a number or by which of two roles is meant.
    alike = [set(line) for line in _alike()]
    apart = [found for found in ids.values() if len(found) > 1]
    assert [found for found in apart if not any(found <= each for each in alike)] == []


def _alike() -> Iterator[list[str]]:
    for file in FILES.values():
        for table in tomllib.loads(file).values():
            for id, row in table.items():
                if isinstance(row, dict) and "alike" in row:
                    yield [id, *row["alike"]]


def test_every_exercise_that_is_diagnosed_has_them_from_the_catalogue() -> None:
    found = {one.exercise: one.misconceptions for one in function_subjects()}
    found |= {
        one.name: subject.misconceptions
        for one in syllabus().exercises
        for subject in [module_subject(one.name)]
        if subject is not None
    }
    assert found == {name: misconceptions(name) for name in syllabus().names}


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.exercise)
def test_what_is_to_be_found_is_named_in_the_data(spot: Spot) -> None:
    assert [one.mistake for one in spot.wrong] == list(
        wrong_implementations(spot.exercise).values()
    )
    with pytest.raises(CatalogueError, match=r"common\.toml: spots: nothing is called 'softmax'"):
        wrong_implementations("softmax")


def test_a_text_stands_in_one_place() -> None:
    files = [file.partition("\n[spots.")[0] for file in FILES.values()]
    texts = [
        text
        for file in files
        for text in re.findall(r'^(?!instead)\w+ = "([^"{]{12,})"$', file, re.M)
    ]
    assert len(texts) > 1000
    assert {text for text in texts if texts.count(text) > 1} == set()
    shared = re.findall(r"^(\w+) = ", FILES[COMMON].split("[texts]")[1].split("\n[")[0], re.M)
    everything = "".join(FILES.values())
    assert [name for name in shared if f"{{{name}}}" not in everything] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[softmax.a]\nbehaviour = 3\n",
            "04_softmax.toml: softmax.a: behaviour: the text is empty",
        ),
        ('[softmax.a]\nbehaviour = " "\n', "softmax.a: behaviour: the text is empty"),
        ('[softmax.a]\nbehaviour = "It does."\n', "softmax.a: question: the text is empty"),
        (f"[softmax.a]\n{WORDS}colour = 1\n", "softmax.a: the key 'colour' is unknown"),
        (f"[softmax]\nof_all = []\n[softmax.a]\n{WORDS}", "softmax: the key 'of_all' is unknown"),
        (f"[softmacs.a]\n{WORDS}", "softmacs: there is no such exercise in this chapter"),
        (f"[gelu.a]\n{WORDS}", "gelu: there is no such exercise in this chapter"),
        ("softmax = 3\n", "softmax: a table is expected"),
        (f"[softmax.a]\n{WORDS}error = '('\n", "softmax.a: error: "),
        (f"[softmax.a]\n{WORDS}error = 4\n", "softmax.a: error: "),
        (
            f'[softmax.a]\n{WORDS}values_right_but = "it lags."\n',
            "softmax.a: the key 'behaviour' is unknown",
        ),
        (f'[softmax.a]\n{WORDS}ways = "b"\n', "softmax.a: ways: a list of names"),
        (f"[softmax.a]\n{WORDS}lets_through = 1\n", "softmax.a: lets_through: a list of names"),
        (f"[softmax.a]\n{WORDS}ways = [1]\n", "softmax.a: ways: a list of names"),
        (f'[softmax.a]\n{WORDS}alike = ["b"]\n[softmax.b]\n{WORDS}', "'b' is there twice"),
        (
            f"[softmax.a]\n{WORDS.replace('Why', '{why}')}",
            "question: there is no text called 'why'",
        ),
        (f"[softmax.a]\n{WORDS.replace('Why', '{')}", "softmax.a: question: "),
        (f'[texts]\nwhy = ""\n[softmax.a]\n{WORDS}', "texts.why: the text is empty"),
        (f'[texts]\nwhy = "Why?"\n[softmax.a]\n{WORDS}', "texts.why: nothing says it"),
        ("[softmax.a\n", "04_softmax.toml: "),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(CatalogueError, match=re.escape(message)):
        parsed("04_softmax", text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f'[softmax]\nof = ["gelus"]\n[softmax.a]\n{WORDS}',
            "04_softmax.toml: softmax: nothing is",
        ),
        (f'[softmax]\nof = ["gelu.a"]\n[softmax.a]\n{WORDS}', "nothing is called 'gelu.a'"),
        (f'[softmax]\nwithout = ["b"]\n[softmax.a]\n{WORDS}', "without: nothing is called 'b'"),
        (f'[softmax]\nfirst = ["b"]\n[softmax.a]\n{WORDS}', "first: nothing is called 'b'"),
    ],
)
def test_an_exercise_made_of_what_is_not_there_is_refused(text: str, message: str) -> None:
    own = parsed("04_softmax", text)["softmax"]
    with pytest.raises(CatalogueError, match=re.escape(message)):
        composed(own, lambda name: own if name == "softmax" else group(name))


def test_a_file_that_is_no_text_is_refused_by_name() -> None:
    with pytest.raises(CatalogueError, match=r"04_softmax\.toml: .*utf-8"):
        read("04_softmax", 'behaviour = "Größe"'.encode("latin-1"))


def test_what_an_exercise_is_made_of() -> None:
    text = (
        '[softmax]\nof = ["masked_softmax", "softmax", "gelu.exact"]\nwithout = ["c"]\n'
        'first = ["d"]\n[softmax.b]\nbehaviour = "Mine."\nquestion = "{why}"\nalike = ["c", "d"]\n'
        f"[masked_softmax.a]\n{WORDS}[masked_softmax.b]\n{WORDS}"
    )
    named = groups("04_softmax", read("04_softmax", text.encode()), {"why": "Why, then?"})
    named |= parsed("06_feed_forward", f"[gelu.exact]\n{WORDS}[gelu.other]\n{WORDS}")
    found = composed(named["softmax"], named.get)
    assert [(one.id, one.explanation, one.question) for one in found] == [
        ("d", "Mine.", "Why, then?"),
        ("a", "It does.", "Why?"),
        ("b", "Mine.", "Why, then?"),  # the later words, at the earlier place
        ("exact", "It does.", "Why?"),
    ]


def test_values_are_told_to_be_right_where_no_mistake_makes_them_wrong() -> None:
    late = '[softmax.late]\nvalues_right_but = "it lags."\nquestion = "When?"\n'
    own = parsed("04_softmax", f"[softmax.off]\n{WORDS}{late}")["softmax"].entries
    alone, both = told([own["late"]]), told([own["off"], own["late"]])
    assert [one.explanation for one in alone] == ["The values are right, but it lags."]
    assert [one.explanation for one in both] == ["It does.", "It lags."]


def test_the_command_lists_them() -> None:
    counts = CliRunner().invoke(app, ["misconceptions"])
    assert f"{len(misconceptions('softmax'))}  softmax\n" in counts.output
    listed = CliRunner().invoke(app, ["misconceptions", "softmax"])
    assert all(one.question in listed.output for one in misconceptions("softmax"))
    assert CliRunner().invoke(app, ["misconceptions", "softmacs"]).exit_code == 2


@pytest.mark.parametrize(
    ("right", "fault", "command", "message"),
    [
        ("behaviour =", "behavior =", [], "softmax.no_shift: the key 'behavior' is unknown"),
        (
            'lets_through = ["bools_misread"]',
            'lets_through = ["bools_forgotten"]',
            ["add", "softmax", "softmax.py"],
            "spot_softmax.no_bools: lets_through: nothing of spots is called 'bools_forgotten'",
        ),
    ],
    ids=["a key", "a name"],
)
def test_a_command_stops_at_a_file_with_a_fault(
    tmp_path: Path, right: str, fault: str, command: list[str], message: str
) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(FOLDER.parents[1], tmp_path / "grader", ignore=ignored)
    file = tmp_path / "grader" / "course" / "misconceptions" / "04_softmax.toml"
    file.write_text(file.read_text(encoding="utf-8").replace(right, fault, 1))
    (tmp_path / "softmax.py").write_text("def softmax(x, dim):\n    return x\n")
    line = [sys.executable, "-m", "grader", "misconceptions", *command]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"04_softmax.toml: {message}" in done.stderr
