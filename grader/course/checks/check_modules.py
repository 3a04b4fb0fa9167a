"""Checks of modules: right, when some reading of the parameters makes it the reference."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError, Problem
from ...candidate.message import joined, known, say
from ...curriculum.syllabus import syllabus
from ...diagnosis.interpretation import behaviour
from ...diagnosis.interpretation.behaviour import held_loosely, on_one_device
from ...diagnosis.interpretation.evidence import Evidence, TooLarge
from ...diagnosis.interpretation.module_subject import ModuleSubject
from ...diagnosis.interpretation.search import interpret
from ...diagnosis.misconceptions.function_subject import Probe
from ...marking.check import check
from ...marking.expect import Waits, Wrong, agree, same_in_memory, wrong
from ...marking.inputs import MASK_KINDS
from ...marking.module_evidence import (
    as_first_call,
    observed,
    right_reading,
    steady,
    subject_of,
    well_formed,
)
from ..modules.config_sizes import not_of_the_config
from ..modules.dropout import DROPPERS, dropout_turn
from ..modules.module_subjects import DEEP, deep_stack, module_subject
from ..modules.own_behaviour import PLACERS, answers_otherwise_in_training, never_learning
from ..modules.telling import fact, without_gradient

MODULES = tuple(e.name for e in syllabus().exercises if e.kind == "module")
SIZED = tuple(name for name in MODULES if module_subject(name, other=True) is not None)
_UNMASKED = ("Embeddings", "FeedForward", "LayerNorm", "Pooler", "AdditiveScores")
MASKED = tuple(name for name in MODULES if name not in _UNMASKED)
LONGER = tuple(name for name in MASKED if name not in ("AttentionHead", "MultiHeadAttention"))


def each(names: Sequence[str], weight: int = 1, essential: bool = False) -> pytest.MarkDecorator:
    """Make one function a check of several exercises."""
    marks = {name: check(name, weight=weight, essential=essential) for name in names}
    params = [pytest.param(name, marks=mark, id=name) for name, mark in marks.items()]
    return pytest.mark.parametrize("exercise", params)


@each(MODULES, weight=4, essential=True)
def test_right_values(exercise: str, candidate: Candidate, seed: int) -> None:
    """Whatever numbers its parameters hold, it computes what the exercise describes."""
    subject = subject_of(exercise)
    try:
        evidence = behaviour.observed(subject, candidate, seed)
    except TooLarge as error:
        detail = not_of_the_config(subject, error.module)
        more = say("It holds far more numbers to learn than its config asks for.")
        raise Wrong(detail or more) from None
    well_formed(evidence)
    if interpret(evidence) is None:
        raise Wrong(not_of_the_config(subject, evidence.module) or fact(evidence))


@each(SIZED, essential=True)
def test_other_sizes(exercise: str, candidate: Candidate, seed: int) -> None:
    """Its sizes and numbers of parts come from the config."""
    subject = module_subject(exercise, other=True)
    assert subject is not None
    right_reading(exercise, candidate, seed)
    _right_with(subject, candidate, seed)
    if exercise in DEEP:
        _right_with(deep_stack(exercise), candidate, seed)


def _right_with(subject: ModuleSubject, candidate: Candidate, seed: int) -> None:
    evidence = observed(subject, candidate, seed)
    well_formed(evidence)
    if interpret(evidence) is None:
        detail = not_of_the_config(subject, evidence.module) or say(
            "A number that the config holds stands fixed in the code, or is taken from another "
            "field."
        )
        raise wrong(
            "With one config its values are right, with another (other width, other numbers of "
            "heads, layers, token types or labels) they are not. {}",
            detail,
        )


@each(MODULES)
def test_gradients(exercise: str, candidate: Candidate, seed: int) -> None:
    """Gradients reach the input and every parameter, and are right."""
    right = right_reading(exercise, candidate, seed)
    for answer in right.evidence.answers:
        if answer.backward is not None:
            raise CandidateError(answer.backward)
    if not right.gradients_agree():
        still = without_gradient(right.evidence)
        message = say("The values are right, but the gradients are not those of the formula.")
        if still:
            message = say("{} No gradient at all reaches {}.", message, joined(", ", still))
        raise Wrong(message)


@each(MODULES)
def test_registered(exercise: str, candidate: Candidate, seed: int) -> None:
    """All that it learns is registered: parameters() finds it."""
    evidence = observed(subject_of(exercise), candidate, seed)
    kept = never_learning(candidate, evidence)
    if buffers := [info.path for info in kept if info.kind == "buffer"]:
        raise wrong(
            "parameters() does not find {}, kept as a buffer: no optimizer would train it.",
            joined(", ", buffers[:3]),
        )
    if loose := held_loosely(evidence) or tuple(info.path for info in kept):
        raise wrong(
            "parameters() does not find {}: no optimizer would train it, and it would not move "
            "to another device with the module.",
            joined(", ", loose[:3]),
        )


@each(MODULES)
def test_input_unchanged(exercise: str, candidate: Candidate, seed: int) -> None:
    """It leaves the tensors that it is given as they are, however they lie in memory."""
    subject = subject_of(exercise)
    evidence = observed(subject, candidate, seed)
    for probe, outcome in zip(evidence.probes, evidence.outcomes, strict=True):
        if isinstance(outcome, Problem):
            raise CandidateError(outcome)
        if outcome.mutated:
            index = outcome.mutated[0]
            mask = index < len(probe.args) and _is_mask(probe.args[index], index)
            given = say("the mask" if mask else "the tensor")
            raise wrong(
                "After the call, {} that was given is no longer what it was: it was changed in "
                "place, numbers or shape, and whoever uses it next gets the changed one.",
                given,
            )
    probe = max(evidence.probes, key=lambda probe: len(probe.args))
    if evidence.is_steady and len(probe.args[0]) > 1:
        runs = (evidence.module.running(*probe.args, strided=strided) for strided in (False, True))
        plain, strided = (answer.value for answer in evidence.module.all_of(*runs))
        if isinstance(plain, Tensor) and isinstance(strided, Tensor):
            plain, strided = (subject.focused(each, probe) for each in (plain, strided))
        same_in_memory(strided, plain, subject.tolerance)


@each(MASKED)
def test_mask_types(exercise: str, candidate: Candidate, seed: int) -> None:
    """A mask of True and False does what the same mask of 1 and 0 does."""
    evidence = observed(subject_of(exercise), candidate, seed)
    for probe, index in _masked(evidence):
        steady(evidence)
        long, *others = (
            evidence.module.run(*probe.args[:index], mask, *probe.args[index + 1 :]).value
            for mask in map(probe.args[index].to, (torch.int64, *MASK_KINDS.values()))
        )
        for kind, other in zip(MASK_KINDS, others, strict=True):
            agree(other, long, 1e-5, f"A {kind} mask and the same mask of 0 and 1 differ")
        return


@each(("AttentionHead", "MultiHeadAttention", "CrossAttention"))
def test_hidden_positions(
    exercise: str, candidate: Candidate, seed: int, generator: Generator
) -> None:
    """What stands at hidden positions makes no difference to the others."""
    evidence = observed(subject_of(exercise), candidate, seed)
    for probe in evidence.probes:
        *given, mask = probe.args
        if not (given and _is_mask(mask, len(given)) and mask.shape[1] == 1):
            continue
        steady(evidence)
        hidden = mask.mT == 0  # [batch, key, 1]
        other = given[-1].where(~hidden, torch.randn(given[-1].shape, generator=generator))
        one = evidence.module.run(*given, mask).value
        two = evidence.module.run(*given[:-1], other, mask).value
        if len(given) == 1:  # what comes out at hidden positions may change
            one, two = one.masked_fill(hidden, 0.0), two.masked_fill(hidden, 0.0)
        agree(two, one, 1e-5, "With other tokens at the hidden positions, the others change")
        return


@each(MASKED)
def test_calls_apart(exercise: str, candidate: Candidate, seed: int) -> None:
    """Each call answers for itself: a mask of an earlier call counts no more."""
    subject = subject_of(exercise)
    evidence = observed(subject, candidate, seed)
    evidence = evidence.written or evidence
    for probe, index in _masked(evidence):
        steady(evidence)
        given, mask = probe.args[:index], probe.args[index]
        evidence.module.run(*given, mask)
        for later in ((*given, mask.flip(0)), given):  # a mask of the same shape, and none
            again = evidence.module.run(*later).value
            first = as_first_call(candidate, evidence, *later)
            if not (isinstance(first, Tensor) and isinstance(again, Tensor)):
                return
            focus = Probe(later)
            one, two = (subject.focused(v, focus).nan_to_num() for v in (first, again))
            then = "another mask of the same shape" if len(later) > len(given) else "none"
            agree(
                two,
                one,
                1e-5,
                f"After a call with a mask, a call with {then} does not answer as it does when it "
                "is the first. What is kept from one call to the next? The answers differ",
            )
        return


@each(PLACERS)
def test_device(exercise: str, candidate: Candidate, seed: int) -> None:
    """Tensors that it makes itself live where its input lives."""
    evidence = observed(subject_of(exercise), candidate, seed)
    if not on_one_device(candidate, evidence):
        if held_loosely(evidence):
            raise Waits(say("Tried once all of its parts are registered."))
        raise wrong(
            "Called on another device, it mixes tensors of two devices: one that it makes "
            "itself stays on the CPU."
        )


@each(DROPPERS)
def test_dropout(exercise: str, candidate: Candidate, seed: int) -> None:
    """Dropout has the config's rate and the right place in training, and none in evaluation."""
    right = right_reading(exercise, candidate, seed)
    turn = dropout_turn(candidate, right)
    if turn is not None:
        raise Wrong(known(turn.explanation, kind=turn.id))
    same_in_training(candidate, right.evidence)


def same_in_training(candidate: Candidate, evidence: Evidence) -> None:
    """Raise where an answer depends on the mode though nothing is dropped."""
    if answers_otherwise_in_training(candidate, evidence):
        raise wrong(
            "In training mode it gives another answer than in evaluation, though nothing is "
            "dropped: which line of yours knows the mode, or is reached in one of them alone?"
        )


def _masked(evidence: Evidence) -> Iterator[tuple[Probe, int]]:
    """The probes with a mask, and which argument it is."""
    for probe in evidence.probes:
        index = next((i for i, part in enumerate(probe.args) if _is_mask(part, i)), None)
        if index is not None:
            yield probe, index


def _is_mask(part: Any, index: int) -> bool:
    if not isinstance(part, Tensor) or part.is_floating_point() or index == 0:
        return False
    return bool(((part == 0) | (part == 1)).all())
