"""Gathers evidence on a module, and what no value shows: chance, what it holds, its device."""

from functools import cache, partial
from itertools import islice
from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.asks import LooseInfo
from ...candidate.candidate import Candidate
from ...candidate.candidate_module import CandidateModule
from ...candidate.failures import CandidateError
from ...candidate.seeds import generator_for
from ..misconceptions.catalogue import Misconception
from ..misconceptions.observed import DROPOUT_IN_EVAL, MADE_IN_FORWARD
from ..sameness import near, same_value
from ..tolerances import AGAIN, FUNCTION
from .computed_parameters import effective_evidence
from .evidence import Evidence, TooLarge
from .module_subject import ModuleSubject
from .observing import observe, with_parts_met
from .search import interpret

AS_WRITTEN = "read as written"  # what parameters come to tells no more than they do
_TOLD = 3  # of what is not registered

# What a fresh layer's numbers are drawn with, and no dropout's.
_BEGINNINGS = {"aten::uniform_", "aten::normal_", "aten::randn", "aten::trunc_normal_"}


def observed(subject: ModuleSubject, candidate: Candidate, seed: int) -> Evidence:
    """Evidence on a candidate, gathered once; raises CandidateError where it cannot be built."""

    def gathered() -> Evidence | TooLarge:
        generator = generator_for(seed, subject.exercise, "evidence")
        try:
            evidence = observe(subject, candidate, generator)
            return _readable(candidate, evidence, generator)
        except TooLarge as error:
            return error

    found = candidate.once(f"evidence {subject.arguments!r}", gathered)
    if isinstance(found, TooLarge):
        raise found
    return found


def _readable(candidate: Candidate, evidence: Evidence, generator: Generator) -> Evidence:
    """Evidence as right code is read by it; else on what inputs meet, or parameters come to.

    First its parameters are taken in their order: that is quickly tried. What they come to takes
    longest: where it told nothing, it is not asked for again after a change to the code.
    """
    whole = all(answer.value is not None for answer in evidence.answers) and evidence.is_steady
    if whole and (read := interpret(evidence)) is not None and read.gradients_agree():
        return evidence
    evidence = with_parts_met(candidate, evidence)
    if not whole or interpret(evidence) is not None:
        return evidence
    if candidate.has_found(AS_WRITTEN, evidence.subject):
        return evidence
    found = effective_evidence(candidate, evidence, generator)
    if found is None:
        candidate.once(AS_WRITTEN, lambda: True, evidence.subject)
    return found or evidence


def held_loosely(evidence: Evidence) -> tuple[str, ...]:
    """The first parameters and layers that a module holds unregistered, and works with.

    A layer that only lends its shape, such as a template whose weights come from elsewhere, has
    nothing to learn; one without parameters matters to eval() alone.
    """
    written = evidence.written or evidence
    return written.once("held loosely", partial(_held_loosely, written))


def _held_loosely(evidence: Evidence) -> tuple[str, ...]:
    loose = evidence.module.loose
    held = [info.path for info in loose if info.kind == "parameter"]
    is_used = cache(partial(_is_used, evidence))

    def matters(info: LooseInfo) -> bool:
        own = [path for path in held if path.startswith(f"{info.path}.")]
        if info.kind == "module":
            return any(map(is_used, own)) or (not evidence.is_steady and not own)
        return info.kind == "parameter" and is_used(info.path)

    return tuple(islice((info.path for info in loose if matters(info)), _TOLD))


def _is_used(evidence: Evidence, path: str) -> bool:
    """Whether an answer depends on a parameter; gradients that do not flow would hide it."""
    if path not in evidence.values:  # without numbers, as on the meta device
        return False
    value = evidence.values[path]
    # Not all by as much: a norm behind it would take that back.
    moved = value + torch.randn(value.shape, generator=torch.Generator().manual_seed(0))
    for probe, before in evidence.pairs:
        try:
            after = evidence.run_with({path: moved}, *probe.args, **probe.kwargs).value
        except CandidateError:
            return True
        if not isinstance(after, Tensor) or before.value is None:
            return True
        if not near(after, before.value, FUNCTION):
            return True
    return False


def layers_out_of_reach(module: CandidateModule) -> tuple[str, ...]:
    """Layers that a module holds without registering them: eval() does not reach these."""
    return tuple(info.path for info in module.loose if info.kind == "module")


def chance_turn(evidence: Evidence) -> Misconception | None:
    """Why chance has a say in evaluation, where a dropout or fresh numbers in each call explain it.

    Other code too gives two answers to one question, such as a generator of layers that is used up,
    or a dropout that eval() does not reach.
    """
    args = next(probe.args for probe, answer in evidence.pairs if not answer.steady)
    try:
        one, other, again = (evidence.module.run(*args, seed=seed).value for seed in (1, 2, 1))
        ran = evidence.module.run(*args, trace=True).operators
    except CandidateError:
        return None
    if same_value(one, other, AGAIN) or not same_value(one, again, AGAIN):
        return None
    if _BEGINNINGS & set(ran):
        return MADE_IN_FORWARD
    return None if layers_out_of_reach(evidence.module) else DROPOUT_IN_EVAL


def on_one_device(candidate: Candidate, evidence: Evidence) -> bool:
    """Whether ids that the module makes live where its input lives, tried on the meta device.

    Of one that was called once, and with no mask: one that is kept from another call is another
    mistake. A check and the diagnosis ask for the same: it is tried once.
    """
    arguments, given = evidence.subject.arguments, evidence.probes[0].args
    return candidate.once(
        f"one device {arguments!r}", lambda: _moves(candidate.build(*arguments), given)
    )


def _moves(module: CandidateModule, given: tuple[Any, ...]) -> bool:
    """Whether it goes through on another device as well, or fails there for another reason."""
    try:
        module.run(*given)
        module.run(*given, meta=True)
    except CandidateError as error:
        message = error.problem.message
        return not ("same device" in message or "expected device" in message)
    return True
