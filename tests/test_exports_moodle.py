"""Moodle gets marks and feedback of whom it knows beyond doubt."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from grader.candidate.records import Verdict
from grader.curriculum.complaint import Complaint
from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook
from grader.report.exports import Options, remarks
from tests.exported import exported, two_learners
from tests.marked import gradebook, mark, recorded


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return two_learners(tmp_path)


def test_moodle_import_has_grade_and_feedback(small: Path) -> None:
    ann, bob = csv.DictReader(io.StringIO(exported("moodle", small)))
    assert (ann["ID number"], float(ann["Grade"])) == ("ann", 1.0)
    assert "softmax: failed, 0 of 2. It sums over here." in ann["Feedback"]
    assert "With a right attention_scores this one passes" in bob["Feedback"]


def test_moodle_shows_a_learners_words_and_runs_none(tmp_path: Path) -> None:
    words = "<img src=x onerror=alert(1)>"
    gradebook(tmp_path, recorded("ann", [mark(said=words)], [words]))
    (ann,) = csv.DictReader(io.StringIO(exported("moodle", tmp_path)))
    assert "&lt;img src=x" in ann["Feedback"] and "<" not in ann["Feedback"]


WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
    'Participant 11,Ann Berg,a@x.org,Submitted,,10.00,Yes,"Monday, 1 June 2026",-,\n'
    "Participant 12,=Bob,b@x.org,-,,10.00,Yes,-,-,\n"
)


@pytest.mark.parametrize("most", ["Maximum grade", "Maximum Grade"])  # of newer and older Moodles
def test_moodle_worksheet_comes_back_filled(most: str, tmp_path: Path) -> None:
    sheet = WORKSHEET.replace("Maximum grade", most)
    right = [mark(each.name, Verdict.PASSED, each.points) for each in syllabus().exercises]
    gradebook(tmp_path, recorded("Ann Berg_11_assignsubmission_file", right))
    roster = tmp_path / "worksheet.csv"
    roster.write_text(f"\ufeff{sheet}\n", encoding="utf-8")  # with a blank line at its end
    rows = list(csv.reader(io.StringIO(exported("moodle", tmp_path, roster=roster))))
    head, ann, bob = list(csv.reader(io.StringIO(sheet)))
    assert rows[0] == head
    assert rows[2] == bob  # nobody's marks, and Moodle's own cells as they were
    assert float(rows[1][4]) == 10.0  # on the assignment's own scale
    changed = [n for n, (old, new) in enumerate(zip(ann, rows[1], strict=True)) if old != new]
    assert [head[n] for n in changed] == ["Grade", "Feedback comments"]


def test_moodle_worksheet_in_another_language_is_refused(small: Path) -> None:
    roster = small / "worksheet.csv"
    roster.write_text("ID,Vollständiger Name,Bewertung\n", encoding="utf-8")
    with pytest.raises(Complaint, match="set to English"):
        exported("moodle", small, roster=roster)


def listed_in_place_of_rows(folder: Path, roster: Path) -> str:
    """Who is left out, where nobody gets a row."""
    rows = csv.DictReader(io.StringIO(exported("moodle", folder, roster=roster)))
    assert [row["Grade"] for row in rows] == ["", ""]
    with Gradebook.open(folder) as book:
        told = remarks(book, "moodle", Options(roster=roster))[0]
    return told.partition("beyond doubt: ")[2]


def test_moodle_worksheet_takes_no_name_of_two_participants(tmp_path: Path) -> None:
    name = "Ann_11_assignsubmission_file_q_12_assignsubmission_file_softmax"
    gradebook(tmp_path, recorded(name, []))
    roster = tmp_path / "worksheet.csv"
    roster.write_text(WORKSHEET, encoding="utf-8")
    assert listed_in_place_of_rows(tmp_path, roster) == f"{name}."


def test_moodle_worksheet_takes_no_participant_twice(tmp_path: Path) -> None:
    names = ("Ann Berg_11_assignsubmission_file", "Berg Ann_11")
    gradebook(tmp_path, *(recorded(name, []) for name in names))
    roster = tmp_path / "worksheet.csv"
    roster.write_text(WORKSHEET, encoding="utf-8")
    assert "Ann Berg_11_" in listed_in_place_of_rows(tmp_path, roster)


def test_moodle_gives_no_row_by_a_number_alone(tmp_path: Path) -> None:
    names = ("Ann Berg_11", "student12", "Eve_13", "Ada_1_1", "bob")
    gradebook(tmp_path, *(recorded(name, []) for name in names))
    roster = tmp_path / "worksheet.csv"
    more = "Participant 13,Evelyn,e@x.org,-,,10.00,Yes,-,-,\n"
    more += "Participant 1,Ada_1,a@x.org,-,,10.00,Yes,-,-,\n"  # whose name ends like a number
    roster.write_text(WORKSHEET + more, encoding="utf-8")
    rows = csv.DictReader(io.StringIO(exported("moodle", tmp_path, roster=roster)))
    assert [row["Grade"] for row in rows] == ["0.0", "", "", "0.0"]
    with Gradebook.open(tmp_path) as book:
        assert "Eve_13, bob, student12." in remarks(book, "moodle", Options(roster=roster))[0]
        assert "Ada_1_1, Ann Berg_11, Eve_13." in remarks(book, "moodle", Options())[0]
    rows = csv.DictReader(io.StringIO(exported("moodle", tmp_path)))
    assert [row["ID number"] for row in rows] == ["bob", "student12"]
