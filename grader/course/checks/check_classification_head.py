"""Hidden checks of chapter 08's functions: the loss and one step of training."""

import math
from typing import Any

import torch
from torch import Generator

from ...candidate.candidate import Candidate
from ...candidate.message import Choice, known, say
from ...diagnosis.tolerances import MODULE
from ...marking.check import Reference, check
from ...marking.expect import STABLE, again, agree, answers, gradients, untouched, wrong
from ...marking.inputs import far_apart, large, normal, sized
from ..misconceptions.classification_head import HARNESS, OF_HEAD, SUBJECT, batch

_CLOSELY = 2e-6  # of a loss before any step, where right formulas differ by less than 4e-7
_TINY = 1e-8  # gradients, of which other optimizers than SGD make steps of a usual size


@check("cross_entropy", weight=3, essential=True)
def test_loss(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """The mean over the batch of −log p(right label)."""
    for rows, labels in ((3, 5), (4, 3), (6, 2), (3, 5)):
        logits = normal(generator, rows, labels)
        right = torch.randint(0, labels, (rows,), generator=generator)
        right[0], right[1] = 0, labels - 1
        answers(candidate, reference, logits, right, sizes=sized(batch=rows, num_labels=labels))
    unlikely = torch.tensor([[0.0, 7.0, 1.0], [2.0, 0.5, 0.0]]), torch.tensor([0, 1])
    answers(candidate, reference, *unlikely, what="Where the right label is unlikely")
    alone = normal(generator, 1, 4), torch.tensor([2])
    answers(candidate, reference, *alone, what="For a batch of one")
    zeros = torch.zeros(3, 4), torch.tensor([0, 0, 3])
    answers(candidate, reference, *zeros, what="With logits of 0")
    only = normal(generator, 3, 1), torch.zeros(3).long()
    answers(candidate, reference, *only, what="With a single label to choose from")
    many = normal(generator, 21, 1500), torch.arange(21) * 75 - 1
    many[1][0] = 0
    answers(candidate, reference, *many, what="With 1,500 labels")
    again(candidate, logits, right)


@check("cross_entropy", weight=2)
def test_loss_stable(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Logits near 1000 and −1000 give neither inf nor nan, whatever stands in the other rows."""
    rows = [[1000.0, 1001.0, 0.0], [0.0, 1.0, 2.0], [-1000.0, -1001.0, -998.0]]
    for labels in ([0, 2, 1], [1, 0, 2]):
        logits = torch.tensor(rows) + normal(generator, 3, 3)
        answers(candidate, reference, logits, torch.tensor(labels), tolerance=STABLE)


@check("cross_entropy")
def test_loss_sure(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A sure mistake costs what it should, and a sure right answer nothing."""
    far = torch.tensor([[300.0, 0.0], [0.0, -200.0]]), torch.tensor([[1000.0, 0.0], [0.0, -1000.0]])
    for logits in far:
        logits = logits + 9 * normal(generator, 2, 2)
        for labels in ([1, 0], [0, 1], [0, 0]):
            answers(candidate, reference, logits, torch.tensor(labels), tolerance=STABLE)
    beyond = far_apart(generator, 3, 4)
    for right in (beyond.argmax(1), beyond.argmin(1)):
        what = "With logits of tens of thousands"
        answers(candidate, reference, beyond, right, tolerance=STABLE, what=what)
    many = 90 * normal(generator, large(generator), 3)
    right = many.argmax(1)
    right[-1] = many[-1].argmin()
    answers(candidate, reference, many, right, what="With one mistake, the last, in a large batch")


@check("cross_entropy")
def test_loss_stays(candidate: Candidate, generator: Generator) -> None:
    """Logits and labels stay as they are, and may lie in memory in any way."""
    logits, labels = normal(generator, 3, 4), torch.tensor([0, 3, 1])
    untouched(candidate, logits, labels)


@check("cross_entropy")
def test_loss_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow back to the logits, and are right."""
    logits, labels = normal(generator, 3, 4), torch.tensor([0, 3, 1])
    for each in (logits, 0 * logits):
        gradients(candidate, reference, each, labels, generator=generator)
    sure = torch.tensor([[300.0, 0.0, 0.0], [0.0, 1000.0, -1000.0]])
    for labels in (torch.tensor([1, 2]), torch.tensor([0, 1])):
        gradients(candidate, reference, sure, labels, generator=generator)


def _steps(
    candidate: Candidate,
    generator: Generator,
    count: int = 2,
    training: bool | None = True,
    left_over: float = 0.0,
    scale: float = 1.0,
    rate: float = 0.5,
    strided: bool = False,
) -> tuple[Any, Any]:
    """What the candidate does to a tiny model, and what the reference does.

    `training` is the mode that it comes in; None: training, but a module in it is in evaluation.
    """
    batches = [batch(generator, *size, 7, 4) for size in ((3, 5), (1, 6), (21, 3))]
    args = (scale * normal(generator, 7, 4), batches[:count], rate, training, left_over)
    got = candidate.through("grader_train_steps", *args, strided=strided)
    if not isinstance(got, dict):
        raise wrong("The step could not be followed.")
    return got, SUBJECT.run(*args)


def _loss_agrees(got: Any, expected: Any, tolerance: float = MODULE) -> None:
    for index, (found, wanted) in enumerate(zip(got["losses"], expected["losses"], strict=True)):
        if found is None:
            kind = got["kinds"][index]
            raise wrong("It returns {}; the loss, a float, was expected.", kind)
        case = f"The loss of step {index + 1}"
        agree(torch.tensor(found), torch.tensor(wanted), tolerance, case)


@check("train_step", weight=3, essential=True, harness=HARNESS)
def test_step(candidate: Candidate, generator: Generator) -> None:
    """The loss is the cross-entropy of the model's logits, and the step goes down its gradient."""
    for _ in range(8):  # of losses that are rounded to four digits, few come near by chance
        got, expected = _steps(candidate, generator, count=1)
        _loss_agrees(got, expected, _CLOSELY)
        start = expected["start"]
        step, wanted = (each["weights"][0] - start for each in (got, expected))
        agree(step, wanted, 1e-4, "By how much the parameters move in a step")
    got, expected = _steps(candidate, generator, count=1, scale=200)
    _loss_agrees(got, expected)


@check("train_step")
def test_step_large(candidate: Candidate, generator: Generator) -> None:
    """Large gradients count in full, small ones are not made larger, and tiny ones not left out."""
    for scale in (1e-3, 200.0, 2e3):  # logits of tens of thousands, which cross_entropy allows
        got, expected = _steps(candidate, generator, count=1, scale=scale)
        step, wanted = (each["weights"][0] - expected["start"] for each in (got, expected))
        size = wanted.abs().max()
        case = f"With vectors {scale:g} times as long, by how much the parameters move in a step"
        agree(step / size, wanted / size, 1e-2, f"{case}, as a share of the largest move")
    # Those of the head are as tiny as the vectors; the rate makes steps of a usual size of them.
    got, expected = _steps(candidate, generator, count=1, scale=_TINY, rate=1 / _TINY)
    step, wanted = ((each["weights"][0] - expected["start"])[OF_HEAD] for each in (got, expected))
    case = f"With gradients near {_TINY:g}, by how much a matrix moves in a step"
    agree(step, wanted, 1e-2, case)


@check("train_step")
def test_step_inputs(candidate: Candidate, generator: Generator) -> None:
    """The model is given the ids and the mask as they are, the mask as its second input."""
    got, _ = _steps(candidate, generator, count=3)
    for _, has_mask, *same in got["seen"]:
        if not has_mask:
            raise wrong("The model is called without the attention mask.")
        for name, is_same in zip(("ids", "attention mask"), same, strict=True):
            if is_same is not True:
                raise wrong("The model is given other {} than there were.", Choice(name, 2))


@check("train_step", weight=2)
def test_step_again(candidate: Candidate, generator: Generator) -> None:
    """Each step uses its own gradient alone: three steps end where three steps should."""
    got, expected = _steps(candidate, generator, count=3)
    _loss_agrees(got, expected)
    for index in range(3):
        case = f"The parameters after step {index + 1}"
        agree(got["weights"][index], expected["weights"][index], 1e-4, case)


@check("train_step")
def test_step_left_over(candidate: Candidate, generator: Generator) -> None:
    """Gradients that are left from earlier do not count."""
    for left_over, what in ((1.0, ""), (math.inf, " beside gradients that were inf")):
        got, expected = _steps(candidate, generator, left_over=left_over)
        agree(got["weights"][0], expected["weights"][0], 1e-4, f"The parameters after a step{what}")


@check("train_step")
def test_step_mode(candidate: Candidate, generator: Generator) -> None:
    """The model, with every module in it, is in training mode, whatever mode it came in."""
    for training, came in ((False, ""), (None, " in a module alone")):
        got, expected = _steps(candidate, generator, training=training)
        if got["training"] is not True:
            mode = say("is still in evaluation mode")
            if any(list(each)[:1] == [True] for each in got["seen"]):
                mode = say(
                    "has been put in training mode and back: after the step it is in evaluation "
                    "mode"
                )
            raise wrong("A model that came in evaluation mode{} {}.", known(came), mode)
        if got["throughout"] is not True:
            raise wrong(
                "A model that came in evaluation mode{} says that it is in training mode, but a "
                "module inside of it, a dropout perhaps, is not.",
                known(came),
            )
        _loss_agrees(got, expected)


@check("train_step")
def test_step_float(candidate: Candidate, generator: Generator) -> None:
    """A Python float comes back, and ids and labels may lie in memory in any way."""
    got, _ = _steps(candidate, generator, strided=True)
    if any(kind != "float" for kind in got["kinds"]):
        raise wrong(
            "It returns a {}; a Python float was expected. A tensor that is kept may keep the "
            "whole graph of its step in memory.",
            got["kinds"][0],
        )
