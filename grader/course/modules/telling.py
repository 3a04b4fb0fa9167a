"""Says in words what shows of a module whose values no reading explains; it decides no verdict."""

import dataclasses
import itertools

import torch

from ...candidate.candidate import Outcome
from ...candidate.message import Message, joined, say
from ...diagnosis.interpretation.evidence import Evidence
from ...diagnosis.interpretation.search import interpret
from .module_facts import amount, influences, masking, operations

_WITH_TYPES = 3  # ids, a mask, token types
_NO_READING = say("Its answers have the right shape, but not the right values.", kind="no reading")


def fact(evidence: Evidence, masked: bool) -> Message:
    """The most telling thing to say; `masked`: whether the exercise takes a mask."""
    subject = evidence.subject
    generator = torch.Generator().manual_seed(0)
    mixed = influences(evidence.module, evidence.probes[0].args, generator)
    if mixed:
        return mixed
    registered = [p for p in evidence.module.parameters if p.alias_of is None]
    if not registered:
        return say("It has no parameters at all, so there is nothing that it could learn.")
    ordinary = _without_id_zero(evidence)
    if ordinary is not None and interpret(ordinary) is not None:
        return say(
            "Its values are right until id 0 stands in a sentence. Does the docstring treat one "
            "id, or its position, otherwise than the rest?"
        )
    first = evidence.probes[0].args
    second = evidence.probes[1].args if len(evidence.probes) > 1 else first
    if len(second) > len(first) and interpret(_asked(evidence, [True])) is not None:
        if not masked:
            return say("Without token types its values are right; with them they are not.")
        if len(second) == 2 and second[0].is_floating_point() and second[1].shape[1] == 1:
            return masking(evidence.module, *second)
        if _is_right_untyped(evidence):
            return say(
                "With a mask and without one its values are right; with token types they are not."
            )
        if _has_types(evidence):
            return say("Given ids alone its values are right; with a mask they are not.")
        return say("Without a mask its values are right; with one they are not.")
    fact = operations(subject.exercise, evidence.module, *first)
    fact = fact or amount(subject, evidence.module)
    if fact:
        return fact
    still = without_gradient(evidence)
    if still:
        return say(
            "Its values are not right, and these have no effect on them: {}.", joined(", ", still)
        )
    return _NO_READING


def _is_right_untyped(evidence: Evidence) -> bool:
    """Whether calls of ids and a mask are answered rightly, and there are others with types."""
    if not _has_types(evidence):
        return False
    plain = [len(probe.args) < _WITH_TYPES for probe in evidence.probes]
    return interpret(_asked(evidence, plain)) is not None


def _has_types(evidence: Evidence) -> bool:
    """Whether ids are given, in some calls with a mask and token types."""
    given = [probe.args for probe in evidence.probes]
    return not given[0][0].is_floating_point() and max(map(len, given)) >= _WITH_TYPES


def without_gradient(evidence: Evidence) -> list[str]:
    """Parameters that no gradient reaches, the first few."""
    for answer in evidence.answers:
        outcome = answer.outcome
        if isinstance(outcome, Outcome) and answer.cotangent is not None:
            grads = outcome.parameter_grads or {}
            still = [n for n, g in grads.items() if g is None]
            return still[:4]
    return []


def _without_id_zero(evidence: Evidence) -> Evidence | None:
    """The evidence on ids other than 0; None where there are no ids, or no 0 among them."""
    given = [probe.args[0] for probe in evidence.probes]
    whole = [ids.is_floating_point() or bool(ids.all()) for ids in given]
    if all(whole):
        return None
    return _asked(evidence, whole)


def _asked(evidence: Evidence, which: list[bool]) -> Evidence:
    """The evidence of some calls alone."""
    return dataclasses.replace(
        evidence,
        probes=tuple(itertools.compress(evidence.probes, which)),
        answers=list(itertools.compress(evidence.answers, which)),
    )
