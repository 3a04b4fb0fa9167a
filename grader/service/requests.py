"""Reads what a learner's bundle sends, within bounds; every byte of it is a stranger's."""

import json
import re
from typing import Any

from ..cohort.messages import Task
from ..curriculum.syllabus import syllabus
from ..submission import Cell
from .refusal import Refusal

MAX_CELLS = 1_000
MAX_CHARS = 500_000  # of code in one check
MAX_REQUEST = 50_000  # bytes of a request to look again
_MAX_LABEL = 120
_SURROGATE = re.compile("[\ud800-\udfff]")


def task_of(learner: str, body: bytes) -> Task:
    """The one exercise that is to be marked, with its code; raises Refusal."""
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        raise Refusal(400, "What was sent is no JSON.") from None
    if not isinstance(sent, dict) or not isinstance(sent.get("cells"), list):
        raise Refusal(400, "What was sent holds no cells.")
    exercise = sent.get("exercise")
    if exercise not in syllabus().names:
        raise Refusal(400, "No exercise of this course is called that.")
    if len(sent["cells"]) > MAX_CELLS:
        raise Refusal(400, f"More than {MAX_CELLS:,} cells were sent.")
    cells = tuple(map(_cell, sent["cells"]))
    if sum(len(cell.source) for cell in cells) > MAX_CHARS:
        raise Refusal(400, f"More than {MAX_CHARS:,} characters of code were sent.")
    return Task(learner, cells=cells, exercises=(str(exercise),))


def request_of(body: bytes) -> tuple[str, str]:
    """The exercise of a request to look again, and why; raises Refusal."""
    try:
        sent = json.loads(body)
        exercise, text = sent["exercise"], sent["text"]
    except (ValueError, RecursionError, KeyError, TypeError):
        raise Refusal(400, "What was sent is no request.") from None
    if exercise not in syllabus().names or not isinstance(text, str):
        raise Refusal(400, "No exercise of this course is called that.")
    return str(exercise), _SURROGATE.sub("�", text)


def _cell(row: Any) -> Cell:
    if not isinstance(row, dict) or type(row.get("index")) is not int:
        raise Refusal(400, "One of the cells is none.")
    source, label, notebook = (row.get(name) for name in ("source", "label", "notebook"))
    for text in (source, label, notebook):
        if not isinstance(text, str):
            raise Refusal(400, "One of the cells is no text.")
    name, file = (_SURROGATE.sub("�", str(text))[:_MAX_LABEL] for text in (label, notebook))
    code = _SURROGATE.sub("�", str(source)).replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in code:
        raise Refusal(400, "One of the cells holds a NUL, which is no Python.")
    return Cell(code, name, file, min(max(row["index"], 0), 10**6))
