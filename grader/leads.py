"""Where a module that no known mistake explains is still right: that is where not to look.

Knows no check and no reference's code.
"""

from __future__ import annotations

from .candidate import Candidate, CandidateError
from .interpretation.behaviour import observed
from .interpretation.registry import module_subject, simpler_subject
from .interpretation.search import interpret, readings_of
from .interpretation.subject import ModuleSubject

# What a check says that has nothing more telling to say.
NO_READING = (
    "Its answers have the right shape, but whichever part of the formula each of its weights is "
    "taken for, the formula gives other numbers."
)
_MOST = 24  # readings tried
_SIMPLER = {
    "layers": (
        "With one layer its values are right, with several they are not. What does every layer but "
        "the first get to see, and does each of them run once, in its turn?"
    ),
    "heads": (
        "With a single head its values are right, with several they are not. Where are the heads "
        "parted and joined, and which numbers does each of them work with?"
    ),
}
_ONE_TOKEN = (
    "A sentence of a single token comes out right, longer ones do not. What passes between tokens, "
    "in which direction, and with which weights?"
)
_NOT_EVEN_ONE = (
    "Even a sentence of a single token comes out wrong, where attention has nothing to choose "
    "from. What happens to each token by itself, step by step?"
)


def lead(exercise: str, candidate: Candidate, seed: int) -> str:
    """A sentence on where to look; empty where nothing can be said."""
    subject = module_subject(exercise)
    if subject is None or subject.single is None:
        return ""
    try:
        evidence = observed(subject, candidate, seed)
        if evidence.single is None or interpret(subject, evidence) is not None:
            return ""
    except CandidateError:
        return ""
    for simpler, told in _SIMPLER.items():
        less = simpler_subject(exercise, simpler)
        if less is not None and _is_right(less, candidate, seed):
            return told
    return _ONE_TOKEN if readings_of(subject, evidence, frozenset()).settled else _NOT_EVEN_ONE


def _is_right(subject: ModuleSubject, candidate: Candidate, seed: int) -> bool:
    try:
        return interpret(subject, observed(subject, candidate, seed), most=_MOST) is not None
    except CandidateError:
        return False
