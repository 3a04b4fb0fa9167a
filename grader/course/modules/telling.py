"""Says in words what shows of a module whose values no reading explains; it decides no verdict."""

import dataclasses
import itertools
from math import prod

from ...candidate.candidate import Outcome
from ...candidate.candidate_module import CandidateModule
from ...candidate.message import Message, say
from ...diagnosis.interpretation.evidence import Evidence
from ...diagnosis.interpretation.module_subject import ModuleSubject
from ...diagnosis.interpretation.search import interpret
from ...diagnosis.right_modules import made_like
from .sizes import LAYER

_SPARE = {"AdditiveScores": 8}  # vectors beyond those of the reference: biases are free there
_HIDDEN, _INNER = LAYER.hidden, LAYER.intermediate
_FORWARD = 2 * _HIDDEN * _INNER + _INNER + _HIDDEN
_LEAST = {  # numbers of weights, and of the biases that must be
    "FeedForward": 2 * _HIDDEN * _INNER,
    "MultiHeadAttention": 4 * _HIDDEN**2,
    "CrossAttention": 4 * _HIDDEN**2,
    "TransformerEncoderLayer": 4 * _HIDDEN**2 + _FORWARD + 4 * _HIDDEN,
    "PostNormEncoderLayer": 4 * _HIDDEN**2 + _FORWARD + 4 * _HIDDEN,
    "TransformerDecoderLayer": 8 * _HIDDEN**2 + _FORWARD + 6 * _HIDDEN,
}
_NO_READING = say("Its answers have the right shape, but not the right values.", kind="no reading")


def fact(evidence: Evidence) -> Message:
    """The most telling thing to say."""
    ordinary = _without_id_zero(evidence)
    if ordinary is not None and interpret(ordinary) is not None:
        return say(
            "Its values are right until id 0 stands in a sentence. Does the docstring treat one "
            "id, or its position, otherwise than the rest?"
        )
    counts = [len(probe.args) for probe in evidence.probes]
    few = [count == min(counts) for count in counts]
    if not all(few) and interpret(_asked(evidence, few)) is not None:
        return say(
            "Its values are right where it is given no more than it has to be; with a mask, or "
            "token types, they are not."
        )
    return amount(evidence.subject, evidence.module) or _NO_READING


def amount(subject: ModuleSubject, module: CandidateModule) -> Message | None:
    """A sentence where it owns fewer numbers to learn than any reading needs, or a layer more."""
    owned = sum(prod(p.shape) for p in module.parameters if p.alias_of is None)
    if any(info.kind != "buffer" for info in module.loose):
        return None
    message = say("Its values are not right, and it owns {:,} numbers to learn", owned)
    least = _LEAST.get(subject.exercise, 0)
    if owned < least:
        return say(
            "{}, where the parts of the exercise have {:,} at least: is one of them left out, or "
            "used in two places?",
            message,
            least,
        )
    shapes = [tuple(p.shape) for p in made_like(subject).parameters()]
    whole = sum(map(prod, shapes))
    spare = _SPARE.get(subject.exercise, 1) * max(shape[-1] for shape in shapes)
    if owned <= whole + spare:
        return None
    return say(
        "{}, where the parts of the exercise have {:,} together: which of its layers is larger "
        "than the docstring says, or one too many?",
        message,
        whole,
    )


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
