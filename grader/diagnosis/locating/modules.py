"""Where a wrong module raises."""

from dataclasses import replace

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ..interpretation.behaviour import observed
from ..interpretation.evidence import Evidence
from ..interpretation.module_subject import ModuleSubject
from ..misconceptions.function_subject import Probe
from ..misconceptions.registry import module_subject
from ..right_modules import made_like
from .exceptions import exception_in, sizes_in, sizes_of
from .recording import Raised, Recording, record, recorded


def module_exception(candidate: Candidate, seed: int) -> tuple[Raised, dict[str, int]] | None:
    """The line that raises, as it is made or called, and the sizes there."""
    subject = module_subject(candidate.exercise)
    assert subject is not None
    sizes = sizes_in(subject.arguments)
    made = _as_made(candidate)
    if made is not None and (found := exception_in(made)) is not None:
        return found, sizes
    called = _raising(subject, candidate, seed)
    if called is None:
        return None
    found, probe = called
    forward = getattr(type(made_like(subject)), "forward", None)
    return found, {**sizes, **sizes_of(forward, (None, *probe.args), probe.kwargs)}


def _raising(
    subject: ModuleSubject, candidate: Candidate, seed: int
) -> tuple[Raised, Probe] | None:
    """The first input on which it raises, and what stood there."""
    try:
        evidence = observed(subject, candidate, seed)
    except CandidateError:
        return None
    for probe in evidence.probes:
        mine = recorded(candidate, {"handle": evidence.module.handle}, probe)
        if mine is not None and (found := exception_in(mine)) is not None:
            return _with_parameters(found, candidate, evidence), probe
    return None


def _with_parameters(one: Raised, candidate: Candidate, evidence: Evidence) -> Raised:
    """The same, with the module's own parameters that stood there."""
    made = _as_made(candidate)
    if made is None or one.statement.function.partition(".")[0] != candidate.exercise:
        return one
    own = {f"self.{name}": value for name, value in evidence.values.items()}
    own = {name: value for name, value in own.items() if name in one.statement.reads}
    makers = {name: each for each in made.statements for name in each.sets if name in own}
    return replace(one, held={**own, **one.held}, shaped={**makers, **one.shaped})


def _as_made(candidate: Candidate) -> Recording | None:
    """What its lines do as it is made; recorded once."""
    subject = module_subject(candidate.exercise)
    assert subject is not None
    target, arguments = {"name": candidate.exercise}, subject.arguments
    return candidate.once("recorded as made", lambda: record(candidate, target, arguments, {}))
