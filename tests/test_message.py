"""Messages: what they are made of survives storage, and what others chose can be told from ours."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import grader
from grader.candidate.message import (
    LEFT_OUT,
    Field,
    Message,
    Place,
    joined,
    key_of,
    known,
    message_of,
    say,
)
from grader.candidate.records import (
    CheckOutcome,
    CheckResult,
    Difference,
    Mark,
    Verdict,
    mark_from_json,
    mark_to_json,
)
from grader.cohort.keys import CanonicalKey
from grader.cohort.known_marks import Copies
from grader.marking.budget import MOST_IN_MESSAGE
from grader.marking.gate import NOT_TOLD, Gate
from grader.marking.vocabulary import Vocabulary

_places = st.builds(Place, st.text(max_size=9), st.integers(0, 999))
_numbers = st.integers() | st.floats() | st.lists(st.integers(), max_size=80)
_fields: st.SearchStrategy[Field] = st.recursive(
    st.text(max_size=30) | _numbers | _places,
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: joined(" {{}} ", parts)),
    max_leaves=8,
)
_messages = st.lists(_fields, max_size=5).map(lambda fields: joined("; ", fields))


def _kept(message: str) -> Message:
    """The message as a gradebook gives it back."""
    checks = (CheckResult("Title.", CheckOutcome.FAILED, message),)
    mark = Mark("gelu", "c", Verdict.FAILED, 0.0, 1.0, checks, message=message)
    back = mark_from_json(json.loads(json.dumps(mark_to_json(mark))))
    assert back == mark and back.message == back.checks[0].message
    return message_of(back.message)


@given(_messages)
def test_text_key_and_places_survive_storage(message: Message) -> None:
    back = _kept(message)
    assert (back, back.key, back.places) == (message, message.key, message.places)


@given(_messages)
def test_what_is_told_beside_a_reference_is_our_words_and_few_digits(message: Message) -> None:
    """Whatever the fields are: two messages of one template differ in their digits alone."""
    gate = Gate([], lends=True)
    told = gate.message(message)
    assert gate.message(told) == told == Gate([], lends=True).message(told)
    ours = message.rebuilt(lambda _: LEFT_OUT)
    assert sum(character.isdigit() for character in told) <= MOST_IN_MESSAGE
    words = (
        set(re.findall(r"[^\W\d]\w*", told)) - set(re.findall(r"\w+", ours)) - {"e", "nan", "inf"}
    )
    assert all(map(Vocabulary([]).knows, words)) or told == NOT_TOLD


@given(st.text(), st.text())
def test_plain_text_is_somebody_elses(one: str, other: str) -> None:
    gate = Gate([], lends=True)
    one = f"{one} "  # no name
    told = [gate.message(text) for text in (one, f"{say('ours')}{one}", say("a {}", one))]
    assert told == [NOT_TOLD] * 2 + ["a …"]
    assert gate.message(known(other[:2_000])) == other[:2_000]


def test_the_same_of_other_numbers_has_the_same_key() -> None:
    def shape(*sizes: int) -> Message:
        return say("Its shape is {}; {:.4g} of it is wrong.", list(sizes), sizes[0] / 3)

    assert shape(2, 3).key == shape(7).key != say("Its shape is {}.", [2, 3]).key
    assert known("a", kind="doubled").key == key_of("doubled") == _kept(known("a", "doubled")).key
    assert known("").key == ""
    here, there = (say("It is at {}.", Place(label, 2)) for label in ("ann.py", "bob.py"))
    assert here.key == there.key != say("It is at {}.", Place("ann.py", 3)).key


def test_a_message_after_a_colon_begins_small() -> None:
    for words in (say("Its"), say("Its {}", "x"), say("{} is", say("{} or", say("Its")))):
        assert words.lowered() == f"i{words[1:]}"
    assert say("{} is", "Its").lowered() == "Its is"


def test_copies_name_the_files_of_who_handed_in_the_same() -> None:
    said = say("{} raised {} ({})", "softmax", "ann.py, line 3", Place("ann.py, cell 2", 3))
    check = CheckResult("Title.", CheckOutcome.ERROR, _kept(said))
    mark = Mark("softmax", "c", Verdict.ERROR, 0.0, 2.0, (check,), message=_kept(said))
    copies = Copies()
    assert copies.keep(CanonicalKey("key", ("ann.py",)), mark)
    moved = copies.of({"softmax": CanonicalKey("key", ("bob.py",))})["softmax"]
    assert moved.message == "softmax raised ann.py, line 3 (bob.py, cell 2, line 3)"
    assert moved.checks[0].message == moved.message
    assert copies.of({"softmax": CanonicalKey("key", ("ann.py",))})["softmax"] == mark


def test_copies_name_the_cells_of_who_handed_in_the_same() -> None:
    label, other = "ann.ipynb, cell 2", "bob.ipynb, cell 9"
    said = say("{} raised ({})", "softmax", Place(label, 3))
    mark = Mark("softmax", "c", Verdict.ERROR, 0.0, 2.0, message=_kept(said))
    copies = Copies()
    assert copies.keep(CanonicalKey("key", (label,)), mark)
    moved = copies.of({"softmax": CanonicalKey("key", (other,))})["softmax"]
    assert moved.message == "softmax raised (bob.ipynb, cell 9, line 3)"


def test_of_differences_one_is_told() -> None:
    cell = Difference(say("{}", [0, 1]), say("{:.6g}", 0.25), say("{:.6g}", 0.123456789))
    check = CheckResult("Title.", CheckOutcome.FAILED, "", differences=(cell,) * 4)
    told = Gate([], lends=True).result(check).differences
    assert told == (Difference("[0, 1]", "0.25", "0.123"),)


def _templates() -> Iterator[tuple[str, ast.expr]]:
    for path in sorted(Path(grader.__file__).parent.rglob("*.py")):
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
        made = [node for node in imports if str(node.module).endswith(("message", "expect"))]
        names = {"say", "aside", "wrong"} & {alias.name for node in made for alias in node.names}
        for node in nodes:
            if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
                yield f"{path.name}, line {node.lineno}", node.args[0]


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_literal(node.body) and _is_literal(node.orelse)
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_templates_are_literals() -> None:
    """So no text of a learner's becomes a part of one."""
    found = list(_templates())
    assert len(found) > 50
    other = {w: ast.unparse(first) for w, first in found if not _is_literal(first)}
    # The places that hand a template on: a check's own, and those of a data file of ours.
    hands_on = ("expect.py", "complaints.py", "endings.py")
    texts = ("template", "*died.how")  # the second is a literal of the wall's, and what is in it
    assert [w for w in other if not (w.startswith(hands_on) and other[w] in texts)] == []
