"""From a platform's download to its import: late, with more time, unmatched, marked by hand."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cohort import Way
from grader.service.ledger import Ledger
from tests.exported import CONTEXT
from tests.submitted import notebook_json

RIGHT = (
    "def softmax(x, dim):\n    x = (x - x.amax(dim, True)).exp()\n    return x / x.sum(dim, True)\n"
)
NOTEBOOK = notebook_json("import torch", RIGHT)
DUE = ("--deadline", "2026-01-31T12:00:00Z", "--late", "50% a day")

pytestmark = pytest.mark.isolation


def invoke(*arguments: object, status: int = 0, way: Way | None = None) -> tuple[str, str]:
    done = CliRunner().invoke(app, [*map(str, arguments)], obj=way)
    assert done.exit_code == status, done.output
    return done.stdout, done.stderr


def step_in(marks: Path, learner: str) -> None:
    """What an instructor does by hand in between."""
    invoke("override", marks, learner, "softmax", 1, "--reason", "talked", "--who", "Dr B")
    invoke("comment", marks, learner, "softmax", "Well done", "--who", "Dr B", "--line", 3)


def test_canvas(here: Way, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as archive:
        for name in ("ada_LATE_11_1", "bob_12_2", "cem_LATE_13_3", "77_99_4"):
            archive.writestr(f"{name}_softmax.ipynb", NOTEBOOK)
        archive.writestr("dan_14_5_softmax.pdf", b"%PDF")
    roster = tmp_path / "gradebook.csv"
    roster.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
        "Ada,11,,ada,s\nBob,12,,bob,s\nCem,13,,cem,s\nDan,14,,dan,s\nEve,15,,99,s\n",
        encoding="utf-8",
    )
    arranged, _ = invoke(
        "arrange", tmp_path / "submissions.zip", tmp_path / "class", "--roster", roster
    )
    assert "not in the roster: Canvas user 99." in arranged and "nothing: 99." in arranged
    marks = tmp_path / "marks"
    invoke("grade", tmp_path / "class", "--out", marks, way=here)
    step_in(marks, "bob")
    # Canvas says who was late, and not when: that stops an export until somebody has said it.
    invoke("due", marks, *DUE)
    _, said = invoke("export", "canvas", marks, "--roster", roster, status=3)
    assert "nobody has said when: ada, cem." in said
    times = tmp_path / "class_times.csv"
    rows = list(csv.DictReader(io.StringIO(times.read_text(encoding="utf-8"))))
    for row in rows:
        row["time"] = "2026-02-01T11:00:00Z" if row["late"] == "yes" else row["time"]
    with times.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    more = tmp_path / "more.csv"
    more.write_text("learner,until\ncem,2026-02-02T12:00:00Z\n", encoding="utf-8")
    invoke("grade", tmp_path / "class", "--out", marks, way=here)
    invoke("due", marks, *DUE, "--extensions", more)
    out, said = invoke("export", "canvas", marks, "--roster", roster, "--title", "Course (5)")
    head, possible, *found = csv.reader(io.StringIO(out))
    assert head[-1] == "Course (5)" and possible[0] == "    Points Possible"
    # By ID, as Canvas matches first: ada late, bob by hand, cem with more time, dan a PDF.
    assert {row[1]: float(row[5]) for row in found} == {"11": 1.0, "12": 1.0, "13": 2.0, "14": 0.0}
    assert "theirs beyond doubt: Canvas user 99." in said and "softmax.pdf" in said


def test_moodle(here: Way, tmp_path: Path) -> None:
    for number, name in ((11, "Ada Lovelace"), (12, "Bob Berg"), (13, "Cem Can"), (99, "Zed Who")):
        folder = tmp_path / "download" / f"{name}_{number}_assignsubmission_file"
        folder.mkdir(parents=True)
        (folder / "softmax.ipynb").write_text(NOTEBOOK, encoding="utf-8")
    head = (
        "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
        "Last modified (submission),Last modified (grade),Feedback comments\n"
    )
    late, early = "Sunday, 1 February 2026, 1:30 AM", "Friday, 30 January 2026, 1:30 PM"
    sheet = tmp_path / "worksheet.csv"
    lines = [
        f'Participant {number},{name},a@x.org,Submitted,,2.00,Yes,"{time}",-,\n'
        for number, name, time in (
            *((11, "Ada Lovelace", late), (12, "Bob Berg", early), (13, "Cem Can", late)),
            *((14, "Dan Day", "-"), (98, "Zed Who", late)),
        )
    ]
    sheet.write_text(head + "".join(lines), encoding="utf-8")
    zone = ("--zone", "Europe/Berlin")
    invoke("arrange", tmp_path / "download", tmp_path / "class", "--roster", sheet, *zone)
    marks = tmp_path / "marks"
    invoke("grade", tmp_path / "class", "--out", marks, way=here)
    step_in(marks, "Bob Berg_12")
    more = tmp_path / "more.csv"
    more.write_text("learner,days\nCem Can_13,2\n", encoding="utf-8")
    invoke("due", marks, *DUE, "--extensions", more)
    export = ("export", "moodle", marks, "--roster", sheet, "--chapters", "04")
    _, said = invoke(*export, status=3)
    assert "when these handed in: Zed Who_99." in said
    out, said = invoke(*export, "--incomplete")
    rows = {row["Identifier"]: row for row in csv.DictReader(io.StringIO(out))}
    share = {key: row["Grade"] for key, row in rows.items()}
    full = share["Participant 13"]  # of the exercises of chapter 04, on a scale of 2
    assert float(share["Participant 11"]) == float(share["Participant 12"]) == float(full) / 2
    assert share["Participant 14"] == share["Participant 98"] == ""
    assert "theirs beyond doubt: Zed Who_99." in said
    assert "Dr B" in rows["Participant 12"]["Feedback comments"]
    assert "1 day late" not in rows["Participant 13"]["Feedback comments"]


@pytest.fixture
def collected(here: Way, tmp_path: Path) -> Path:
    """What a JupyterHub's learners have handed in to the checker, marked, with a hand in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("softmax.ipynb", NOTEBOOK)
    with Ledger(tmp_path / "kept") as store:
        store.admit("ada")
        store.admit("bob")
        for learner in ("ada", "bob"):
            store.keep(learner, packed.getvalue())
            store.note(learner, "softmax", "failed")
            store.note(learner, "softmax", "passed")
    invoke("collect", tmp_path / "kept", tmp_path / "class")
    invoke("grade", tmp_path / "class", "--out", tmp_path / "marks", way=here)
    step_in(tmp_path / "marks", "bob")
    return tmp_path / "marks"


def test_jupyterhub(collected: Path) -> None:
    invoke("due", collected, *DUE)
    out, _ = invoke("export", "csv", collected)
    ada, bob = csv.DictReader(io.StringIO(out))
    assert (ada["points"], bob["points"], ada["total"]) == ("2.0", "1.0", "0.0")  # months late
    index = (collected / "report" / "index.html").read_text(encoding="utf-8")
    assert "Week by week" in index and "late (what has begun counts)" in index


def test_gradescope_and_classroom50(collected: Path, tmp_path: Path) -> None:
    out, _ = invoke("export", "gradescope", collected, "--learner", "bob")
    read = json.loads(out)
    assert read["score"] == 1.0 == sum(test["score"] for test in read["tests"])
    assert any("Well done" in test["output"] for test in read["tests"])
    context = tmp_path / "context.json"
    context.write_text(json.dumps({**CONTEXT, "owner": "bob"}), encoding="utf-8")
    out, _ = invoke("export", "classroom50", collected, "--learner", "bob", "--context", context)
    read = json.loads(out)
    assert read["score"] == 100 == sum(test["score"] for test in read["tests"])
    assert any("Well done" in test["output"] for test in read["tests"])
