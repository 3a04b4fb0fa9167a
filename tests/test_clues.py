"""Lines that show by themselves that something is amiss, and what stood where it raised."""

from __future__ import annotations

import pytest

from grader.candidate.records import Location
from grader.curriculum.references import reference_submission
from grader.diagnosis.locating.where import where
from tests.candidates import loaded
from tests.changed_lines import HEAD

LINES = [  # each is the only change, and its line is told without a search by changes
    ("CrossAttention", "mask = mask.unsqueeze(-3)", "mask"),
    ("TransformerEncoder", "return self.norm(x)", "-return input_ids"),
    ("TransformerEncoder", "return self.norm(x)", "-return self.embeddings(x)"),
    ("BertEncoder", "x = layer(x, mask)", "-layer(x, mask)"),
]  # fmt: skip


def told(exercise: str, *changes: tuple[str, str]) -> Location | None:
    """What is told of the solution with these changes."""
    cut = reference_submission().slice(exercise)
    assert cut is not None
    code = "\n\n".join(unit.code for unit in cut.units)
    for right, wrong in changes:
        assert right in code
        code = code.replace(right, wrong)
    return where(loaded(exercise, code), 0)


def changed(line: str, wrong: str) -> str:
    """A whole line, the arguments of its call, or what stands behind its `=`, changed."""
    if wrong.startswith("if "):
        return wrong
    if ", " in wrong and "(" not in wrong:
        return f"{line.partition('(')[0]}({wrong})"
    return wrong[1:] if wrong[0] == "-" else f"{line.partition(' = ')[0]} = {wrong}"


@pytest.mark.parametrize(("exercise", "line", "wrong"), LINES)
def test_the_line_that_made_it_is_told(exercise: str, line: str, wrong: str) -> None:
    found = told(exercise, (line, changed(line, wrong)))
    assert found is not None
    assert found.source.partition("  #")[0].partition(" #")[0] == changed(line, wrong)


def test_a_container_that_stays_empty_is_told() -> None:
    layers = """nn.ModuleList(
            TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers)
        )"""
    found = told("TransformerEncoder", (layers, "nn.ModuleList()"))
    assert found is not None
    assert found.source == "self.layers = nn.ModuleList()"


def test_several_lines_that_are_surely_wrong_are_all_told_the_first_one_first() -> None:
    dropout = "self.dropout = nn.Dropout(config.hidden_dropout_prob)"
    found = told("FeedForward", ("self.expand", "self.type"), (dropout, "pass"))
    assert found is not None
    assert found.source == "self.type = nn.Linear(config.hidden_size, config.intermediate_size)"
    assert "Nothing happens in this line" in found.message


def test_what_stood_there_is_told_with_the_line_that_made_it() -> None:
    code = HEAD.replace("        return scores.softmax(-1) @ v", "        return scores + v")
    found = where(loaded("AttentionHead", code), 0)
    assert found is not None
    assert "scores [batch 3, seq 4, seq 4] (line 14)" in found.stood
    assert 14 in found.sources
