"""Canvas gets marks of whom it knows beyond doubt."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from grader.candidate.records import Verdict
from grader.curriculum.complaint import Complaint
from grader.gradebook.store import Gradebook
from grader.report.exports import Options, remarks
from tests.command import grader
from tests.exported import MAX_POINTS, exported, two_learners
from tests.marked import gradebook, mark, recorded


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return two_learners(tmp_path)


def canvas_import(text: str) -> dict[str, float]:
    """Scores by what Canvas would match: ID, then SIS user ID, then login, then name."""
    head, *rows = csv.reader(io.StringIO(text))
    assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert len(head) == 6  # one assignment
    possible, *rows = rows
    assert possible[0] == "    Points Possible" and float(possible[5]) == MAX_POINTS
    return {row[1] or row[2] or row[3] or row[0]: float(row[5]) for row in rows}


def test_canvas_takes_a_login(small: Path) -> None:
    text = exported("canvas", small, title="Course (77)")
    assert text.splitlines()[0].endswith("Section,Course (77)")
    assert canvas_import(text) == {"ann": 1.0, "bob": 2.0}


def test_canvas_keeps_the_scale_that_its_column_has(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("ann", [mark("softmax", Verdict.PASSED, 2.0)]))
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,Course (77)\n"
        "    Points Possible,,,,,50\nAnn,4,,ann,,\n"
    )
    text = exported("canvas", tmp_path, roster=roster, title="Course (77)")
    own = list(csv.reader(io.StringIO(text)))
    assert float(own[1][5]) == 50 and float(own[2][5]) == round(2 * 50 / MAX_POINTS, 2)
    other = list(csv.reader(io.StringIO(exported("canvas", tmp_path, roster=roster))))
    assert float(other[1][5]) == MAX_POINTS and float(other[2][5]) == 2.0  # of another title


COLUMNS = [
    (["--title", "Course (77)"], ""),
    (["--title", "Course (77)", "--out-of", "50"], ""),
    (
        ["--title", "Course (77)", "--out-of", "20"],
        "out of 20 here (--out-of), and 'Course (77)' ha",
    ),
    (
        ["--title", "Course"],
        "no column 'Course' (--title), which Canvas takes for a new assignment; ",
    ),
    ([], "one of these may be meant: Course (77), Quiz (8)."),
]


@pytest.mark.parametrize(("options", "told"), COLUMNS)
def test_what_is_not_as_the_column_in_canvas_is_said(
    options: list[str], told: str, small: Path
) -> None:
    roster = small / "roster.csv"
    roster.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,Course (77),Quiz (8)\n"
        "    Points Possible,,,,,50,5\nAnn,4,,ann,,,\nBob,5,,bob,,,\n"
    )
    done = grader("export", "canvas", small, "--roster", roster, *options)
    assert done.returncode == 0 and (told in done.stderr if told else not done.stderr)


def test_canvas_takes_its_own_roster(small: Path) -> None:
    roster = small / "roster.csv"
    roster.write_text(
        "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Other\n"
        '"Berg, Ann",101,u1,ann,A,\n"bob",102,u2,bobby,A,\n',
        encoding="utf-8",
    )
    assert canvas_import(exported("canvas", small, roster=roster)) == {"101": 1.0, "102": 2.0}
    roster.write_text("Name,Points\n")
    with pytest.raises(Complaint, match="no gradebook of Canvas"):
        exported("canvas", small, roster=roster)


def test_canvas_gives_nobodys_points_to_who_is_called_like_their_login(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("jdoe", [mark()]), recorded("ann", [mark()]))
    roster = tmp_path / "roster.csv"
    head = "Student,ID,SIS User ID,SIS Login ID,Section\n"
    roster.write_text(f"{head}John Doe,1,,jdoe@u.edu,1\njdoe,2,,mallory,1\nann,3,,ann@u.edu,1\n")
    rows = list(csv.reader(io.StringIO(exported("canvas", tmp_path, roster=roster))))
    assert [row[1] for row in rows[2:]] == ["3"]


def test_canvas_gives_no_row_of_its_roster_twice(tmp_path: Path) -> None:
    gradebook(tmp_path, *(recorded(name, []) for name in ("ann", "Berg, Ann", "carl")))
    roster = tmp_path / "roster.csv"
    roster.write_text('Student,ID,SIS User ID,SIS Login ID,Section\n"Berg, Ann",101,u1,ann,A\n')
    roster.write_text(f'{roster.read_text()}"Carl",102,u2,carl,A\n')
    assert canvas_import(exported("canvas", tmp_path, roster=roster)) == {"102": 0.0}
    with Gradebook.open(tmp_path) as book:
        told = remarks(book, "canvas", Options(roster=roster))[0]
    assert "no row of the roster is theirs beyond doubt: Berg, Ann, ann." in told


def test_no_platforms_number_stands_for_a_login(tmp_path: Path) -> None:
    """1234 is somebody's login, another's number in Canvas, and a third is not in the roster."""
    gradebook(tmp_path, *(recorded(name, []) for name in ("1234", "Canvas user 1234", "zoe")))
    assert set(canvas_import(exported("canvas", tmp_path))) == {"1234", "zoe"}
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\nA,1234,,ada,\nB,77,,1234,\n", encoding="utf-8"
    )
    text = exported("canvas", tmp_path, roster=roster)
    assert set(canvas_import(text)) == {"1234", "77"}
    rows = {row[3]: row[1] for row in csv.reader(io.StringIO(text))}
    assert rows["ada"] == "1234" and rows["1234"] == "77"
    with Gradebook.open(tmp_path) as book:
        told = " ".join(remarks(book, "canvas", Options(roster=roster)))
        assert "no row of the roster is theirs beyond doubt: zoe." in told
        assert "by a number alone" in remarks(book, "canvas", Options())[0]


def test_canvas_knows_a_name_however_its_accents_are_encoded(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("Zoe\u0301", []))
    roster = tmp_path / "roster.csv"
    roster.write_text("Student,ID\nZo\u00e9,7\n", encoding="utf-8")
    assert canvas_import(exported("canvas", tmp_path, roster=roster)) == {"7": 0.0}
