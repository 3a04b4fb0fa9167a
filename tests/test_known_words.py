"""What is told as the examiner's own words is: every text that is no literal stands here, with why.

A text that a worker has sent, or a part of one, may not be among them: beside a lent reference it
could hold a line of that. It is plain text, a number, or a `Choice`, which the gate counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import grader

# By file: the texts that `known` is given there, and what they are.
KNOWN = {
    "candidate/failures.py": {
        "str(list(shape)) if shape else 'a single number'": "of what we have sent"
    },
    "candidate/message.py": {
        "text": "what was kept: it had passed the gate",
        "field.text": "for a key, which is a number",
        "f'line {field.line}'": "for a key, which is a number",
        "self": "a message without fields",
        "self[:1].lower() + self[1:]": "a message without fields",
    },
    "course/checks/check_chance.py": {
        "what": "of the check",
        "next((piece for piece, number in vocab.items() if number == word))": "of our vocabulary",
    },
    "course/checks/check_classification_head.py": {"came": "of the check"},
    "course/checks/check_decoder.py": {"case": "of the check"},
    "course/checks/check_further_inputs.py": {"longer": "of the check"},
    "course/checks/check_inside_bert.py": {"case": "of the check"},
    "course/checks/check_modules.py": {"turn.explanation": "of the catalogue"},
    "course/checks/check_pretrained_bert.py": {"case": "of the check", "beside": "of the check"},
    "course/checks/check_sampling.py": {"named": "our settings", "_said(settings)": "ours"},
    "course/checks/check_softmax.py": {"case": "of the check"},
    "course/checks/check_spots.py": {
        "mistake": "its title",
        "each": "a title",
        "why": "TOO_LARGE or nothing",
    },
    "course/checks/check_tokenization.py": {
        "_code_points(other)": "the reference's",
        "repr(given)": "what we have sent",
    },
    "course/checks/check_writing.py": {
        "message": "of the check",
        "name": "keys or values",
        "when": "of the check",
    },
    "course/checks/loading_trials.py": {"case": "of the trial"},
    "diagnosis/locating/exceptions.py": {
        "names[0]": "an axis of ours, told with the size that is counted"
    },
    "marking/attempt.py": {"exercise.name": "of the syllabus"},
    "marking/endings.py": {"died.case": "what a check has given"},
    "marking/exercise_marking.py": {
        "name": "of the syllabus",
        "text": "of the catalogue",
        "differs": "a literal",
        "str(mark.verdict)": "a verdict",
        "each": "of the syllabus",
    },
    "marking/expect.py": {"what": "of the check"},
    "marking/facts.py": {
        "what": "of the check",
        "names[size]": "an axis of ours, told with the size that is counted",
    },
    "marking/gate.py": {
        "part": "has been counted",
        "f'{list(field[:_MOST_SIZES])}'[:-1] + ', …]'": "where nothing is lent",
        "f'{message[:most]} …'": "has been counted",
    },
    "marking/module_evidence.py": {
        "f' (given {probe.label})' if probe.label else ''": "of our probes"
    },
    "marking/verdicts.py": {
        "exercise.name": "of the syllabus",
        "shortcut.name": "of the syllabus, found by reading",
    },
    "service/app.py": {"_CARRIED": "a literal"},
}
# The same of the words for how a worker ended.
ENDED = {
    "course/checks/check_spots.py": {"died.words"},
    "course/checks/check_tokenization.py": {"died.words"},
    "course/checks/drawn.py": {"died.words"},
    "notebook/watched.py": {"reason"},  # our limit, in seconds
    "wall/transport.py": {"reason", "why", "used_up"},  # our limits; a literal
    "wall/zygote_client.py": {
        "f'your code used all of its {limits.cpu_seconds} seconds'",
        "_ENDED",
    },
}
FOLDER = Path(grader.__file__).parent


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_literal(node.body) and _is_literal(node.orelse)
    return isinstance(node, ast.Constant)


def _given(function: str, place: int, home: str) -> Iterator[tuple[str, str]]:
    """Every file and argument at this place that is no literal."""
    for path in sorted(FOLDER.rglob("*.py")):
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        file = path.relative_to(FOLDER).as_posix()
        taken = [n for n in nodes if isinstance(n, ast.ImportFrom) and str(n.module).endswith(home)]
        names = {alias.name: alias.asname or alias.name for node in taken for alias in node.names}
        name = function if path.stem == home else names.get(function)
        calls = [n for n in nodes if isinstance(n, ast.Call) and ast.unparse(n.func) == name]
        for call in calls:
            if len(call.args) <= place or not _is_literal(call.args[place]):
                yield file, ast.unparse(call.args[place]) if call.args else "<by name>"
        for node in nodes:
            is_it = isinstance(node, ast.Name) and node.id == name
            if is_it and isinstance(node.ctx, ast.Load) and all(node is not c.func for c in calls):
                yield file, "<handed on>"


def test_no_text_of_a_workers_is_known() -> None:
    found: dict[str, set[str]] = {}
    for file, argument in _given("known", 0, "message"):
        found.setdefault(file, set()).add(argument)
    assert found == {file: set(texts) for file, texts in KNOWN.items()}


def test_how_a_worker_ended_is_said_in_our_words() -> None:
    found: dict[str, set[str]] = {}
    for file, argument in _given("WorkerDied", 1, "transport"):
        if argument != "<handed on>":  # as a type
            found.setdefault(file, set()).add(argument)
    assert found == ENDED
