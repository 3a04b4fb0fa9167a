"""A line of which one small change makes all right is told, and a line that does nothing."""

from __future__ import annotations

import ast
import inspect
from functools import partial

import pytest

from grader.candidate.candidate import Candidate
from grader.diagnosis.locating.where import where
from solutions import tokenization
from tests.candidates import checks, loaded, solution
from tests.corpus import case
from tests.test_raised_lines import NORM, PIECES

DECODE = """
def greedy_decode(step, start_id, end_id, max_length):
    written = [start_id]
    while len(written) < max_length:
        scores = step(list(written))
        written.append(int(scores.argmax()))
        if written[-1] == end_id:
            break
    return written
"""
# What is None without an exception where nothing fits goes on under another name.
ENDS = """
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    found, begin = [], 0
    while begin < len(word):
        mark = "##" if begin else ""
        ends = range(len(word), begin, -1)
        stop = next((end for end in ends if mark + word[begin:end] in vocab), None)
        if stop is None:
            return [unk_token]
        found.append(mark + word[begin:stop])
        begin = stop
    return found
"""
HEADS = """
def split_heads(x, num_heads):
    parts = into_parts(x, num_heads)
    return parts.transpose(1, 2)

def into_parts(x, count):
    return x.unflatten(-1, (count, -1))
"""
MERGED = """
import torch

def merge_heads(x):
    return torch.cat([x[:, head] for head in range(x.shape[1])], dim=-1)
"""
WINDOWS = """
import torch

def split_heads(x, num_heads):
    width = x.shape[-1] // num_heads
    rows = x.movedim(-1, 0)
    begins = range(0, len(rows), width)
    parts = [rows[at : at + width] for at in begins]
    parts = torch.stack(parts, 1).permute(2, 1, 3, 0)
    return parts
"""
HEAD = """
import torch
from torch import nn

class AttentionHead(nn.Module):
    def __init__(self, hidden_size, head_dim):
        super().__init__()
        self.q = nn.Linear(hidden_size, head_dim)
        self.k = nn.Linear(hidden_size, head_dim)
        self.v = nn.Linear(hidden_size, head_dim)

    def forward(self, hidden_state, mask=None):
        q, k, v = self.q(hidden_state), self.k(hidden_state), self.v(hidden_state)
        scores = q @ k.transpose(1, 2) / k.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        return scores.softmax(-1) @ v
"""
BEFORE = inspect.getsource(tokenization).partition("def encode(")[0]
PAIR = (
    BEFORE
    + """
def in_pieces(text, vocab):
    pieces = []
    for word in split_words(text):
        pieces.extend(wordpiece_tokenize(word, vocab))
    return pieces

def encode(first, second, vocab, max_length=512):
    one = in_pieces(first, vocab)
    two = in_pieces(second, vocab) if second else []
    room = max_length - (3 if second else 2)
    if len(one) + len(two) > room:
        least = min(len(one), len(two), room // 2)
        keep = room - least if len(one) > len(two) else least
        one, two = one[:keep], two[:room - keep]
    pieces = ["[CLS]"] + one + ["[SEP]"]
    types = [0] * len(pieces)
    if second:
        pieces += two + ["[SEP]"]
        types += [1] * (len(two) + 1)
    ids = [vocab[piece] for piece in pieces]
    return {"input_ids": ids, "token_type_ids": types, "attention_mask": [1] * len(ids)}
"""
)
WAVES = """
import math, torch

def sinusoidal_encoding(max_len, hidden_size):
    table = torch.zeros(max_len, hidden_size)
    for place in range(max_len):
        for i in range(0, hidden_size, 2):
            angle = place / 10000 ** (i / hidden_size)
            table[place, i] = math.sin(angle)
            table[place, i + 1] = math.cos(angle)
    return table
"""
CACHE = """
import torch

class KeyValueCache:
    def __init__(self):
        self.keys, self.values = [], []

    def update(self, key, value):
        self.keys.append(key)
        self.values.append(value)
        return torch.cat([*self.keys], dim=2), torch.cat([*self.values], dim=2)
"""
SHARES = """
import torch

def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = [vocab[each] for each in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]
    free = ~torch.isin(input_ids, torch.tensor(special))
    chosen = free & (torch.rand(input_ids.shape, generator=generator) < rate)
    fate = torch.rand(input_ids.shape, generator=generator)
    pieces = torch.randint(len(vocab), input_ids.shape, generator=generator)
    hidden = torch.where(fate < 0.8, vocab["[MASK]"], pieces)
    hidden = torch.where(fate < 0.9, hidden, input_ids)
    return torch.where(chosen, hidden, input_ids), torch.where(chosen, input_ids, -100)
"""
TABLES = """
import torch
from torch import nn

class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config.hidden_size
        self.words = nn.Embedding(config.vocab_size, width)
        self.places = nn.Embedding(config.max_position_embeddings, width)
        self.kinds = nn.Embedding(config.type_vocab_size, width)
        self.norm = nn.LayerNorm(width, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        kinds = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        return self.drop(self.norm(self.words(input_ids) + self.places(places) + self.kinds(kinds)))
"""
KEPT = """
import torch
kept = None

def causal_mask(seq_len):
    global kept
    if True:
        kept = torch.ones(seq_len, seq_len).tril().bool()
    return kept
"""
FIRST = """
import torch
from torch import nn

class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.map = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden_state):
        first = hidden_state[:, 0]
        return torch.tanh(self.map(first))
"""
SPOT = """
import torch
from torch.nn.functional import cross_entropy

def spot_classification_head(candidate):
    for scale in (1.0, 900.0):
        logits, labels = torch.randn(5, 3) * scale, torch.tensor([2, 0, 1, 1, 0])
        kept = logits.clone()
        try:
            loss = candidate(logits, labels)
        except Exception:
            return False
        if loss.shape != () or not loss.isfinite() or not torch.equal(logits, kept):
            return False
        gap = float(loss - cross_entropy(kept, labels))
        if abs(gap) > 1e-5 * scale:
            return False
    return True
"""
LINES = [
    ("wordpiece_tokenize", PIECES, "len(word) > max_chars", "len(word) < max_chars", "comparison"),
    ("wordpiece_tokenize", ENDS, "if stop is None", "if stop is not None", "comparison"),
    ("causal_mask", KEPT, "if True", "if kept is None", "a second call too"),
    ("wordpiece_tokenize", PIECES, "max_chars=100", "max_chars=99", "number"),
    ("wordpiece_tokenize", PIECES, "found.append(mark + word[begin:stop])", "pass", "Nothing"),
    ("greedy_decode", DECODE, "written[-1] ==", "written[0] ==", "number"),
    ("greedy_decode", DECODE, "[start_id]", "[end_id]", "name"),
    ("greedy_decode", DECODE, "written.append(int(scores.argmax()))", "written", "not kept"),
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
    ("spot_classification_head", SPOT, "\n    return True", "\n        return True", "stands"),
]  # fmt: skip


# Wrong code of the corpus that stands alone, and what stands in the line that is told.
IN_CORPUS = {
    "TransformerEncoder/wrong/first_stacked_layer_for_all": "self.block(0, x, keep)",
    "TransformerForSequenceClassification/wrong/two_logits_alone_returned": "[:, :2]",
    "TransformerForSequenceClassification/wrong/one_label_too_few": "config.num_labels - 1",
    "sample/wrong/batch_of_one_squeezed": ".squeeze()",
}


def told(exercise: str, code: str) -> str:
    """What is told of the line, with its source."""
    candidate = loaded(exercise, code)
    return _told(candidate)


def _told(candidate: Candidate) -> str:
    candidate.harness = checks().harness(candidate.exercise)
    found = where(candidate, 0, partial(checks().passes, candidate, 0, ()))
    return "" if found is None else f"{found.source}\n{found.message}"


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
    first = _told(candidate)
    assert first
    assert not checks().passes(candidate, 0, ())
    assert _told(candidate) == first


def test_a_change_that_never_ends_is_given_up() -> None:
    code = PIECES.replace("max_chars=100", "max_chars=99").replace("stop -= 1", "stop = stop - 1")
    assert "max_chars=99" in told("wordpiece_tokenize", code)


def test_a_long_text_does_not_use_up_the_patience() -> None:
    code = inspect.getsource(tokenization).replace("if second else []", "if not second else []")
    assert told("encode", code).startswith("b = ")


@pytest.mark.parametrize("exercise", ["greedy_decode", "train_step", "split_heads"])
def test_of_right_code_no_line_is_told(exercise: str) -> None:
    assert not _told(solution(exercise))
