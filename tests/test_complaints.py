"""Complaints are told in plain words, and each that is listed is one that is still made."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from grader.candidate.failures import Problem
from grader.diagnosis.locating import complaints
from grader.diagnosis.locating.complaints import in_words
from grader.worker.problems import problem

X = torch.ones(2, 3, 4)
LISTED = tomllib.loads(Path(complaints.__file__).with_name("complaints.toml").read_text("utf-8"))


def query() -> None:
    """What is meant by a name that is nearly spelt so."""


class Bare(nn.Module):
    """A layer without a forward."""


class Early(nn.Module):
    def __init__(self) -> None:
        self.layer = nn.Linear(2, 2)


def unset() -> Any:
    if not X.numel():
        never = 1
    return never


def add_in_place(weight: nn.Parameter) -> None:
    weight.add_(1)


def twice() -> None:
    loss = (X.clone().requires_grad_() ** 2).sum()
    loss.backward()
    loss.backward()


def assigned() -> None:
    nn.Linear(2, 2).weight = torch.ones(2, 2)


def endless() -> None:
    endless()


def asked() -> None:
    raise EOFError("EOF when reading a line")  # as input() does where nobody sits


CASES: list[tuple[Callable[[], Any], str]] = [
    (lambda: list(torch.tensor(1.0)), "is a single number"),
    (lambda: X @ torch.ones(5, 4), "Here they are 4 and 5."),
    (lambda: torch.bmm(X, torch.ones(2, 3, 4)), "Here they are 4 and 3."),
    (lambda: torch.bmm(X, torch.ones(3, 4, 4)), "but 2 and 3 of them"),
    (lambda: torch.bmm(X, torch.ones(3, 4)), "bmm multiplies"),
    (lambda: torch.ones(3) @ torch.ones(4), "Here they have 3 and 4."),
    (lambda: X + torch.ones(5), "At axis 2 they are 4 and 5."),
    (lambda: torch.einsum("bkq,bkv->bqv", X, torch.ones(2, 5, 4)), "Here k is 3 in one tensor"),
    (lambda: torch.einsum("bhqd->bh", X), "Here 4 letters are written for 3 axes."),
    (lambda: torch.einsum("bqd->bqx", X), "Where does x come from?"),
    (lambda: torch.einsum("bqd,bkd", X), "another number of tensors"),
    (lambda: torch.cat([X, torch.ones(2, 5, 4)], -1), "is 3 in one tensor and 5 in another"),
    (lambda: torch.cat([X, torch.ones(2, 4)], -1), "These have 3 and 2."),
    (lambda: torch.stack([X, torch.ones(2, 3, 5)]), "These are [2, 3, 4] and [2, 3, 5]."),
    (lambda: torch.cat(X, X), "one list or tuple of tensors"),
    (lambda: torch.tensor([[1, 2], [3]]), "one has 2 elements and another 1"),
    (lambda: nn.LayerNorm(5)(X), "a last axis of 5. It gets a tensor [2, 3, 4]."),
    (lambda: nn.Conv1d(4, 5, 1)(X), "It was made for 4 and gets 3."),
    (lambda: X.transpose(1, 3), "It asks for axis 3, and the last one is 2."),
    (lambda: X.permute(0, 2, 1, 3), "Here 4 are named, and the tensor has 3."),
    (lambda: X.repeat(2), "repeat needs a number for each axis"),
    (lambda: torch.multinomial(0 * X[0], 1), "nothing is left to draw"),
    (lambda: torch.multinomial(-X[0], 1), "Are these chances already"),
    (lambda: X.expand(2, 5, 4), "Asked for: 5. It has: 3."),
    (lambda: X.split([1, 2], -1), "the length of the axis, which is 4"),
    (lambda: X[torch.ones(2, 4, dtype=torch.bool)], "the mask is [2, 4] and the tensor [2, 3, 4]"),
    (lambda: X[0, 0, 0, 0], "than the 3 that the tensor has"),
    (lambda: X[torch.tensor([0, 1]), torch.tensor([0, 1, 2])], "Tensors that index together"),
    (lambda: X.gather(1, torch.tensor([1, 2])), "gather needs an index"),
    (lambda: [1, 2][5], "The list is shorter than that"),
    (lambda: {"a": 1}["b"], "has no such key"),
    (lambda: nn.ModuleDict({"type": nn.ReLU()}), "something called type already"),
    (lambda: X - X.max(-1), "max gives two things"),
    (lambda: X.sort(-1).exp(), "sort gives two things"),
    (lambda: {[1]: 2}, "A key of a dictionary"),
    (lambda: F.cross_entropy(torch.ones(2, 3), torch.tensor([5, 1])), "5 is none."),
    (lambda: F.cross_entropy(torch.ones(2, 3), torch.tensor([1, 1, 1])), "2 rows and 3 labels"),
    (lambda: F.cross_entropy(torch.ones(2, 3), torch.ones(2)), "Labels are whole numbers"),
    (
        lambda: F.scaled_dot_product_attention(X, X, X, torch.ones(2, 3).long()),
        "An attention mask holds either",
    ),
    (lambda: X.masked_fill(X > 0, torch.zeros(2)), "writes one number into all places"),
    (lambda: torch.tensor([1, 2]).softmax(0), "works with floats only"),
    (lambda: ~X, "~, & and | work on True and False"),
    (lambda: torch.tensor([1]).div_(2.0), "keeps the tensor's dtype"),
    (lambda: bool(X > 0), "write `x is None`"),
    (lambda: math.sqrt(X), "the tensor holds many"),
    (lambda: torch.arange(X), "A plain number is needed here"),
    (lambda: None < 3, "it is None"),
    (lambda: "a" + 1, "+ adds two numbers"),
    (lambda: X + {}, "The operator cannot combine"),
    (lambda: len[1], "cannot be indexed"),
    (lambda: (2).shape, "a plain int, neither"),
    (Early, "super().__init__()"),
    (lambda: nn.ModuleList([nn.Linear(4, 4)])(X), "A ModuleList only holds"),
    (lambda: Bare()(X), "has no forward"),
    (assigned, "takes only another one of its kind"),
    (lambda: nn.Linear(2), "Make a layer once"),
    (lambda: torch.exp(3.0), "A tensor is needed here"),
    (lambda: X @ torch.ones(4, 4).double(), "the same dtype on both sides"),
    (lambda: nn.Embedding(3, 4)(X), "what it gets is not ids"),
    (lambda: nn.Embedding(3, 4)(torch.tensor([7])), "A row is looked up"),
    (lambda: torch.tensor([1, 2]).mean(), "A mean is defined for floats"),
    (lambda: X.masked_fill(X, 0.0), "a mask of True and False"),
    (lambda: X.masked_fill(unset is None, 0.0), "may it be None"),
    (lambda: X.transpose(1, 2).view(2, 12), "view needs the numbers"),
    (unset, "A function sets this name itself"),
    (lambda: math.sqrrt(X), "Did you mean `sqrt`?"),
    (lambda: np.exp(X), "`import numpy as np`"),  # noqa: F821
    (lambda: undefined(X), "Is an import missing"),  # noqa: F821
    (asked, "nobody does while code is checked"),
    (endless, "without ever coming to an end"),
    (lambda: torch.ones(2, 3.5), "has to be a whole number"),
    (lambda: X.shape(), "Parentheses behind a name"),
    (lambda: add_in_place(nn.Linear(2, 2).weight), "while autograd records"),
    (lambda: nn.Linear(2, 2).weight.numpy(), "cannot leave PyTorch"),
    (twice, "good for one backward()"),
    (lambda: X.sum().backward(), "called back to any parameter"),
    (lambda: nn.Linear(2, 2).load_state_dict({}), "names or the shapes of the two"),
    (lambda: X.softmx(), "Did you mean `softmax`?"),
    (lambda: X.probabilities, "has no such name"),
    (lambda: X.softmax(), "number or the names of arguments"),
    (lambda: [a + b for a, b in [(1,)]], "left and the number of"),
    (lambda: X.view(2, 5), "hold 10 numbers; there are 24"),
    (lambda: X.view(-1, 5), "do not divide the 24 numbers"),
    (lambda: X.unflatten(-1, (3, 2)), "hold 6 numbers; there are 4"),
    (lambda: X[:, 3], "its last index is 2"),
]


def complaint(call: Callable[[], Any]) -> str:
    with pytest.raises(Exception) as raised:
        call()
    return str(in_words(Problem.from_value(problem(raised.value, "call", lambda file: file))))


@pytest.mark.parametrize(("call", "words"), CASES, ids=[words for _, words in CASES])
def test_a_complaint_is_told_in_words(call: Callable[[], Any], words: str) -> None:
    assert words in complaint(call)


def test_each_listed_complaint_is_still_made() -> None:
    told = [complaint(call) for call, _ in CASES]
    for row in LISTED["complaint"]:
        first = row["words"].split("{")[0]
        assert any(text.startswith(first) for text in told), row["raised"]
