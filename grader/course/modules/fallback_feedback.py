"""Where a module that no known mistake explains is still right: that is where not to look.

Knows no check and no reference's code.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.message import Message, known, say
from ...diagnosis.interpretation.behaviour import observed
from ...diagnosis.interpretation.evidence import Evidence
from ...diagnosis.interpretation.module_subject import ModuleSubject
from ...diagnosis.interpretation.search import interpret, readings_of
from ...diagnosis.tolerances import MODULE

# What a check says that has nothing more telling to say.
NO_READING = say(
    "Its answers have the right shape, but not the right values.",
    kind="no reading",
)
_MOST = 24  # readings tried
_SIMPLER = {
    "layers": say(
        "With one layer its values are right, with several they are not. What does every layer but "
        "the first get to see, and does each of them run once, in its turn?"
    ),
    "heads": say(
        "With a single head its values are right, with several they are not. Where are the heads "
        "parted and joined, and which numbers does each of them work with?"
    ),
}
_ONE_TOKEN = say(
    "A sentence of a single token comes out right, longer ones do not. What passes between tokens, "
    "in which direction, and with which weights?"
)
_LINEAR_FOR_ONE = say(
    "With a single token its answer is a linear map of that token, as it should be; longer "
    "sentences fit no reading of its weights that was tried. What passes between tokens, in which "
    "direction, and with which weights?"
)
_NOT_EVEN_ONE = say(
    "Not even for a sentence of a single token, where attention has nothing to choose from, does "
    "any reading of its weights that was tried give its answer. What happens to each token by "
    "itself, step by step?"
)
_ATTENTIONS = ("AttentionHead", "MultiHeadAttention", "CrossAttention")


def lead(
    simpler_subject: Callable[[str, str], ModuleSubject | None],
    subject: ModuleSubject,
    candidate: Candidate,
    seed: int,
) -> Message:
    """A sentence on where to look; empty where nothing can be said."""
    exercise = subject.exercise
    if subject.single is None:
        return known("")
    try:
        evidence = observed(subject, candidate, seed)
        if evidence.single is None or interpret(subject, evidence) is not None:
            return known("")
    except CandidateError:
        return known("")
    for simpler, message in _SIMPLER.items():
        less = simpler_subject(exercise, simpler)
        if less is not None and _is_right(less, candidate, seed):
            return message
    if readings_of(subject, evidence, frozenset()).settled:
        return _ONE_TOKEN
    linear = exercise in _ATTENTIONS and _linear_for_one(evidence)
    return _LINEAR_FOR_ONE if linear else _NOT_EVEN_ONE


def _linear_for_one(evidence: Evidence) -> bool:
    """Whether the answer for a single token is a linear map of it and a shift."""
    assert evidence.single is not None
    *others, token = evidence.single[0].args  # what is attended to comes last
    other = token.flip(-1)
    try:
        one, two, both, shift = (
            evidence.module.run(*others, each).value
            for each in (token, other, token + other, torch.zeros_like(token))
        )
    except CandidateError:
        return False
    found = (one, two, both, shift)
    if not all(isinstance(each, Tensor) and each.shape == one.shape for each in found):
        return False
    apart = (both + shift - one - two).abs()
    return bool((apart <= MODULE * (1 + both.abs())).all())


def _is_right(subject: ModuleSubject, candidate: Candidate, seed: int) -> bool:
    try:
        return interpret(subject, observed(subject, candidate, seed), most=_MOST) is not None
    except CandidateError:
        return False
