"""Wrong code is told the line at which it departs from right code; right code is told none."""

from __future__ import annotations

import pytest

from grader.candidate.failures import CandidateError
from grader.candidate.records import Location, Mark, Verdict
from grader.diagnosis.departure.where import located, raised
from grader.marking.gate import Gate
from grader.submission import Unit
from tests.candidates import loaded, solution
from tests.corpus import Case, cases
from tests.test_function_checks import FUNCTIONS

STYLES = [case for case in cases() if case.right and case.exercise in FUNCTIONS]

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
WAVES = """
import torch

def sinusoidal_encoding(max_len, hidden_size):
    positions = torch.arange(max_len)[:, None]
    steps = torch.arange(0, hidden_size, 2)
    angles = positions / 10000 ** (steps / hidden_size)
    table = torch.zeros(max_len, hidden_size)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table
"""
PIECES = """
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    found, begin = [], 0
    while begin < len(word):
        stop = len(word)
        mark = "##" if begin > 0 else ""
        while stop > begin and mark + word[begin:stop] not in vocab:
            stop -= 1
        if stop == begin:
            return [unk_token]
        found.append(mark + word[begin:stop])
        begin = stop
    return found
"""
NORM = """
import torch
from torch import nn

class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(hidden_size))
        self.shift = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        return self.gain * normed + self.shift
"""
PADDED = """
import torch

def pad_batch(sequences, pad_id):
    most = max(map(len, sequences))
    real = [list(row) + [pad_id] * (most - len(row)) for row in sequences]
    mask = torch.tensor([[1] * len(row) + [0] * (most - len(row)) for row in sequences])
    return torch.tensor(real), mask
"""
ADDED = ATTENTION.replace(
    "scores = scores.masked_fill(mask == 0, -1e30)",
    "hidden = (1 - mask.float()) * -1e9\n        scores = scores + hidden",
)
HELPED = ATTENTION.replace("torch.bmm(weights, value)", "mixed(weights, value)")
HELPED += """
def mixed(shares, rows):
    return torch.bmm(shares, rows)
"""
SHAPED = ATTENTION.replace(
    "    scores = scores / width", "    size = scores.shape\n    scores = scores.view(size) / width"
)
HERE = [
    ("scaled_dot_product_attention", SHAPED, "scores.view(size)", "(scores.view(size) * 1.1)"),
    ("scaled_dot_product_attention", ATTENTION, "width ** 0.5", "(width + 1e-2) ** 0.5"),
    ("scaled_dot_product_attention", ATTENTION, "(weights, value)", "(weights.tril(), value)"),
    ("scaled_dot_product_attention", ATTENTION, "query, keys)", "query.roll(1, 1), keys)"),
    ("scaled_dot_product_attention", ADDED, "width ** 0.5", "(width + 1e-2) ** 0.5"),
    ("scaled_dot_product_attention", ADDED, "(weights, value)", "(weights.tril(), value)"),
    ("scaled_dot_product_attention", HELPED, "mixed(weights, v", "mixed(weights.tril(), v"),
    ("sinusoidal_encoding", WAVES, "10000 ** (steps", "9000 ** (1.5 * steps"),
    ("sinusoidal_encoding", WAVES, "torch.cos(angles)", "torch.cos(angles / 3)"),
    ("scaled_dot_product_attention", ATTENTION, "weights, value)", "weights, value).unsqueeze(0)"),
    ("wordpiece_tokenize", PIECES, "found.append(mark + word", 'found.append(mark + "x" + word'),
    ("wordpiece_tokenize", PIECES, "return found", "return tuple(found)"),
    ("pad_batch", PADDED, "torch.tensor(real), mask", "real, mask"),
    ("pad_batch", PADDED, "+ [0] * (most - len(row))", "+ [2] * (most - len(row))"),
    ("LayerNorm", NORM, "torch.sqrt(variance + self.eps)", "(variance.abs().sum(1, True) + 1)"),
]  # fmt: skip


@pytest.mark.parametrize(("exercise", "code", "right", "wrong"), HERE)
def test_the_line_is_the_one_that_is_wrong(
    exercise: str, code: str, right: str, wrong: str
) -> None:
    code = code.replace(right, wrong)
    found = located(loaded(exercise, code), 0)
    assert found is not None
    assert (found.kind, found.cell) == ("departs", "cell 1")
    assert wrong in found.source
    assert code.splitlines()[found.line - 1].strip() == found.source
    assert found.source in found.message


@pytest.mark.parametrize("code", [ATTENTION, ADDED, HELPED, SHAPED, WAVES, PIECES, NORM])
def test_right_code_departs_nowhere(code: str) -> None:
    exercise = next(name for name, other, *_ in HERE if other == code)
    assert located(loaded(exercise, code), 0) is None


@pytest.mark.parametrize("style", STYLES[::8], ids=lambda style: style.name)
def test_other_styles_depart_nowhere(style: Case) -> None:
    assert located(loaded(style.exercise, style.source), 0) is None


COMPUTED = [
    *("AttentionHead/right/weight_norm", "AttentionHead/right/positive_scale_on_keys"),
    *("LayerNorm/right/one_plus_gamma", "Embeddings/right/scaled_tables"),
]


@pytest.mark.parametrize("case", [case for case in cases() if case.name in COMPUTED])
def test_weights_that_are_computed_depart_nowhere(case: Case) -> None:
    assert located(loaded(case.exercise, case.source), 0) is None


@pytest.mark.parametrize("exercise", FUNCTIONS[::4])
def test_solutions_depart_nowhere(exercise: str) -> None:
    assert located(solution(exercise), 0) is None


@pytest.mark.parametrize(
    ("exercise", "code"),
    [
        (
            "merge_heads",
            "def merge_heads(x):\n    x = x.transpose(1, 0)\n    return x.flatten(2)\n",
        ),
        ("LayerNorm", NORM.replace("+ self.shift", "+ self.shift.squeeze()[None, None, None]")),
    ],
)
def test_of_order_and_of_axes_of_size_one_nothing_is_told(exercise: str, code: str) -> None:
    assert located(loaded(exercise, code), 0) is None


@pytest.mark.parametrize("style", [case for case in STYLES if case.name.endswith("_logsumexp")])
def test_rounding_of_large_numbers_is_no_departure(style: Case) -> None:
    assert located(loaded(style.exercise, style.source), 0) is None


def test_a_root_of_a_size_may_be_divided_by_early() -> None:
    early = "query = query / width ** 0.5\n    scores = torch.bmm(query, keys)"
    code = ATTENTION.replace("scores = torch.bmm(query, keys)", early)
    code = code.replace("scores = scores / width ** 0.5", "scores = scores * 1.01")
    found = located(loaded("scaled_dot_product_attention", code), 0)
    assert found is None or "1.01" in found.source


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
    found = raised(loaded("scaled_dot_product_attention", code), 0)
    assert found is not None and found.kind == "raised"
    assert wrong in found.source
    assert words in found.message


def test_an_exception_inside_of_a_with_is_told_at_its_own_line() -> None:
    inner = "with torch.enable_grad():\n        scores = torch.bmm(query, key)"
    code = ATTENTION.replace("scores = torch.bmm(query, keys)", inner)
    found = raised(loaded("scaled_dot_product_attention", code), 0)
    assert found is not None and "torch.bmm(query, key)" in found.source


def test_an_exception_after_very_many_lines_is_told_its_line() -> None:
    long = "for _ in range(2000):\n        pass\n    found = 1 + word"
    code = PIECES.replace("found, begin = [], 0", long)
    found = raised(loaded("wordpiece_tokenize", code), 0)
    assert found is not None and found.source == "found = 1 + word"


def test_shapes_stand_under_their_names_and_axes_are_named() -> None:
    code = ATTENTION.replace("torch.bmm(query, keys)", "torch.bmm(query, key)")
    found = raised(loaded("scaled_dot_product_attention", code), 0)
    assert found is not None
    assert "query [2, 3, 4]" in found.message and "key [2, 5, 4]" in found.message
    assert "3 is query" in found.message


def let_out(location: Location | None, written: Unit) -> Location | None:
    mark = Mark("", "", Verdict.FAILED, 0.0, 1.0, location=location)
    return Gate([written], lends=True).mark(mark).location


def test_beside_what_is_lent_nothing_but_the_learners_line_is_shown() -> None:
    wrong = ATTENTION.replace("width ** 0.5", "(width + 1e-2) ** 0.5")
    candidate = loaded("scaled_dot_product_attention", wrong)
    found = let_out(located(candidate, 0), Unit(wrong, "cell 1", 1))
    assert found is not None and "1e-2" in found.source
    assert let_out(located(candidate, 0), Unit("pass", "cell 2", 1)) is None  # all of it is lent


def test_an_exception_beside_what_is_lent_tells_known_names_and_few_digits() -> None:
    wrong = ATTENTION.replace("torch.bmm(query, keys)", "torch.bmm(query, key)")
    candidate = loaded("scaled_dot_product_attention", wrong)
    found = let_out(raised(candidate, 0), Unit(wrong, "cell 1", 1))
    assert found is not None and found.source == "scores = torch.bmm(query, key)"
    assert found.source in found.message and "query [2, 3, 4]" in found.message
    assert sum(letter.isdigit() for letter in found.message) <= 16
    assert let_out(raised(candidate, 0), Unit("pass", "cell 2", 1)) is None  # all of it is lent


def test_endless_recordings_are_cut() -> None:
    code = "def causal_mask(seq_len):\n    while True:\n        seq_len += 1\n"
    code += "        if seq_len > 9_999:\n            return seq_len\n"
    candidate = loaded("causal_mask", code)
    told = candidate.request("record", target={"name": "causal_mask"}, args=(3,), kwargs={})
    assert len(told["events"]) <= 1_500
    with pytest.raises(CandidateError):
        candidate.request("record", target={"name": "nobody"}, args=(), kwargs={})
