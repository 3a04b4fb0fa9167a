"""A form for one learner is what Gradescope and Classroom 50 take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.curriculum.complaint import Complaint
from grader.gradebook.store import Gradebook
from grader.report.exports import FORMS
from grader.report.text import page_name
from tests.command import grader
from tests.exported import CONTEXT, MAX_POINTS, exported, two_learners
from tests.marked import gradebook, recorded


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return two_learners(tmp_path)


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
    with pytest.raises(Complaint, match="give --learner"):
        exported("gradescope", small)
    with pytest.raises(Complaint, match="no learner is called"):
        exported("gradescope", small, learner="zoe")
    alone = gradebook(tmp_path / "alone", recorded("ann", []))
    assert json.loads(exported("gradescope", alone))["score"] == 0.0


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("learner", ["ann", "nobody"])
def test_no_form_answers_for_one_learner_with_the_whole_class(
    form: str, learner: str, small: Path
) -> None:
    context = small / "context.json"
    context.write_text(json.dumps(CONTEXT))
    done = grader("export", form, small, "--learner", learner, "--context", context)
    if form in ("json", "csv", "canvas", "moodle"):
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{form} holds the whole class" in done.stderr and "junit, page" in done.stderr
    elif learner == "nobody":
        assert (done.returncode, done.stdout) == (2, "")
        assert "no learner is called nobody" in done.stderr
    else:
        assert done.returncode == 0 and done.stdout and "bob" not in done.stdout


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
    with pytest.raises(Complaint, match=said):
        exported("classroom50", small, learner="ann", context=context)


def test_everybodys_pages_come_in_one_go(tmp_path: Path) -> None:
    names = ("ann", "Bob", "bob", "../eve", page_name("bob").removesuffix(".html"))
    book, out = gradebook(tmp_path / "book", *(recorded(n, []) for n in names)), tmp_path / "back"
    done = grader("export", "page", book, "--out", out, "--chapters", "04")
    assert done.returncode == 0 and "5 pages in " in done.stdout
    pages = {each.name: each.read_text("utf-8") for each in out.iterdir()}
    assert len(pages) == 5 and {"ann.html", page_name("bob"), page_name(names[-1])} < pages.keys()
    assert not {"bob.html", "Bob.html"} & pages.keys() and "bob's is called bob-" in done.stderr
    one = grader("export", "page", book, "--learner", "ann", "--chapters", "04").stdout
    assert pages["ann.html"] == one
    assert "bob" in pages[page_name("bob")] and names[-1] not in pages[page_name("bob")]
    assert sum("../eve" in page for page in pages.values()) == 1
    assert "is not empty" in grader("export", "page", book, "--out", out).stderr
    refused = grader("export", "csv", book, "--out", tmp_path / "other")
    assert refused.returncode == 2 and "with page" in refused.stderr
    assert not (tmp_path / "other").exists()
