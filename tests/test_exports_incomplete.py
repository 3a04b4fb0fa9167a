"""A gradebook with something missing is exported only when asked, and the export says so."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.curriculum.complaint import Complaint
from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook
from grader.report.exports import FORMS, Incomplete, Options, export
from tests.exported import CONTEXT, exported, two_learners
from tests.marked import recorded


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return two_learners(tmp_path)


@pytest.fixture
def doubtful(small: Path) -> Path:
    """The small class where ann was not found, and the grader has failed on cem."""
    missing = replace(recorded("cem", []), content="", settings="")
    with Gradebook.create(small) as book:
        book.begin("class", ["bob", "cem"], others="absent")
        book.record(missing, syllabus().names)
        book.finish("class", is_class=True)
    return small


@pytest.fixture
def unfinished(small: Path) -> Path:
    """The small class, left by a run that was killed."""
    with Gradebook.create(small) as book:
        book.begin("class", ["ann", "bob", "cem"], others="absent")
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
        book.begin("class", ["bob"], others="absent")
        book.finish("class", is_class=True)
    assert "ann" not in complete(form, small)
    out = io.StringIO()
    with Gradebook.open(small, include_absent=True) as book:
        export(form, book, out, Options())
    assert "ann" in out.getvalue()
    assert form == "canvas" or re.search("absent|did not find", out.getvalue())


def test_of_an_absent_learner_there_is_no_form(doubtful: Path) -> None:
    with pytest.raises(Complaint, match="the latest run did not find ann; --include-absent"):
        exported("gradescope", doubtful, learner="ann", incomplete=True)
