"""The gradebook keeps what it was given, wholly or not at all, and says plainly what stops it."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from grader.candidate.records import Doubt, Verdict
from grader.curriculum.syllabus import syllabus
from grader.gradebook.database import FILE
from grader.gradebook.store import Gradebook, GradebookError
from tests.marked import HOSTILE, gradebook, mark, recorded

ORDER = syllabus().names


def test_gives_back_what_was_recorded_in_order_of_names(tmp_path: Path) -> None:
    marks = [mark(verdict=Verdict.PARTIAL, points=1.5, carried=("attention_scores",))]
    gradebook(tmp_path, recorded("b", marks, ["not read"]), recorded("B", []), recorded("a", []))
    with Gradebook.open(tmp_path) as book:
        found = list(book.submissions())
    assert [each.learner for each in found] == ["B", "a", "b"]
    assert found[2].points == 1.5
    assert found[2].problems == ("not read",)
    assert [each.name for each in found[2].marks] == list(ORDER)
    assert next(each for each in found[2].marks if each.name == "softmax") == marks[0]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_keeps_every_text(tmp_path: Path, name: str) -> None:
    text = name.encode("utf-8", "backslashreplace").decode()
    gradebook(tmp_path, recorded(text, [mark(said=name)], [name]))
    with Gradebook.open(tmp_path) as book:
        [found] = book.submissions()
    assert (found.learner, found.problems) == (text, (text,))
    softmax = next(each for each in found.marks if each.name == "softmax")
    assert softmax.message == text


def test_leaves_one_plain_file(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("ann", []))
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_records_again_what_changed_and_keeps_the_rest(tmp_path: Path) -> None:
    first = recorded("ann", [mark(), mark("attention_scores", Verdict.PASSED, 2.0)])
    again = recorded("ann", [mark(verdict=Verdict.PASSED, points=2.0)])
    [changed] = [entry for entry in again.entries if entry.mark.name == "softmax"]
    kept = dict.fromkeys((name for name in ORDER if name not in ("softmax", "gelu")), "an answer")
    with Gradebook.create(tmp_path) as book:
        book.record(first, ORDER)
        book.record(
            type(first)("ann", "new", "new", True, (), (changed,), kept),
            ORDER,
        )
        known, found = book.known("ann"), book.submission("ann")
    assert known is not None and found is not None
    assert (known.content, known.settings) == ("new", "new")
    assert found.points == 4.0
    assert "gelu" not in known.keys  # neither new nor kept: the course has dropped it


def test_keeps_what_many_learners_share_once(tmp_path: Path) -> None:
    marks = [mark(name, said="the same for all") for name in ORDER]
    alone = gradebook(tmp_path / "one", recorded("0000", marks)) / FILE
    many = gradebook(tmp_path / "many", *(recorded(f"{n:04}", marks) for n in range(50))) / FILE
    assert many.stat().st_size < 4 * alone.stat().st_size
    with Gradebook.open(many) as book:
        assert all(list(each.marks) == marks for each in book.submissions())


def test_forgets_marks_that_nobody_has_any_more(tmp_path: Path) -> None:
    with Gradebook.create(tmp_path) as book:
        for said in ("long ago" * 10_000, "now"):
            book.begin("class", ["ann"], others="absent")
            book.record(recorded("ann", [mark(said=said)]), ORDER)
            book.finish("class", is_class=True)
        book.fold()
    assert b"long ago" * 100 not in (tmp_path / FILE).read_bytes()


def test_tells_who_is_absent_and_gives_them_only_when_asked(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("ann", []), recorded("bob", []))
    with Gradebook.create(tmp_path) as book:
        book.begin("class", ["bob", "cem"], others="absent")
        assert not book.standing().is_complete
        book.finish("class", is_class=True)
        assert (book.count(), list(book.learners())) == (2, ["bob"])
        assert (book.standing().absent, book.submission("ann")) == (("ann",), None)
    with Gradebook.open(tmp_path, include_absent=True) as book:
        assert {each.learner: each.doubts for each in book.submissions()} == {
            "ann": (Doubt.ABSENT,),
            "bob": (),
        }
    with Gradebook.create(tmp_path) as book:  # handed in again
        book.begin("class", ["ann", "bob"], others="absent")
        assert list(book.learners()) == ["ann", "bob"]


def test_a_run_over_one_file_leaves_a_killed_run_over_the_class_unfinished(tmp_path: Path) -> None:
    with Gradebook.create(tmp_path) as book:
        book.begin("class", ["ann", "bob"], others="absent")  # and is killed
        book.begin("class/ann.py", ["ann"], others="as before")
        book.finish("class/ann.py", is_class=False)
        assert book.standing().unfinished == ("class",)
        book.begin("class", ["ann", "bob"], others="absent")
        book.finish("class", is_class=True)
        assert book.standing().is_complete


@pytest.mark.parametrize(
    ("learners", "alike"),
    [
        (["ann", "bob"], []),
        (["ann.ipynb", "ann.py", "bob"], [("ann.ipynb", "ann.py")]),
        (["ann.zip", "ann/"], [("ann.zip", "ann/")]),
        (["Ann", "ann"], [("Ann", "ann")]),
        (["cafe\u0301", "caf\u00e9"], [("cafe\u0301", "caf\u00e9")]),
        (["ada", "a\u200bda\u202e"], [("ada", "a\u200bda\u202e")]),
        (["ada b", "ada\xa0 b"], [("ada b", "ada\xa0 b")]),
        (["STRASSE", "straße.py"], [("STRASSE", "straße.py")]),
        (["v1.5", "v1"], []),
    ],
)
def test_tells_whose_names_may_be_taken_for_one(
    tmp_path: Path, learners: list[str], alike: list[tuple[str, ...]]
) -> None:
    gradebook(tmp_path, *(recorded(learner, []) for learner in learners))
    with Gradebook.open(tmp_path) as book:
        assert list(book.standing().alike) == alike


_WRITES = """
import sys
from pathlib import Path
from grader.gradebook.store import Gradebook
from grader.curriculum.syllabus import syllabus
from tests.marked import mark, recorded
with Gradebook.create(Path(sys.argv[1])) as book:
    for number in range(10**6):
        book.record(recorded(f"{number:06}", [mark()]), syllabus().names)
        print(number, flush=True)
"""


@pytest.mark.parametrize("moment", [1, 7, 40])
def test_a_killed_writer_loses_nothing_it_recorded(tmp_path: Path, moment: int) -> None:
    line = [sys.executable, "-c", _WRITES, str(tmp_path)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(moment):
            said = writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
    with Gradebook.create(tmp_path) as book:
        found = list(book.submissions())
    assert len(found) >= int(said) + 1
    assert all(len(each.marks) == len(ORDER) for each in found)  # each wholly or not at all


def test_says_that_another_program_holds_it(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("ann", []))
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(GradebookError, match="locked by another program") as caught:
        Gradebook.create(tmp_path, patience=0.05)
    assert caught.value.passing
    other.close()
    with Gradebook.create(tmp_path, patience=0.05) as book:
        assert book.count() == 1


@pytest.mark.parametrize(("version", "said"), [(99, "newer grader"), (1, "older grader")])
def test_refuses_the_gradebook_of_another_grader_and_leaves_it(
    tmp_path: Path, version: int, said: str
) -> None:
    gradebook(tmp_path, recorded("ann", []))
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = (tmp_path / FILE).read_bytes()
    for opening in (Gradebook.create, Gradebook.open):
        with pytest.raises(GradebookError, match=said):
            opening(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100], ids=["empty", "text"])
def test_refuses_to_read_what_is_no_gradebook(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(GradebookError, match="is no gradebook"):
        Gradebook.open(tmp_path)


def test_refuses_to_write_into_somebody_elses_database(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("CREATE TABLE photographs (name TEXT)")
    connection.close()
    with pytest.raises(GradebookError, match="is no gradebook"):
        Gradebook.create(tmp_path)


def test_says_that_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(GradebookError, match="holds no gradebook"):
        Gradebook.open(tmp_path)


def _enclosed(*more: str) -> list[str]:
    """bubblewrap, for a file system of a test's own."""
    return ["bwrap", "--dev-bind", "/", "/", *more, sys.executable]


_needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap")


@pytest.mark.isolation
@_needs_bubblewrap
def test_says_that_the_file_system_is_read_only(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("ann", [mark()]))
    code = (
        "import sys; from pathlib import Path; from grader.gradebook.store import *\n"
        "print(Gradebook.open(Path(sys.argv[1])).count())\n"
        "try: Gradebook.create(Path(sys.argv[1]))\n"
        "except GradebookError as error: print(error)"
    )
    line = _enclosed("--ro-bind", str(tmp_path), str(tmp_path))
    done = subprocess.run([*line, "-c", code, str(tmp_path)], capture_output=True, text=True)
    said, refused = done.stdout.splitlines()
    assert said == "1"  # reading is possible
    assert "may not be written" in refused


_FILLS = """
import sys
from pathlib import Path
from grader.gradebook.store import Gradebook, GradebookError
from grader.curriculum.syllabus import syllabus
from tests.marked import mark, recorded
folder, order = Path(sys.argv[1]), syllabus().names
filler = folder / "filler"
filler.write_bytes(bytes(1_000_000))
stopped = None
with Gradebook.create(folder) as book:
    for number in range(10**6):
        try:
            book.record(recorded(f"{number:06}", [mark(said="x" * 5_000)]), order)
        except GradebookError as error:
            print(error.passing, error)
            stopped = number
            break
    filler.unlink()
    book.record(recorded(f"{stopped:06}", [mark()]), order)  # as after `make room`
with Gradebook.create(folder) as book:
    found = list(book.submissions())
print(stopped + 1, len(found), {len(each.marks) for each in found})
"""


@pytest.mark.isolation
@_needs_bubblewrap
def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    line = _enclosed("--size", "2500000", "--tmpfs", str(tmp_path))
    done = subprocess.run([*line, "-c", _FILLS, str(tmp_path)], capture_output=True, text=True)
    refused, counted = done.stdout.splitlines()
    assert refused.startswith("True ") and "make room" in refused
    number, *found = counted.split(maxsplit=2)
    assert int(number) > 1
    assert found == [number, f"{{{len(ORDER)}}}"]
