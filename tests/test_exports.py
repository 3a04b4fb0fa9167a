"""Every export is read back here by the rules of what imports it."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import defusedxml.ElementTree
import jsonschema
import pytest

from grader.candidate.records import Verdict
from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook
from grader.report.exports import FORMS, ExportError, Incomplete, Options, export, remarks
from tests.marked import HOSTILE, gradebook, hostile_class, mark, recorded

MAX_POINTS = sum(exercise.points for exercise in syllabus().exercises)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def exported(form: str, folder: Path, **options: Any) -> str:
    out = io.StringIO()
    with Gradebook.open(folder) as book:
        export(form, book, out, Options(**options))
    out.getvalue().encode("utf-8")  # whatever was handed in, it is text
    return out.getvalue()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Two learners: one with a wrong softmax, one who has it right and nothing else."""
    return gradebook(
        tmp_path,
        recorded("ann", [mark(said="here"), mark("causal_mask", Verdict.PASSED, 1.0)]),
        recorded("bob", [mark(verdict=Verdict.PASSED, points=2.0, carried=("attention_scores",))]),
    )


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return hostile_class(tmp_path)


_TEXT, _NUMBER = {"type": "string"}, {"type": "number"}


def _object(**properties: Any) -> dict[str, Any]:
    required = list(properties)
    schema = {"type": "object", "properties": properties, "required": required}
    return {**schema, "additionalProperties": False}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


LOCATION = _object(
    kind={"enum": ["departs", "raised"]},
    cell=_TEXT,
    line={"type": "integer"},
    source=_TEXT,
    message=_TEXT,
)


def _optional(whole: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**whole, "properties": {**whole["properties"], **more}}


MARKS_V1 = _object(
    schema={"const": "grader/marks/v1"},
    submissions=_list(
        _optional(
            _object(
                learner=_TEXT,
                points=_NUMBER,
                max_points=_NUMBER,
                exercises=_list(
                    _optional(
                        _object(
                            name={"enum": list(syllabus().names)},
                            chapter={"enum": list(syllabus().chapters)},
                            verdict={"enum": [str(verdict) for verdict in Verdict]},
                            points=_NUMBER,
                            max_points=_NUMBER,
                            checks=_list(
                                _object(
                                    title=_TEXT,
                                    outcome={"enum": ["passed", "failed", "error", "blocked"]},
                                    message=_TEXT,
                                )
                            ),
                            diagnosis=_list(_object(id=_TEXT, explanation=_TEXT, question=_TEXT)),
                            carried=_list(_TEXT),
                            way={"enum": ["exercise", "notebook"]},
                        ),
                        location=LOCATION,
                    )
                ),
            ),
            problems=_list(_TEXT),
        )
    ),
)


def test_json_follows_its_schema(small: Path, tmp_path: Path) -> None:
    read = json.loads(exported("json", small))
    jsonschema.validate(read, MARKS_V1)
    ann, bob = read["submissions"]
    assert (ann["learner"], ann["points"], ann["max_points"]) == ("ann", 1.0, MAX_POINTS)
    assert [each["name"] for each in ann["exercises"]] == list(syllabus().names)
    softmax = {each["name"]: each for each in ann["exercises"]}["softmax"]
    assert softmax["verdict"] == "failed"
    assert softmax["checks"][1] == {
        "title": "Values: here",
        "outcome": "failed",
        "message": "here",
    }
    assert softmax["diagnosis"][0]["id"] == "last_dim"
    assert {each["name"]: each for each in bob["exercises"]}["softmax"]["carried"] == [
        "attention_scores"
    ]


def test_json_says_why_nothing_could_be_checked(tmp_path: Path) -> None:
    full = mark(verdict=Verdict.ERROR, said="cell 3 does not parse")
    bare = type(full)(**{**vars(full), "checks": ()})
    read = json.loads(exported("json", gradebook(tmp_path, recorded("ann", [bare]))))
    jsonschema.validate(read, MARKS_V1)
    [softmax] = [e for e in read["submissions"][0]["exercises"] if e["name"] == "softmax"]
    assert softmax["checks"] == [
        {"title": "The checks can run.", "outcome": "error", "message": "cell 3 does not parse"}
    ]


def test_json_of_a_hostile_class_is_ascii_and_whole(hostile: Path) -> None:
    text = exported("json", hostile)
    assert text.isascii() and not re.search("[\x00-\x09\x0b-\x1f\x7f]", text)
    read = json.loads(text)
    jsonschema.validate(read, MARKS_V1)
    learners = [each["learner"] for each in read["submissions"]]
    assert len(set(learners)) == len(HOSTILE)
    assert learners == sorted(learners)


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


def test_canvas_takes_its_own_roster(small: Path) -> None:
    roster = small / "roster.csv"
    roster.write_text(
        "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Other\n"
        '"Berg, Ann",101,u1,ann,A,\n"bob",102,u2,bobby,A,\n',
        encoding="utf-8",
    )
    assert canvas_import(exported("canvas", small, roster=roster)) == {"101": 1.0, "102": 2.0}
    roster.write_text("Name,Points\n")
    with pytest.raises(ExportError, match="no gradebook of Canvas"):
        exported("canvas", small, roster=roster)


def test_canvas_gives_nobodys_points_to_who_is_called_like_their_login(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("jdoe", [mark()]), recorded("ann", [mark()]))
    roster = tmp_path / "roster.csv"
    head = "Student,ID,SIS User ID,SIS Login ID,Section\n"
    roster.write_text(f"{head}John Doe,1,,jdoe@u.edu,1\njdoe,2,,mallory,1\nann,3,,ann@u.edu,1\n")
    rows = list(csv.reader(io.StringIO(exported("canvas", tmp_path, roster=roster))))
    assert [row[1] for row in rows[2:]] == ["3"]


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
    roster.write_text("\ufeff" + sheet, encoding="utf-8")
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
    with pytest.raises(ExportError, match="set to English"):
        exported("moodle", small, roster=roster)


def test_moodle_worksheet_takes_no_name_of_two_participants(tmp_path: Path) -> None:
    name = "Ann_11_assignsubmission_file_q_12_assignsubmission_file_softmax"
    gradebook(tmp_path, recorded(name, []))
    roster = tmp_path / "worksheet.csv"
    roster.write_text(WORKSHEET, encoding="utf-8")
    with pytest.raises(ExportError, match="may be participant 11 or 12: rename"):
        exported("moodle", tmp_path, roster=roster)


def test_moodle_worksheet_takes_no_participant_twice(tmp_path: Path) -> None:
    gradebook(tmp_path, *(recorded(f"{n}_11_assignsubmission_file", []) for n in ("Ann", "Bob")))
    roster = tmp_path / "worksheet.csv"
    roster.write_text(WORKSHEET, encoding="utf-8")
    with pytest.raises(ExportError, match=r"Ann_11.* and Bob_11.* are both participant 11"):
        exported("moodle", tmp_path, roster=roster)


def test_a_table_with_a_row_in_doubt_is_not_begun(tmp_path: Path) -> None:
    twice = "Ann_11_assignsubmission_file_q_12_assignsubmission_file_softmax"
    gradebook(tmp_path, *(recorded(name, []) for name in ("Aaa", "Zoe, B", "zoe", twice)))
    roster = tmp_path / "roster.csv"
    head, zoe = "Student,ID,SIS User ID,SIS Login ID,Section", '"Zoe, B",101,u1,zoe,A'
    roster.write_text(f"{head}\nA,100,u0,Aaa,A\n{zoe}\n", encoding="utf-8")
    for form, options in (("moodle", Options()), ("canvas", Options(roster=roster))):
        out = io.StringIO()
        with Gradebook.open(tmp_path) as book, pytest.raises(ExportError):
            export(form, book, out, options)
        assert out.getvalue() == "", form


def test_canvas_gives_no_row_of_its_roster_twice(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("ann", []), recorded("Berg, Ann", []))
    roster = tmp_path / "roster.csv"
    roster.write_text('Student,ID,SIS User ID,SIS Login ID,Section\n"Berg, Ann",101,u1,ann,A\n')
    with pytest.raises(ExportError, match="Berg, Ann and ann are one row"):
        exported("canvas", tmp_path, roster=roster)


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


def test_canvas_knows_a_name_however_its_accents_are_encoded(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("Zoe\u0301", []))
    roster = tmp_path / "roster.csv"
    roster.write_text("Student,ID\nZo\u00e9,7\n", encoding="utf-8")
    assert canvas_import(exported("canvas", tmp_path, roster=roster)) == {"7": 0.0}


@pytest.fixture
def doubtful(small: Path) -> Path:
    """The small class where ann was not found, and the grader has failed on cem."""
    missing = replace(recorded("cem", []), content="", settings="")
    with Gradebook.create(small) as book:
        book.begin("class", ["bob", "cem"], absent=True)
        book.record(missing, syllabus().names)
        book.finish("class", is_class=True)
    return small


@pytest.fixture
def unfinished(small: Path) -> Path:
    """The small class, left by a run that was killed."""
    with Gradebook.create(small) as book:
        book.begin("class", ["ann", "bob", "cem"], absent=True)
    return small


FOR_ONE = {"gradescope", "classroom50", "page"}


def complete(form: str, folder: Path, **more: Any) -> str:
    """The export with all that the form asks for."""
    if form == "classroom50":
        more["context"] = folder / "context.json"
        more["context"].write_text(json.dumps(CONTEXT))
    if form in FOR_ONE:
        more["learner"] = "bob"
    return exported(form, folder, **more)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["doubtful", "unfinished"])
def test_an_incomplete_gradebook_is_exported_only_when_asked(
    form: str, kind: str, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(kind)
    with pytest.raises(Incomplete, match="--incomplete"):
        complete(form, folder)
    remarks = complete(form, folder, incomplete=True)
    if kind == "unfinished" and form != "canvas":  # which has no place for it
        assert re.search("may be old|unfinished", remarks)


@pytest.mark.parametrize("form", ["canvas", "moodle"])
def test_no_platform_gets_a_grade_that_nobody_made(form: str, doubtful: Path) -> None:
    remarks = complete(form, doubtful, incomplete=True)
    assert "bob" in remarks and "cem" not in remarks


def test_json_says_what_casts_doubt(doubtful: Path) -> None:
    read = json.loads(exported("json", doubtful, incomplete=True))
    assert read["incomplete"] == ["The grader itself failed on 1 submission: cem."]
    doubts = {each["learner"]: each.get("doubts") for each in read["submissions"]}
    assert doubts == {"bob": None, "cem": ["failed"]}


@pytest.mark.parametrize("form", sorted({*FORMS} - FOR_ONE))
def test_absent_learners_leave_no_export_unless_asked_for(form: str, small: Path) -> None:
    with Gradebook.create(small) as book:
        book.begin("class", ["bob"], absent=True)
        book.finish("class", is_class=True)
    assert "ann" not in complete(form, small)
    out = io.StringIO()
    with Gradebook.open(small, include_absent=True) as book:
        export(form, book, out, Options())
    assert "ann" in out.getvalue()
    assert form == "canvas" or re.search("absent|did not find", out.getvalue())


def test_of_an_absent_learner_there_is_no_form(doubtful: Path) -> None:
    with pytest.raises(ExportError, match="the latest run did not find ann; --include-absent"):
        exported("gradescope", doubtful, learner="ann", incomplete=True)


VISIBILITY = {"hidden", "after_due_date", "after_published", "visible"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}


def test_gradescope_takes_one_learner(small: Path) -> None:
    read = json.loads(exported("gradescope", small, learner="ann"))
    assert set(read) <= {
        *("score", "execution_time", "output", "output_format", "test_output_format", "tests"),
        *("test_name_format", "visibility", "stdout_visibility", "extra_data", "leaderboard"),
    }
    assert read["score"] == 1.0
    assert {read["visibility"], read["stdout_visibility"]} <= VISIBILITY
    assert {read["output_format"], read["test_output_format"], read["test_name_format"]} <= FORMATS
    for test in read["tests"]:
        assert set(test) <= {
            *("score", "max_score", "status", "name", "name_format", "number", "output"),
            *("output_format", "tags", "visibility", "extra_data"),
        }
        assert test["status"] in ("passed", "failed")
        assert test["visibility"] == "visible"  # one hidden test would hide the total
        assert 0 <= test["score"] <= test["max_score"]
    assert sum(test["score"] for test in read["tests"]) == read["score"]
    names = ["causal_mask: passed", "softmax: failed", "not begun"]
    assert [test["name"] for test in read["tests"]] == names
    with Gradebook.open(small) as book:
        (ann,) = (each for each in book.submissions() if each.learner == "ann")
    assert sum(test["max_score"] for test in read["tests"]) == ann.max_points


def test_a_form_for_one_learner_asks_for_one(small: Path, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="give --learner"):
        exported("gradescope", small)
    with pytest.raises(ExportError, match="no learner is called"):
        exported("gradescope", small, learner="zoe")
    alone = gradebook(tmp_path / "alone", recorded("ann", []))
    assert json.loads(exported("gradescope", alone))["score"] == 0.0


CONTEXT = {
    "classroom": "transformers",
    "assignment": "course",
    "assignment_type": "individual",
    "owner": "ann",
    "submission": "submit/1",
    "commit": "abc",
    "release": "r1",
    "review": "",
    "datetime": "2026-06-01T12:00:00Z",
}


def test_classroom50_has_whole_scores_and_no_other_key(small: Path) -> None:
    context = small / "context.json"
    context.write_text(json.dumps(CONTEXT))
    read = json.loads(exported("classroom50", small, learner="ann", context=context))
    assert set(read) == {"schema", *CONTEXT, "score", "max-score", "tests"}
    assert read["schema"] == "classroom50/result/v1"
    assert read["submission"].startswith("submit")
    assert (read["score"], read["max-score"]) == (100, round(MAX_POINTS * 100))
    for test in read["tests"]:
        assert {"test-name", "passed", "score", "max-score"} <= set(test)
        assert type(test["score"]) is type(test["max-score"]) is int
        assert type(test["passed"]) is bool
    for what in ("score", "max-score"):
        assert sum(test[what] for test in read["tests"]) == read[what]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"owner": None}, "lacks 'owner'"),
        ({"surprise": 1}, "'surprise', which is not allowed"),
        ({"submission": "final"}, "must begin with 'submit'"),
        ({"datetime": "yesterday"}, "must look like"),
    ],
)
def test_classroom50_refuses_what_would_be_refused(
    small: Path, change: dict[str, Any], said: str
) -> None:
    facts = {key: value for key, value in {**CONTEXT, **change}.items() if value is not None}
    context = small / "context.json"
    context.write_text(json.dumps(facts))
    with pytest.raises(ExportError, match=said):
        exported("classroom50", small, learner="ann", context=context)


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
    tested = Path(__file__).read_text(encoding="utf-8")
    assert all(f'"{form}"' in tested for form in FORMS)
