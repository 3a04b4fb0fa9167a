"""Checks of modules that are right on ordinary inputs, on a single token and with sharp scores."""

from torch import Generator

from ...candidate.candidate import Candidate
from ...candidate.message import known, say
from ...checks.expect import Waits, wrong
from ...checks.module_evidence import (
    agree_with_right_code,
    observed,
    right_ones,
    subject_of,
    well_formed,
)
from ...diagnosis.interpretation.search import interpret
from ...diagnosis.right_modules import BESIDE, rare_sentences, sentence
from ...diagnosis.sameness import near
from ..modules.asked_again import LONGER as LONGER_QUERIES
from ..modules.asked_again import STACKS, at_hidden_positions
from ..modules.module_subjects import equal_sizes, module_subject
from ..modules.sizes import OTHER_STACK
from .check_modules import LONGER, MODULES, each

LONGEST = OTHER_STACK.positions
# Maps that need not be square; labels of which there may be one.
RECTANGULAR = (
    *("AttentionHead", "AdditiveScores", "FeedForward"),
    "TransformerForSequenceClassification",
)
_FAR_LONGER = 12.0  # scores reach hundreds


@each(MODULES)
def test_single_token(exercise: str, candidate: Candidate, seed: int, generator: Generator) -> None:
    """Sentences of a single token come out right, one alone too, and a long one, and many."""
    subject = subject_of(exercise)
    evidence, right = right_ones(exercise, candidate, seed)
    agree_with_right_code(subject, evidence, right, rare_sentences(subject, generator))


@each(RECTANGULAR)
def test_equal_sizes(exercise: str, candidate: Candidate, seed: int) -> None:
    """Where its sizes are large and equal, it is right as well."""
    right_ones(exercise, candidate, seed)
    subject = equal_sizes(exercise)
    evidence = observed(subject, candidate, seed)
    well_formed(subject, evidence)
    if interpret(subject, evidence) is None:
        raise wrong(
            "With small sizes that differ its values are right, with large ones, all equal, "
            "they are not: what in it is another where two are the same, or one is large?"
        )


@each(LONGER)
def test_longest(exercise: str, candidate: Candidate, seed: int, generator: Generator) -> None:
    """A long sentence, of as many tokens as another config allows, comes out right."""
    right_ones(exercise, candidate, seed)
    subject = module_subject(exercise, other=True)
    assert subject is not None
    evidence = observed(subject, candidate, seed)
    found = interpret(subject, evidence)
    if found is None:
        raise Waits(say("With another config its values are not right yet."))
    case = {
        f"For a sentence of {LONGEST} tokens": sentence(
            subject, generator, LONGEST, LONGEST + BESIDE
        )
    }
    agree_with_right_code(subject, evidence, found, case)


@each(STACKS)
def test_hidden_positions(
    exercise: str, candidate: Candidate, seed: int, generator: Generator
) -> None:
    """What stands at hidden positions makes no difference to the others."""
    subject = subject_of(exercise)
    evidence, right = right_ones(exercise, candidate, seed)
    for factor, longer in ((LONGER_QUERIES, "three"), (_FAR_LONGER, "twelve")):
        found = at_hidden_positions(subject, evidence, right, generator, factor)
        if found is not None and not near(*found, subject.tolerance):
            raise wrong(
                "With queries and keys {} times as long, and other ids at the hidden positions, "
                "the answer at the others changes: some of what the mask hides is still let "
                "through.",
                known(longer),
            )
