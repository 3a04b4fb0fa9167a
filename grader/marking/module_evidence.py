"""What checks of modules share: the evidence on one, and whether there is anything to try on it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from ..candidate.candidate import Candidate
from ..candidate.failures import CandidateError, Problem
from ..candidate.message import Choice, known, say
from ..diagnosis.interpretation import behaviour
from ..diagnosis.interpretation.behaviour import layers_out_of_reach
from ..diagnosis.interpretation.evidence import Evidence, TooLarge
from ..diagnosis.interpretation.held import Values
from ..diagnosis.interpretation.module_subject import ModuleSubject
from ..diagnosis.interpretation.parameter_reading import Reading
from ..diagnosis.interpretation.search import interpret
from ..diagnosis.misconceptions.function_subject import Probe
from ..diagnosis.misconceptions.registry import module_subject
from ..diagnosis.right_modules import right_shapes
from ..worker.values import WIRE_DTYPES
from .expect import Waits, Wrong, agree, wrong
from .facts import kind_of, shape_fact

_Cases = Mapping[str, Sequence[Any]]  # the arguments of each call, by what is told of it


def observed(subject: ModuleSubject, candidate: Candidate, seed: int) -> Evidence:
    """The evidence on a candidate whose sizes are the config's: of others nothing is tried."""
    try:
        return behaviour.observed(subject, candidate, seed)
    except TooLarge:
        raise Waits(say("Tried once its sizes are the config's.")) from None


def subject_of(exercise: str) -> ModuleSubject:
    """What is asked of an exercise that is a module."""
    subject = module_subject(exercise)
    assert subject is not None
    return subject


def right_reading(exercise: str, candidate: Candidate, seed: int) -> Reading:
    """The reading of evidence whose values are right; where they are not, nothing is tried."""
    evidence = observed(subject_of(exercise), candidate, seed)
    try:
        well_formed(evidence)
        found = interpret(evidence)
    except (Wrong, CandidateError):
        found = None
    if found is None:
        raise Waits(say("Tried once its values are right."))
    return found


def agree_with_right_code(right: Reading, cases: _Cases) -> None:
    """Raise at the first case whose answer is not what right code gives with its numbers.

    What the contract leaves open, as at hidden positions, is not compared. Raises Mismatch, and
    CandidateError where a call failed.
    """
    module, subject = right.evidence.module, right.subject
    answers = module.several(*(module.running(*given) for given in cases.values()))
    for (what, given), answer in zip(cases.items(), answers, strict=True):
        if isinstance(answer, CandidateError):
            raise answer
        with torch.inference_mode():
            expected = subject.run(right.roles, *given)
        probe, got = Probe(tuple(given)), answer.value
        if isinstance(got, Tensor):
            got = subject.focused(got, probe)
        agree(got, subject.focused(expected, probe), subject.tolerance, what)


def well_formed(evidence: Evidence) -> None:
    """Each answer is one finite float tensor of the right shape, the same when asked twice."""
    evidence.once("well formed", partial(_well_formed, evidence))


def _well_formed(evidence: Evidence) -> None:
    wanted = right_shapes(evidence.subject, evidence.probes)
    for probe, answer, shape in zip(evidence.probes, evidence.answers, wanted, strict=True):
        outcome = answer.outcome
        what = known(f" (given {probe.label})" if probe.label else "")
        if isinstance(outcome, Problem):
            raise CandidateError(outcome)
        if not isinstance(outcome.value, Tensor):
            kind = kind_of(outcome.value)
            raise wrong("It returns {}; one tensor was expected{}.", kind, what)
        if tuple(outcome.value.shape) != shape:
            raise Wrong(shape_fact(tuple(outcome.value.shape), shape, {}, what))
        if not outcome.value.is_floating_point():
            dtype = Choice(str(outcome.value.dtype), len(WIRE_DTYPES))
            raise wrong("Its dtype is {}; float numbers were expected{}.", dtype, what)
        if outcome.value.dtype == torch.float64:
            raise wrong(
                "float64 comes back, though parameters and inputs are float32{}: a layer that "
                "follows would refuse it.",
                what,
            )
        if not bool(torch.isfinite(evidence.subject.focused(outcome.value, probe)).all()):
            raise wrong(
                "There is nan or inf in the answer{}: what does each softmax, division or root "
                "get?",
                what,
            )
        if not answer.steady:
            message = say("In evaluation, the same input gives two different answers")
            if loose := layers_out_of_reach(evidence.module):
                message = say("{}: eval() does not reach {}", message, loose[0])
            raise wrong("{}.", message)


def steady(evidence: Evidence) -> None:
    """Where the same input gives two answers, it means nothing that two inputs do."""
    if not evidence.is_steady:
        why = say("Tried once its answers in evaluation are the same from call to call.")
        raise Waits(why)


def as_first_call(
    candidate: Candidate,
    evidence: Evidence,
    *args: Any,
    after: Sequence[Any] = (),
    values: Values | None = None,
) -> Any:
    """What one that was never called before answers, with the same numbers in its parameters.

    Or one that was called once, with what is `after`. `values`: other numbers, after that call.
    """
    evidence = evidence.written or evidence
    now = evidence.values if values is None else values
    module = candidate.build(*evidence.subject.arguments)
    numbers = evidence.values if after else now
    try:
        module.write(numbers)
    except CandidateError:  # some sizes come with the first call: this very one
        module.run(*args)
        module.write(numbers)
    if after:
        module.run(*after)
        module.write(now)
    return module.run(*args).value
