"""Who handed in when: one file with zones and sources; no lateness is told or lost in silence."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.candidate.records import Verdict
from grader.cli import app
from grader.cohort import Way
from grader.gradebook.store import Gradebook
from grader.gradebook.times import HandedInAt, moment, read_times, write_times
from tests.marked import gradebook, mark, recorded
from tests.submitted import notebook_json

DUE = ["--deadline", "2026-01-31T12:00:00Z", "--late", "10% a day, at most 50%"]


def invoke(*arguments: object, status: int = 0, way: Way | None = None) -> str:
    done = CliRunner().invoke(app, [*map(str, arguments)], obj=way)
    assert done.exit_code == status, done.output
    return done.output


def totals(book: Path, *options: str) -> dict[str, str]:
    done = CliRunner().invoke(app, ["export", "csv", str(book), *options])
    assert done.exit_code == 0, done.output
    return {row["learner"]: row["total"] for row in csv.DictReader(io.StringIO(done.stdout))}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Three learners with 2 points each."""
    marks = [mark("softmax", Verdict.PASSED, 2.0)]
    learners = [recorded(name, marks) for name in ("ann", "bob", "cem")]
    return gradebook(tmp_path / "marks", *learners)


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


TIMES = (
    "learner,time,zone,source,late",
    "ann,2026-02-01T13:00:00+01:00,Europe/Berlin,a list,",
    "bob,2026-02-03T12:00:01Z,UTC,a list,",
    "cem,,,Canvas,no",
)


def test_what_is_stated_once_holds_for_report_page_and_exports(book: Path, tmp_path: Path) -> None:
    times = written(tmp_path / "times.csv", *TIMES)
    more = written(
        tmp_path / "more.csv",
        *("learner,until,days,reason", "bob,2026-02-02T12:00:00Z,1,<ill>", "cem,,2,"),
    )
    said = invoke("due", book, *DUE, "--times", times, "--extensions", more)
    assert "2 learners late: ann, bob." in said
    assert totals(book) == {"ann": "1.8", "bob": "1.8", "cem": "2.0"}
    index = (book / "report" / "index.html").read_text(encoding="utf-8")
    assert "Due 2026-01-31 12:00 UTC; lateness costs 10% a day, at most 50%." in index
    late = index.partition("Late, or with more time")[2].partition("Exercises")[0]
    for told in ("2026-02-01 13:00 UTC+01:00: 1 day late", "until 2026-02-02 12:00 UTC", "&lt;ill"):
        assert told in late
    page = invoke("export", "page", book, "--learner", "bob")
    assert "1 day late" in page and "with 1 late day that cost nothing" in page
    assert "ill" not in page.partition("<body>")[2]  # the reason is between the two
    assert "1 day late" in invoke("export", "moodle", book)
    assert (
        said == invoke("due", book, "--extensions", more) == invoke("due", book, "--times", times)
    )
    assert said.splitlines()[:2] == invoke("due", book).splitlines()[:2]
    fewer = written(tmp_path / "fewer.csv", "learner,until,days,reason", "cem,,2,")
    told = invoke("due", book, "--extensions", fewer)
    assert "Without more time from now on, as the new list lacks them: bob." in told
    invoke("due", book, "--remove")
    assert "no deadline" in invoke("due", book)
    assert "total" not in invoke("export", "csv", book).splitlines()[0]


def test_of_whom_nobody_knows_a_time_one_line_tells(book: Path) -> None:
    invoke("due", book, *DUE)
    index = (book / "report" / "index.html").read_text(encoding="utf-8")
    assert index.count("Nobody has said when this was handed in") == 1


UNMATCHED = {
    "a name that nobody has": ("anne,2026-01-01T12:00:00Z", "name nobody of the class: anne"),
    "nothing of somebody": ("", "when these handed in: ann"),
    "late, and no time": ("ann,,,Canvas,yes", "word, nobody has said when: ann"),
}


@pytest.mark.parametrize("case", UNMATCHED)
def test_what_does_not_match_is_said_and_stops_an_export(
    case: str, book: Path, tmp_path: Path
) -> None:
    line, said = UNMATCHED[case]
    own = [each for each in TIMES[1:] if not each.startswith("ann")]
    more = ["ann,2026-01-01T12:00:00Z"] if line.startswith("anne") else []
    times = written(tmp_path / "times.csv", TIMES[0], *own, *filter(None, [line, *more]))
    assert said in invoke("due", book, *DUE, "--times", times)
    for form in ("csv", "canvas", "moodle"):
        assert said in invoke("export", form, book, status=3)
        assert said in invoke("export", form, book, "--incomplete")


NO_TIMES = {
    "no year of any class": ("ann,0001-01-01T00:00:00+14:00", "check its year"),
    "no zone": ("ann,2026-01-31T12:00:00", "has no zone"),
    "no moment": ("ann,soon", "is no moment"),
    "twice": ("ann,2026-01-31T12:00:00Z\nann,2026-01-31T12:00:00Z", "two lines for ann"),
    "a word": ("ann,,,,perhaps", "late is yes, no or empty"),
}


@pytest.mark.parametrize("case", NO_TIMES)
def test_times_that_say_nothing_sure_are_refused(case: str, book: Path, tmp_path: Path) -> None:
    line, said = NO_TIMES[case]
    times = written(tmp_path / "times.csv", TIMES[0], line)
    assert said in invoke("due", book, *DUE, "--times", times, status=2)
    (tmp_path / "class").mkdir()
    written(tmp_path / "class_times.csv", TIMES[0], line)
    assert said in invoke("grade", tmp_path / "class", "--out", tmp_path / "new", status=2)


BAD = ["ann,soon,,", "ann,2026-02-01T12:00,,", "ann,,-1,", "ann,,x,", f"ann,,{'9' * 5000},"]


@pytest.mark.parametrize("line", BAD)
def test_extensions_that_say_nothing_sure_are_refused(
    line: str, book: Path, tmp_path: Path
) -> None:
    more = written(tmp_path / "more.csv", "learner,until,days,reason", line)
    invoke("due", book, *DUE, "--extensions", more, status=2)


def test_an_extension_without_effect_is_said(book: Path, tmp_path: Path) -> None:
    lines = ("learner,until,days,reason", "ann,2025-02-03T12:00:00Z,,", "bob,,,ill", "cem,,1,")
    times = written(tmp_path / "times.csv", *TIMES)
    more = written(tmp_path / "more.csv", *lines)
    said = invoke("due", book, *DUE, "--times", times, "--extensions", more)
    assert "no more time than the deadline does: ann, bob." in said
    assert "2025" not in invoke("export", "page", book, "--learner", "ann")
    written(more, lines[0], "ann ,,9,")  # a blank more is another name
    assert "extensions name nobody" in invoke("due", book, *DUE, "--extensions", more)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    times = {
        "=ann": HandedInAt(moment("2026-01-31T12:00:00+05:30"), "Asia/Kolkata", "a, b", None),
        "bob": HandedInAt(None, "", "Canvas", True),
        "cem": HandedInAt(moment("2026-01-31T12:00:00Z"), "UTC", "x", None),
    }
    write_times(tmp_path / "t.csv", times)
    assert read_times(tmp_path / "t.csv") == times


WORKSHEET = (
    "Identifier,Full name,Last modified (submission),Grade,Feedback comments\n"
    'Participant 12,Ada Lovelace,"Sunday, 1 February 2026, 12:30 AM",,\n'
    'Participant 13,Grace Hopper,"Saturday, 31 January 2026, 23:59",,\n'
    "Participant 14,Idle,-,,\n"
)


@pytest.mark.parametrize("zone", [[], ["--zone", "Europe/Berlin"]])
def test_moodles_times_have_the_zone_that_is_said(zone: list[str], tmp_path: Path) -> None:
    for number, name in ((12, "Ada Lovelace"), (13, "Grace Hopper")):
        folder = tmp_path / "download" / f"{name}_{number}_assignsubmission_file"
        folder.mkdir(parents=True)
        (folder / "a.ipynb").write_text(notebook_json("x = 1"), encoding="utf-8")
        (folder / "timestamp.txt").write_text("2020-01-01 00:00:00 UTC", encoding="utf-8")
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(WORKSHEET, encoding="utf-8")
    said = invoke("arrange", tmp_path / "download", tmp_path / "out", "--roster", sheet, *zone)
    times = {name: at.time for name, at in read_times(tmp_path / "out_times.csv").items()}
    if zone:
        assert times == {
            "Ada Lovelace_12": moment("2026-01-31T23:30:00Z"),
            "Grace Hopper_13": moment("2026-01-31T22:59:00Z"),
        }
    else:
        assert set(times.values()) == {None} and "give --zone" in said
    assert "In the roster, and handed in nothing: Idle_14." in said
    assert "no zone" in invoke(
        *("arrange", tmp_path / "download", tmp_path / "b", "--roster", sheet, "--zone", "Here"),
        status=2,
    )


@pytest.mark.isolation
def test_canvas_tells_who_was_late_and_not_when(here: Way, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    for name in ("ada_LATE_1_2_a.ipynb", "bob_3_4_a.ipynb", "bob_3_4_notes.pdf", "cy_5_6_a.pdf"):
        (tmp_path / "d" / name).write_text(notebook_json("x = 1"), encoding="utf-8")
    said = invoke("arrange", tmp_path / "d", tmp_path / "out")
    times = read_times(tmp_path / "out_times.csv")
    assert {name: (at.time, at.late) for name, at in times.items()} == {
        "Canvas user 1": (None, True),
        "Canvas user 3": (None, False),
        "Canvas user 5": (None, False),
    }
    assert "Late, and nobody has said when: Canvas user 1." in said
    assert "no notebook, script or archive, which marking will say: Canvas user 5." in said
    assert "of other kinds: 1 .pdf." in said
    assert (tmp_path / "out" / "Canvas user 5" / "a.pdf").is_file()
    said = invoke("grade", tmp_path / "out", "--out", tmp_path / "marks", way=here)
    assert "Known is when 0 of 3 learners handed in; that 2 more were in time; that these" in said
    said = invoke("due", tmp_path / "marks", *DUE)
    assert "1 learner late: Canvas user 1." in said and "word, nobody has said when: Canvas" in said


def test_a_tree_of_nbgraders_has_its_times(tmp_path: Path) -> None:
    stamps = {"ada": "2026-01-31 12:00:00.123456 America/Chicago", "bob": "2026-01-31", "cem": "x"}
    for name, stamp in stamps.items():
        folder = tmp_path / "tree" / name / "ps1"
        folder.mkdir(parents=True)
        (folder / "a.ipynb").write_text(notebook_json("x = 1"), encoding="utf-8")
        (folder / "timestamp.txt").write_text(stamp + "\n", encoding="utf-8")
    said = invoke("arrange", tmp_path / "tree", tmp_path / "out")
    times = {name: at.time for name, at in read_times(tmp_path / "out_times.csv").items()}
    assert times == {"ada": moment("2026-01-31T18:00:00Z"), "bob": None, "cem": None}
    assert "Without a time: bob, cem." in said and "which nbgrader writes and learners can" in said


@pytest.mark.isolation
def test_a_run_takes_the_times_beside_the_class(here: Way, tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    for name in ("ann", "zed"):
        (tmp_path / "class" / f"{name}.py").write_text("def softmax(x, dim):\n    return x\n")
    written(tmp_path / "class_times.csv", *TIMES[:3], "zed,,,nobody has said,")
    said = invoke("grade", tmp_path / "class", "--out", tmp_path / "marks", way=here)
    assert "Known is when 1 of 2 learners handed in; nothing of zed." in said
    assert "nobody of the class: bob" in said
    with Gradebook.open(tmp_path / "marks") as opened:
        assert opened.times()["ann"].zone == "Europe/Berlin"
    invoke("due", tmp_path / "marks", *DUE)
    said = invoke("export", "csv", tmp_path / "marks", status=3)
    assert "nobody of the class: bob" in said


@pytest.mark.isolation
@pytest.mark.parametrize("first", ["zed.py", ""], ids=["by itself", "with the class"])
def test_what_was_said_holds_for_the_same_hand_in_alone(
    first: str, here: Way, tmp_path: Path
) -> None:
    work, book = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    for name in ("ann", "zed"):
        (work / f"{name}.py").write_text("def softmax(x, dim):\n    return x\n")
    invoke("grade", work, "--out", book, way=here)
    late = [f"{name},2026-02-01T12:00:00Z" for name in ("ann", "zed")]
    invoke("due", book, *DUE, "--times", written(tmp_path / "said.csv", "learner,time", *late))
    (work / "zed.py").write_text("def softmax(x, dim):\n    return 2 * x\n")
    for path in (work / first, work):
        invoke("grade", path, "--out", book, "--include-absent", way=here)
    said = invoke("due", book)
    assert "1 learner late: ann." in said
    assert "Nobody has said when these handed in: zed." in said
