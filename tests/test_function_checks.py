"""Checks of function exercises say what is wrong, and where, and what it comes of."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from grader.course.misconceptions.spots import SPOTS
from grader.curriculum.references import reference_submission
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.misconceptions.registry import function_subject
from grader.marking.expect import Mismatch, agree
from grader.marking.facts import describe
from tests.candidates import checks, failed, loaded
from tests.corpus import case

FUNCTIONS = [each.name for each in syllabus().exercises if each.kind != "module"]
SPOT_NAMES = [spot.exercise for spot in SPOTS]


def test_every_function_has_checks_and_a_subject() -> None:
    for name in FUNCTIONS:
        titles = checks().titles(name)
        assert titles and len(set(titles)) == len(titles), name
        assert function_subject(name) is not None, name


@pytest.mark.parametrize("name", SPOT_NAMES)
@pytest.mark.parametrize("answer", ["True", "False", "None", "1 / 0", "id(candidate) % 32 < 16"])
def test_a_spot_that_does_not_look_earns_nothing(name: str, answer: str) -> None:
    code = f"def {name}(candidate):\n    return {answer}\n"
    if answer.startswith("id"):
        code = f"import itertools\nturn = itertools.count()\ndef {name}(candidate):\n"
        code += "    return next(turn) % 2 == 0\n"
    assert any(run.essential for run in failed(name, loaded(name, code)))


def test_a_spot_may_ask_for_gradients() -> None:
    code = """
import torch
def spot_attention_scores(candidate):
    query = torch.randn(2, 3, 5, requires_grad=True)
    key = torch.randn(2, 4, 5)
    out = candidate(query, key)
    if out.shape != (2, 3, 4) or not out.requires_grad:
        return False
    out.sum().backward()
    expected = (key.sum(1, keepdim=True) / 5**0.5).expand(2, 3, 5)
    return torch.allclose(query.grad, expected, atol=1e-5)
"""
    runs = failed("spot_attention_scores", loaded("spot_attention_scores", code))
    assert "lets every correct" not in " ".join(run.result.title for run in runs)
    assert not any(run.essential for run in runs)


def test_a_spot_cannot_make_the_examiner_compute_without_end() -> None:
    code = "def spot_embeddings(candidate):\n    return candidate(10**9, 10**9).shape[0] == 10**9\n"
    runs = failed("spot_embeddings", loaded("spot_embeddings", code))
    assert "larger than it needs to be" in runs[0].result.message


def test_what_only_a_contract_asks_is_not_essential() -> None:
    code = "import torch\ndef softmax(x, dim):\n    return x.sub_(x.amax(dim, True)).softmax(dim)\n"
    runs = failed("softmax", loaded("softmax", code))
    assert runs and not any(run.essential for run in runs)
    assert any("changed in place" in run.result.message for run in runs)


def test_whole_numbers_are_equal_or_not() -> None:
    expected = torch.tensor([10**6, 2**60])
    agree(expected.clone(), expected)
    for one_more in ([1, 0], [0, 1]):
        with pytest.raises(Mismatch):
            agree(expected + torch.tensor(one_more), expected)


def test_a_mismatch_shows_where() -> None:
    expected = torch.arange(6.0).view(2, 3)
    got = expected.clone()
    got[1, 2] = 9
    with pytest.raises(Mismatch) as caught:
        agree(got, expected)
    assert caught.value.differences[0].index == "[1, 2]"
    assert caught.value.differences[0].got == "9"


@pytest.mark.parametrize(
    ("got", "message"),
    [
        (None, "is there a return"),
        (torch.zeros(3, 2), "Axes 0 and 1 have each other's sizes"),
        (torch.zeros(3), "Axis 0 is missing"),
        (torch.zeros(2, 1, 3), "an axis 1 too many"),
        (torch.full((2, 3), torch.nan), "not finite"),
        (torch.arange(6.0).view(2, 3) * 2**0.5, "1.414 times"),
        (torch.arange(6.0).view(2, 3).double(), "float64"),
        (-torch.arange(6.0).view(2, 3), "-1 times"),
    ],
)
def test_facts_name_the_most_telling(got: object, message: str) -> None:
    expected = torch.arange(6.0).view(2, 3)
    assert message in describe(got, expected, {"batch": 2, "hidden": 3})


def wrong(place: object, factor: float = 3.0) -> Tensor:
    """A right table of four rows that is multiplied at one place."""
    table = torch.arange(1.0, 21.0).view(4, 5)
    table[place] *= factor  # type: ignore[index]
    return table


@pytest.mark.parametrize(
    ("got", "sizes", "message"),
    [
        (wrong((0, 2)), {}, "right for rows 1, 2 and 3 and wrong for row 0"),
        (wrong((0, 2)), {"batch": 4}, "right for sentences 1, 2 and 3 and wrong for sentence 0"),
        (wrong((0, 2)), {"max_len": 4, "hidden": 5}, "wrong for position 0"),
        (wrong((0, 2)), {"query": 4, "batch": 4}, "wrong for row 0"),
        (
            wrong((slice(None), 2), torch.nan),
            {},
            "4 of 20 entries are not finite; the first is nan",
        ),
        (wrong((slice(0, 1), slice(None)), 0.0), {}, "wrong (all zeros) for row 0"),
        (
            wrong((slice(1, None), slice(1, None, 2))),
            {},
            "right for columns 0, 2 and 4 and wrong for columns 1 and 3",
        ),
    ],
)
def test_facts_of_one_shape(got: Tensor, sizes: dict[str, int], message: str) -> None:
    assert message in describe(got, wrong(0, 1.0), sizes)


def test_facts_of_three_axes() -> None:
    expected = torch.arange(24.0).view(2, 3, 4) ** 2
    got = expected.clone()
    got[0, 1, 2] += 5
    got[1, 2, 0] += 7
    got[1, 0, 0] += 7
    got[0, 2, 0] += 7
    got[0, 0, 1] -= 7
    got[1, 1, 1] -= 1
    assert "is wrong" not in describe(got, expected)
    got[0, 0, 1] += 7
    message = describe(got, expected, {"batch": 2, "query": 3})
    assert message == "5 of 6 rows along the last axis are wrong, the first at index [0, 1]."


def test_a_factor_of_one_is_no_fact() -> None:
    expected = torch.tensor([[0.0, 0.5, 0.3, 0.2], [0.0, 0.25, 0.4, 0.35]])
    got = expected + torch.tensor([4e-5, 0.0, 0.0, 0.0])
    assert "times the expected" not in describe(got, expected)
    assert "times the expected" in describe(2 * expected, expected)


def test_facts_of_single_values_and_of_trees() -> None:
    assert describe(torch.tensor(2.5), torch.tensor(4.0)) == "It is 2.5; 4 was expected."
    assert describe(torch.tensor([True]), torch.tensor([False])).endswith("True, which is wrong.")
    assert describe(["a"], ["a", "b"]) == "It has 1 entry; 2 were expected."
    assert describe(["a", "b"], ["a"]) == "It has 2 entries; 1 was expected."
    one, other = (torch.ones(2, 2), torch.zeros(3)), (torch.ones(2, 2), torch.ones(3))
    assert describe(one, one) == ""
    assert describe(one, other).startswith("Entry 1: ")
    assert describe([1.0, True], [1, 1]) == "Entry 0 is 1.0; 1 was expected."
    assert describe({"a": torch.ones(1)}, {"a": torch.zeros(1)}).startswith("a: ")
    assert describe({"a": torch.tensor(1.0)}, {"a": 1.0}).startswith("a: it returns")
    assert describe([[torch.ones(2)]], [[torch.zeros(2)]]).startswith("Entry 0 ")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1e3, 1e3, width=32), min_size=1, max_size=20), st.floats(0.1, 10))
def test_nothing_is_said_about_what_agrees(numbers: list[float], _: float) -> None:
    tensor = torch.tensor(numbers)
    assert describe(tensor * (1 + 1e-7), tensor) == ""
    assert describe(numbers, list(numbers)) == ""


def test_weights_that_do_not_sum_to_1_are_told() -> None:
    code = (
        "def scaled_dot_product_attention(query, key, value, mask=None):\n"
        "    scores = query @ key.mT / query.shape[-1] ** 0.5\n"
        "    scores = scores if mask is None else scores.masked_fill(mask == 0, -1e9)\n"
        "    return scores.softmax(-1) @ value * {}\n"
    )
    name = "scaled_dot_product_attention"
    doubled = [run.result.message for run in failed(name, loaded(name, code.format("2")))]
    assert "A query's weights sum to 2, not to 1." in doubled[0]
    ordered = code.replace("query.shape[-1] ** 0.5", "2 + torch.arange(key.shape[1])")
    message = failed(name, loaded(name, "import torch\n" + ordered.format("1")))[0].result.message
    assert "their order plays a part" in message
    assert not failed(name, loaded(name, code.format("1")))


@pytest.mark.parametrize(
    ("name", "part"),
    [
        (
            "load_bert_weights/norms_exchanged",
            "With a state dict in which all LayerNorms have one scale",
        ),
        (
            "load_bert_weights/key_and_value_exchanged",
            "in which query, key and value of each layer hold the same",
        ),
        (
            "load_bert_weights/matrices_alone_copied",
            "22 parameters still hold the numbers that they were made with",
        ),
        (
            "split_words/composed_not_decomposed",
            "They look alike: U+",
        ),
        ("train_step/eval_mode_at_end", "has been put in training mode and back"),
        (
            "wordpiece_tokenize/piece_zero_is_none",
            "': 0, '##",
        ),
        ("embed_one_hot/ids_viewed_flat", "view size is not compatible"),
        ("sinusoidal_encoding/five_thousand_rows_at_most", "Its shape is [5000, 4]"),
        (
            "scaled_dot_product_attention/mask_skipped_where_first_sees_all",
            "With a mask that hides nothing from some",
        ),
        ("AdditiveScores/mapped_keys_remembered", "it answers otherwise than at first"),
        ("FeedForward/sizes_swapped_in_config", "(hidden_size, intermediate_size)"),
    ],
)
def test_what_is_told_leads_on(name: str, part: str) -> None:
    exercise, _, what = name.partition("/")
    own = case(f"{exercise}/wrong/{what}").source
    encoder = reference_submission().slice("BertEncoder")
    lent = [unit.code for unit in encoder.units] if encoder and "bert" in name else []
    if exercise == "train_step":
        lent = ["from torch.nn.functional import cross_entropy"]
    messages = [
        run.result.message for run in failed(exercise, loaded(exercise, "\n\n".join([*lent, own])))
    ]
    assert any(part in message for message in messages), messages
