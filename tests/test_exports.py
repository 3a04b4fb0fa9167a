"""Tables and JUnit files are read back by the rules of what imports them, hostile names too."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import defusedxml.ElementTree
import pytest

from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook
from grader.report.exports import FORMS, Options, remarks
from tests.exported import MAX_POINTS, exported, two_learners
from tests.marked import HOSTILE, gradebook, hostile_class, recorded

FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return two_learners(tmp_path)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return hostile_class(tmp_path)


def test_csv_is_a_row_for_each_learner(small: Path) -> None:
    ann, bob = csv.DictReader(io.StringIO(exported("csv", small)))
    assert (ann["learner"], float(ann["points"])) == ("ann", 1)
    assert float(ann["max_points"]) == MAX_POINTS
    assert (float(ann["softmax"]), ann["softmax verdict"]) == (0, "failed")
    assert (float(bob["softmax"]), bob["softmax verdict"]) == (2, "passed")


@pytest.mark.parametrize("form", ["csv", "canvas", "moodle"])
def test_a_login_that_is_a_number_with_a_sign_comes_back_as_it_is(
    form: str, tmp_path: Path
) -> None:
    gradebook(tmp_path, recorded("+491", []))
    *_, row = csv.reader(io.StringIO(exported(form, tmp_path)))
    assert row[0] == "+491"


@pytest.mark.parametrize("form", ["csv", "canvas", "moodle"])
def test_no_cell_of_a_hostile_class_is_a_formula(hostile: Path, form: str) -> None:
    rows = list(csv.reader(io.StringIO(exported(form, hostile), newline=""), strict=True))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) == len(HOSTILE) + (2 if form == "canvas" else 1)
    for row in rows:
        for cell in row:
            if not re.fullmatch(r"[+-]?[\d.]+", cell):
                assert not cell.lstrip(" \n").startswith(FORMULA), ascii(cell)
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", cell)


def test_no_two_learners_come_out_under_one_name_unless_that_is_told(tmp_path: Path) -> None:
    names = ["=a", "'=a", "''=a", "-1", "'-1", "b\x1bc", "b\\x1bc", "d\ne", "d\\ne"]
    gradebook(tmp_path, *(recorded(name, []) for name in names))
    with Gradebook.open(tmp_path) as book:
        told = {name for group in book.standing().alike for name in group}
    assert told == {"b\x1bc", "b\\x1bc", "d\ne", "d\\ne"}
    for form in ("csv", "moodle"):
        _, *rows = csv.reader(io.StringIO(exported(form, tmp_path)))
        assert len({row[0] for row in rows}) == len(names) - len(told) / 2


def test_a_row_in_doubt_is_nobodys_and_all_others_are_written(tmp_path: Path) -> None:
    twice = "Ann_11_assignsubmission_file_q_12_assignsubmission_file_softmax"
    gradebook(tmp_path, *(recorded(name, []) for name in ("Aaa", "Zoe, B", "zoe", twice)))
    roster = tmp_path / "roster.csv"
    head, zoe = "Student,ID,SIS User ID,SIS Login ID,Section", '"Zoe, B",101,u1,zoe,A'
    roster.write_text(f"{head}\nA,100,u0,Aaa,A\n{zoe}\n", encoding="utf-8")
    for form, given, written, told in (
        ("moodle", None, {"Aaa", "Zoe, B", "zoe"}, f"{twice}."),
        ("canvas", roster, {"A"}, f"{twice}, Zoe, B, zoe."),
    ):
        rows = list(csv.reader(io.StringIO(exported(form, tmp_path, roster=given))))
        assert {row[0] for row in rows[2 if given else 1 :]} == written
        with Gradebook.open(tmp_path) as book:
            assert told in remarks(book, form, Options(roster=given))[0]


@pytest.mark.parametrize("kind", ["small", "hostile"])
def test_junit_reads_as_pytest_writes_it(kind: str, request: pytest.FixtureRequest) -> None:
    text = exported("junit", request.getfixturevalue(kind))
    root = defusedxml.ElementTree.fromstring(text.encode("utf-8"))
    assert root.tag == "testsuites"
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests", "")) == len(cases)
        for tag in ("failure", "error", "skipped"):
            counted = suite.get("skipped" if tag == "skipped" else f"{tag}s", "")
            assert int(counted) == len(suite.findall(f"testcase/{tag}"))
        facts = {p.get("name"): p.get("value") for p in suite.findall("properties/property")}
        assert float(facts["max_points"] or "") == MAX_POINTS
        won = sum(float(facts[f"{name}.points"] or "") for name in syllabus().names)
        assert float(facts["points"] or "") == won
    names = [suite.get("name") for suite in root]
    assert len(set(names)) == (2 if kind == "small" else len(HOSTILE))


def test_every_form_is_named_here() -> None:
    here = Path(__file__)
    tested = "".join(each.read_text("utf-8") for each in here.parent.glob(f"{here.stem}*.py"))
    assert all(f'"{form}"' in tested for form in FORMS)
