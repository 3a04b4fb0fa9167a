"""A line of which one small change makes all right is told, and a line that does nothing."""

from __future__ import annotations

import ast
import inspect

import pytest

from solutions import tokenization
from tests.candidates import checks, loaded, solution
from tests.changed_lines import (
    CACHE,
    DECODE,
    ENDS,
    FIRST,
    HEAD,
    HEADS,
    KEPT,
    MERGED,
    NORM,
    PAIR,
    PIECES,
    SHARES,
    TABLES,
    WAVES,
    WINDOWS,
    told,
    told_of,
)
from tests.corpus import case

LINES = [
    ("wordpiece_tokenize", PIECES, "len(word) > max_chars", "len(word) < max_chars", "comparison"),
    ("wordpiece_tokenize", ENDS, "if stop is None", "if stop is not None", "comparison"),
    ("causal_mask", KEPT, "if True", "if kept is None", "comparison"),
    ("wordpiece_tokenize", PIECES, "max_chars=100", "max_chars=99", "number"),
    ("greedy_decode", DECODE, "written[-1] ==", "written[0] ==", "number"),
    ("greedy_decode", DECODE, "[start_id]", "[end_id]", "name"),
    ("split_heads", HEADS, "transpose(1, 2)", "transpose(0, 2)", "number"),
    ("split_heads", HEADS, "(count, -1)", "(-1, count)", "arguments|number|name|stands"),
    ("AttentionHead", HEAD, "k = nn.Linear(hidden_size, head_dim)", "k = nn.Linear(head_dim, "
     "hidden_size)", "arguments"),
    ("LayerNorm", NORM, "eps=1e-12", "eps=1e-5", "number"),
    ("encode", PAIR, "pieces.extend(wordpiece", "pieces.append(wordpiece", "function"),
    ("encode", PAIR, "(len(two) + 1)", "len(two)", "begins or ends"),
    ("encode", PAIR, 'pieces = ["[CLS]"', 'pieces = ["CLS"', "string"),
    ("sinusoidal_encoding", WAVES, "i + 1] =", "i] =", "index begins"),
    ("sinusoidal_encoding", WAVES, "cos(angle)", "cos(place)", "name"),
    ("sinusoidal_encoding", WAVES, "i / hidden_size", "i // hidden_size", "with the two parts"),
    ("Embeddings", TABLES, "config.type_vocab_size", "2", "whatever is given"),
    ("mask_tokens", SHARES, "0.9, hidden", "0.95, hidden", "number"),
    ("merge_heads", MERGED, "x[:, head]", "x[:, 0]", "whatever is given"),
    ("split_heads", WINDOWS, "[at : at + width]", "[at - 1 : at - 1 + width]", "begins or ends"),
    ("split_heads", WINDOWS, "return parts\n", "return parts.squeeze()\n", "one too many"),
    ("Pooler", FIRST, "torch.tanh(self.map(first))", "self.map(torch.tanh(first))", "stands"),
]  # fmt: skip


# Wrong code of the corpus that stands alone, and what stands in the line that is told.
IN_CORPUS = {
    "TransformerEncoder/wrong/first_stacked_layer_for_all": "self.block(0, x, keep)",
    "TransformerForSequenceClassification/wrong/two_logits_alone_returned": "[:, :2]",
    "TransformerForSequenceClassification/wrong/one_label_too_few": "config.num_labels - 1",
    "sample/wrong/batch_of_one_squeezed": ".squeeze()",
    "masked_softmax/wrong/lowest_constant_too_near": "LOWEST = -3e4",
}


@pytest.mark.parametrize(("exercise", "code", "right", "wrong", "words"), LINES)
def test_the_line_to_change_is_told(
    exercise: str, code: str, right: str, wrong: str, words: str
) -> None:
    message = told(exercise, code.replace(right, wrong))
    assert wrong.strip() in message.partition("\n")[0]
    assert any(word in message for word in words.split("|"))
    assert right not in message


@pytest.mark.parametrize("name", IN_CORPUS)
def test_the_line_of_somebody_elses_code_is_told(name: str) -> None:
    wrong = case(name)
    assert IN_CORPUS[name] in told(wrong.exercise, wrong.source).partition("\n")[0]


@pytest.mark.parametrize(
    ("exercise", "code"),
    [
        *((exercise, code.replace(right, wrong)) for exercise, code, right, wrong, _ in LINES[::5]),
        ("masked_softmax", case("masked_softmax/wrong/filled_with_row_minimum").source),
        ("CrossAttention", case("CrossAttention/wrong/first_mask_of_shape_kept").source),
    ],
)
def test_a_number_that_nobody_reads_changes_nothing_of_what_is_told(
    exercise: str, code: str
) -> None:
    tree = ast.parse(code)
    before = told(exercise, ast.unparse(tree)).partition("\n")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body[:0] = ast.parse("_ = 7").body
    assert told(exercise, ast.unparse(tree)).partition("\n")[0] == before


def test_a_slip_that_was_copied_is_told_in_all_its_lines() -> None:
    code = CACHE.replace("append(key)", "append(key.float())")
    message = told("KeyValueCache", code.replace("append(value)", "append(value.float())"))
    assert message.startswith("self.keys.append(key.float())") and "to line 10" in message


def test_what_is_a_number_elsewhere_is_called_by_mistake() -> None:
    code = HEAD.replace("__init__()", "__init__()\n        self.width = head_dim", 1)
    code = code.replace("q, k, v = self.q", "root = self.width**0.5\n        q, k, v = self.width")
    assert "self.width(hidden_state)" in told("AttentionHead", code).partition("\n")[0]


def test_where_a_change_to_either_of_two_lines_would_do_both_are_told() -> None:
    code = DECODE.replace("[start_id]", "[first]").replace("):\n", "):\n    first = end_id\n", 1)
    source, _, message = told("greedy_decode", code).partition("\n")
    assert source in ("first = end_id", "written = [first]")
    assert ("line 4" if source == "first = end_id" else "line 3") in message


def test_the_learners_code_is_there_again_afterwards() -> None:
    code = DECODE.replace("written[-1] ==", "written[0] ==")
    candidate = loaded("greedy_decode", code)
    first = told_of(candidate)
    assert first
    assert not checks().passes(candidate, 0, ())
    assert told_of(candidate) == first


def test_a_change_that_never_ends_is_given_up() -> None:
    code = PIECES.replace("max_chars=100", "max_chars=99").replace("stop -= 1", "stop = stop - 1")
    assert "max_chars=99" in told("wordpiece_tokenize", code)


def test_a_long_text_does_not_use_up_the_patience() -> None:
    code = inspect.getsource(tokenization).replace("if second else []", "if not second else []")
    assert told("encode", code).startswith("b = ")


@pytest.mark.parametrize("exercise", ["greedy_decode", "train_step", "split_heads"])
def test_of_right_code_no_line_is_told(exercise: str) -> None:
    assert not told_of(solution(exercise))
