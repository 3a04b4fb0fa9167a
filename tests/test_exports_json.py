"""The export as JSON follows its schema."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.candidate.records import Verdict
from grader.curriculum.syllabus import syllabus
from tests.exported import MAX_POINTS, exported, two_learners
from tests.marked import HOSTILE, gradebook, hostile_class, mark, recorded


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return two_learners(tmp_path)


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
