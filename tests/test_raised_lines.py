"""Code that raises is told the line, what stood there and what the exception means."""

from __future__ import annotations

import pytest

from grader.candidate.failures import CandidateError
from grader.candidate.records import Location, Mark, Verdict
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.locating.where import raised_line
from grader.marking.gate import Gate
from grader.submission import Unit
from tests.candidates import loaded, mark_candidate
from tests.changed_lines import HEAD, PIECES

ATTENTION = """
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    width = query.size(-1)
    keys = key.transpose(1, 2)
    scores = torch.bmm(query, keys)
    scores = scores / width ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e30)
    weights = torch.exp(scores - scores.max(-1, keepdim=True).values)
    weights = weights / weights.sum(-1, keepdim=True)
    return torch.bmm(weights, value)
"""


COMPLAINTS = [
    ("torch.bmm(query, keys)", "torch.bmm(query, key)", "last axis of left"),
    ("/ width ** 0.5", "/ torch.ones(9)", "lined up from the last one"),
    ("if mask is not None:", "if query:", "one True or False"),
    ("mask == 0", "None", "it is None"),
    ("width ** 0.5", "None", "it is None"),
    ("key.transpose(1, 2)", "key.transpose(1, 3)", "asks for axis 3"),
    ("key.transpose(1, 2)", "key.mT.view(-1)", "lie in memory in that order"),
    ("torch.exp(", "torch.nn.Softmax(-1, 2, 3)(", "Make a layer once"),
    ("query.size(-1)", "query.shape()", "Parentheses"),
    ("value)", "value.long())", "same dtype"),
    ("torch.bmm(weights, value)", "torch.bmm(torch.nn.GELU(), value)", "another kind of object"),
    ("key.transpose(1, 2)", "key.transpose(1, 2).expand(-1, -1, 99)", "that is asked for"),
    ("query.size(-1)", "torch.arange(width / 2)", "sets this name itself"),
    ("width ** 0.5", "[width]", "two sides"),
    ("query.size(-1)", "query.size(-1)[0]", "cannot be indexed"),
    ("weights, value)", "weights, value)[99]", "its last index is"),
    ("width ** 0.5", "width ** [].sum()", "a plain list"),
    ("query.size(-1)", "query.unflatten(-1, (50, 2))", "The sizes asked for hold"),
]


@pytest.mark.parametrize(("right", "wrong", "words"), COMPLAINTS)
def test_an_exception_tells_the_line_and_what_stood_there(
    right: str, wrong: str, words: str
) -> None:
    code = ATTENTION.replace(right, wrong)
    found = raised_line(loaded("scaled_dot_product_attention", code), 0)
    assert found is not None and found.kind == "raised"
    assert wrong in found.source
    assert words in found.words


def test_signs_that_end_no_line_of_python_move_no_line() -> None:
    code = ATTENTION.replace("import torch\n", "import torch\nsaid = 'one\x0c line\u2028'\n")
    code = code.replace("width ** 0.5", "None")
    found = raised_line(loaded("scaled_dot_product_attention", code), 0)
    assert found is not None and found.source == "scores = scores / None"


def test_what_stood_there_is_told_under_inference_mode() -> None:
    code = ATTENTION.replace("width ** 0.5", "torch.ones(9)")
    code = code.replace("def scaled", "@torch.inference_mode()\ndef scaled")
    found = raised_line(loaded("scaled_dot_product_attention", code), 0)
    assert found is not None and "scores = scores / torch.ones(9)" in found.source
    assert any(each.startswith("scores [") for each in found.stood)


OUTSIDE, INSIDE = "scaled_dot_product_attention(query, key, value)", "again(value)"
THERE = "def again(value):\n    return back(value)"
ENDLESS = [
    (f"return {OUTSIDE}", OUTSIDE),
    (f"return {INSIDE}\n\ndef again(value):\n    weights = value + 1\n    return {INSIDE}", INSIDE),
    (f"return back(value)\n\ndef back(value):\n    return {INSIDE}\n\n{THERE}", "back(value)"),
]


@pytest.mark.parametrize(("end", "call"), ENDLESS)
def test_calls_without_end_are_told_the_one_that_comes_back(end: str, call: str) -> None:
    code = ATTENTION.replace("return torch.bmm(weights, value)", end)
    found = raised_line(loaded("scaled_dot_product_attention", code), 0)
    assert found is not None and found.part == call
    assert found.line == len(code.rstrip().splitlines())
    assert "calls itself" in found.words


def test_an_exception_inside_of_a_with_is_told_at_its_own_line() -> None:
    inner = "with torch.enable_grad():\n        scores = torch.bmm(query, key)"
    code = ATTENTION.replace("scores = torch.bmm(query, keys)", inner)
    found = raised_line(loaded("scaled_dot_product_attention", code), 0)
    assert found is not None and "torch.bmm(query, key)" in found.source


def test_a_judge_is_told_that_one_is_meant_and_nothing_of_what_it_answers() -> None:
    source = """
import torch
def spot_writing(candidate):
    answer = str(candidate(torch.zeros(3, 6, 5), torch.zeros(3, 6).long()))
    raise ValueError(answer)
"""
    said = raised_line(loaded("spot_writing", source), 5)
    assert said is not None
    assert "Line 5 raises an error for at least one implementation: " in str(said.message)
    assert not said.stood and not said.words
    unwritten = source.replace("ValueError", "NotImplementedError")
    mark = mark_candidate(syllabus()["spot_writing"], loaded("spot_writing", unwritten))
    assert mark.verdict is Verdict.NOT_STARTED and "1.6" not in str(mark)


def test_an_exception_after_very_many_lines_is_told_its_line() -> None:
    long = "for _ in range(2000):\n        pass\n    found = 1 + word"
    code = PIECES.replace("found, begin = [], 0", long)
    found = raised_line(loaded("wordpiece_tokenize", code), 0)
    assert found is not None and found.source == "found = 1 + word"


def test_shapes_stand_under_their_names_and_axes_are_named() -> None:
    code = ATTENTION.replace("torch.bmm(query, keys)", "torch.bmm(query, key)")
    found = raised_line(loaded("scaled_dot_product_attention", code), 0)
    assert found is not None
    assert set(found.stood) == {"query [batch 2, query 3, d_k 4]", "key [batch 2, key 5, d_k 4]"}
    assert found.part == "torch.bmm(query, key)"


def test_what_stood_there_is_told_with_the_line_that_made_it() -> None:
    code = HEAD.replace("        return scores.softmax(-1) @ v", "        return scores + v")
    found = raised_line(loaded("AttentionHead", code), 0)
    assert found is not None
    assert "scores [batch 3, seq 4, seq 4] (line 14)" in found.stood
    assert 14 in found.sources


def let_out(location: Location | None, written: Unit) -> Location | None:
    mark = Mark("", "", Verdict.FAILED, 0.0, 1.0, location=location)
    return Gate([written], lends=True).mark(mark).location


def test_an_exception_beside_what_is_lent_tells_known_names_and_few_digits() -> None:
    wrong = ATTENTION.replace("torch.bmm(query, keys)", "torch.bmm(query, key)")
    candidate = loaded("scaled_dot_product_attention", wrong)
    found = let_out(raised_line(candidate, 0), Unit(wrong, "cell 1", 1))
    assert found is not None and found.source == "scores = torch.bmm(query, key)"
    assert found.source in found.message and "query [batch 2, query 3, d_k 4]" in found.stood
    told = (found.message, found.words, *found.stood)
    assert sum(letter.isdigit() for text in told for letter in text) <= 16
    lent = Unit("pass", "cell 2", 1)  # all of it is
    assert let_out(raised_line(candidate, 0), lent) is None


def test_endless_recordings_are_cut() -> None:
    code = "def causal_mask(seq_len):\n    while True:\n        seq_len += 1\n"
    code += "        if seq_len > 9_999:\n            return seq_len\n"
    candidate = loaded("causal_mask", code)
    told = candidate.request("record", target={"name": "causal_mask"}, args=(3,), kwargs={})
    assert told["is_cut"] and len(told["statements"]) == 4
    with pytest.raises(CandidateError):
        candidate.request("record", target={"name": "nobody"}, args=(), kwargs={})
