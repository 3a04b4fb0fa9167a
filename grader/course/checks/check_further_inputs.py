"""Checks of modules that are right on ordinary inputs: zeros, odd masks and sizes, large scores.

What is expected is what right code gives with the numbers that the candidate's parameters hold.
"""

from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.message import joined, known, say
from ...diagnosis.interpretation.evidence import Evidence
from ...diagnosis.interpretation.module_subject import ModuleSubject
from ...diagnosis.interpretation.observing import observe
from ...diagnosis.interpretation.parameter_reading import Reading
from ...diagnosis.interpretation.search import interpret
from ...diagnosis.right_modules import BESIDE, FAR, rare_sentences, sentence
from ...diagnosis.sameness import is_float, near
from ...marking.expect import Waits, agree, wrong
from ...marking.inputs import one_far_above
from ...marking.module_evidence import (
    agree_with_right_code,
    observed,
    right_reading,
    well_formed,
)
from ..modules.asked_again import LONGER as LONGER_QUERIES
from ..modules.asked_again import STACKS, at_hidden_positions, fits_long_rows
from ..modules.module_subjects import equal_sizes, least_sizes, longest_sentence, module_subject
from ..modules.sizes import LAYER, OTHER_STACK
from .check_modules import DROPPERS, LONGER, MASKED, MODULES, each, same_in_training

ATTENTIONS = ("AttentionHead", "MultiHeadAttention", "CrossAttention")
_OTHER_SIZES = {"AttentionHead": (8, 3), "LayerNorm": (5, 0.7), "AdditiveScores": (3, 4, 9)}
_TYPED: dict[str, tuple[None, ...]] = {"Embeddings": (), "BertEncoder": (None,)}  # no mask
_LARGE = 1060.0  # the contracts promise scores near 1000
LONGEST = OTHER_STACK.positions
# Maps that need not be square; labels of which there may be one.
RECTANGULAR = (
    *("AttentionHead", "AdditiveScores", "FeedForward"),
    "TransformerForSequenceClassification",
)
_FAR_LONGER = 12.0  # scores reach hundreds
_MOST_TIMES = 4  # as large as those may be others, where a visible one is to lie near -1000


@each(MODULES)
def test_zeros(exercise: str, candidate: Candidate, seed: int) -> None:
    """Vectors of 0, the id 0, large numbers and one token type for all count like all others."""
    right = right_reading(exercise, candidate, seed)
    module, subject, given = right.evidence.module, right.subject, right.evidence.probes[0].args
    what = "id 0" if not is_float(given[0]) else "vectors of 0"
    cases: dict[str, list[Any]] = {
        f"With {what} among the others": [_with_zeros(part) for part in given]
    }
    cases[f"With nothing but {what}"] = [torch.zeros_like(part) for part in given]
    if exercise in MASKED:
        mask = _mask(subject, given, hidden=False)
        cases[f"With {what} that no mask hides"] = [*cases[f"With {what} among the others"], mask]
    if exercise in _TYPED:
        types = torch.ones_like(given[0])
        cases["With token type 1 for all"] = [given[0], *_TYPED[exercise], types]
    agree_with_right_code(right, cases)
    if exercise == "Embeddings" and not fits_long_rows(right):
        raise wrong("Where rows of its tables are a hundred times as long, its values are wrong.")
    if is_float(given[0]) and exercise not in MASKED:
        loud = [1000 * part for part in given]
        _agree_in_size(right, loud, 1e-4, "With large numbers")
        far = [one_far_above(part) for part in given]
        got, wanted = module(*far), _expected(right, far)
        if isinstance(got, Tensor) and got.shape == wanted.shape:
            got, wanted = got[::2], wanted[::2]
        agree(got, wanted, subject.tolerance, "Around a sentence 10⁹ times as large, the others")


@each(MASKED)
def test_any_padding(exercise: str, candidate: Candidate, seed: int) -> None:
    """Any position may be hidden, the first one too, and a mask may hide nothing."""
    right = right_reading(exercise, candidate, seed)
    subject, given = right.subject, right.evidence.probes[0].args
    everything = _mask(subject, given, hidden=False)
    some = _mask(subject, given, hidden=True)
    between, last = everything.clone(), everything.clone()
    between[..., 1] = 0
    if exercise in STACKS:
        last[-1, 1:] = 0
    else:
        last = last.repeat(1, given[0].shape[1], 1)
        last[:, 1:, 0] = 0
    cases: dict[str, list[Any]] = {
        "With a mask that hides nothing": [*given, everything],
        "With the first position hidden, or one in between": [*given, some],
        "With one in between hidden in every sentence": [*given, between],
        "With a mask that hides nothing from the first": [*given, last],
        "For one sentence with its first position hidden": [part[:1] for part in (*given, some)],
    }
    if len(given) > 1:
        cases["For a single query, with some positions hidden"] = [given[0][:, :1], given[1], some]
    agree_with_right_code(right, cases)
    if exercise not in DROPPERS:
        same_in_training(candidate, right.evidence)


@each(ATTENTIONS)
def test_large_scores(exercise: str, candidate: Candidate, seed: int) -> None:
    """Scores near 1000 give no nan, and where they are hidden, nothing leaks."""
    right = right_reading(exercise, candidate, seed)
    module, (*others, memory) = right.evidence.module, right.evidence.probes[0].args
    mask = _mask(right.subject, (*others, memory), hidden=True)
    scores = _scores(right, others[0] if others else memory, memory)
    # What comes out at hidden positions is nobody's to use; of two sequences, all counts.
    shown = mask.mT != 0 if not others else torch.ones(1, 1, 1, dtype=torch.bool)
    met = scores.where((shown & (mask == 0)).unsqueeze(1), 0.0)  # hidden keys, by who may ask
    loud = torch.where(mask.mT == 0, _LARGE / float(met.max()) * memory, memory)
    factor = _LARGE / float(scores.max())
    far = *others, (factor if others else factor**0.5) * memory  # by itself, it asks as well
    _agree_in_size(right, far, 1e-3, "With scores near 1000")
    for sign in (1, -1):
        given = *others, sign * loud, mask
        got, expected = module(*given), _expected(right, given)
        if isinstance(got, Tensor) and got.shape == expected.shape:
            got, expected = got.where(shown, 0.0), expected.where(shown, 0.0)
        agree(got, expected, 1e-3, "With hidden scores near 1000")
    # Each query sees one key, whose score is far below those of the hidden ones, or far above.
    one = torch.eye(memory.shape[1], dtype=torch.long).roll(1, 0)
    queries = others[0].shape[1] if others else memory.shape[1]
    alone = one[torch.arange(queries) % len(one)].expand(len(memory), -1, -1)
    seen = float(-scores.where(alone.unsqueeze(1) != 0, 0.0).min())
    for most in (float(scores.max()), max(seen, float(scores.max()) / _MOST_TIMES)):
        factor = _LARGE / most
        share = factor if others else factor**0.5  # of two sequences, the queries stay as they are
        given = (*others, share * memory, alone)
        what = "With a single key for each query"
        _agree_in_size(right, given, 1e-3, what)


@each(MODULES)
def test_two_apart(exercise: str, candidate: Candidate, seed: int) -> None:
    """Two of them share nothing, the config neither, and each call takes its numbers anew."""
    right = right_reading(exercise, candidate, seed)
    evidence, own = right.evidence, right.subject.arguments
    sized = module_subject(exercise, other=True)
    others = _OTHER_SIZES[exercise] if sized is None else sized.arguments
    args = evidence.probes[0].args
    module = evidence.module
    most = max(evidence.probes, key=lambda each: len(each.args)).args
    calls = [args] if most is args else [args, most]
    asks = [module.running(*each, others_first=way) for each in calls for way in (False, True)]
    answers = [answer.value for answer in module.all_of(*asks)]
    before = answers[0]
    if not isinstance(before, Tensor):
        return
    for first, later in zip(answers[::2], answers[1::2], strict=True):
        alike = isinstance(first, Tensor) and isinstance(later, Tensor)
        if not (alike and near(later, first, 1e-6)):
            raise wrong(
                "Called once more on the very same tensors, where nothing learns, after these and "
                "its parameters held other numbers and have their own again, it answers otherwise "
                "than at first: what is kept from call to call?"
            )
    for arguments, scale in ((own, -0.5), (others, None)):
        other = candidate.build(*arguments, seed=1)
        if other.changed_fields:
            raise wrong(
                "After one is made, the config is no longer what it was ({}): whoever is made with "
                "it next gets other sizes.",
                joined(", ", other.changed_fields),
            )
        if scale is not None:
            _give_others(evidence, other, args, scale)
        after = evidence.module.run(*args).value
        if not (isinstance(after, Tensor) and near(after, before, 1e-6)):
            raise wrong(
                "After a second one was made{}, the first gives another answer to the same "
                "input: what do both hold together?",
                " and given other numbers" if scale is not None else " with other sizes",
            )


@each(MODULES)
def test_single_token(exercise: str, candidate: Candidate, seed: int, generator: Generator) -> None:
    """Sentences of a single token come out right, a long one, and many; and modules of size 1."""
    right = right_reading(exercise, candidate, seed)
    longest = longest_sentence(exercise)
    far = FAR if longest is None else BESIDE
    agree_with_right_code(right, rare_sentences(right.subject, generator, far))
    well_formed(observe(least_sizes(exercise), candidate, generator))
    if longest is None:
        return
    subject, most = longest
    found = interpret(observed(subject, candidate, seed)) or right  # an axis of 1 may hide a role
    long = sentence(found.subject, generator, most, BESIDE)
    agree_with_right_code(found, {f"For a sentence of {most:,} tokens": long})


@each(RECTANGULAR)
def test_equal_sizes(exercise: str, candidate: Candidate, seed: int) -> None:
    """Where its sizes are large and equal, it is right as well."""
    right_reading(exercise, candidate, seed)
    evidence = observed(equal_sizes(exercise), candidate, seed)
    well_formed(evidence)
    if interpret(evidence) is None:
        raise wrong(
            "With small sizes that differ its values are right, with large ones, all equal, "
            "they are not: what in it is another where two are the same, or one is large?"
        )


@each(LONGER)
def test_longest(exercise: str, candidate: Candidate, seed: int, generator: Generator) -> None:
    """A long sentence, of as many tokens as another config allows, comes out right."""
    right_reading(exercise, candidate, seed)
    subject = module_subject(exercise, other=True)
    assert subject is not None
    found = interpret(observed(subject, candidate, seed))
    if found is None:
        raise Waits(say("With another config its values are not right yet."))
    case = {
        f"For a sentence of {LONGEST} tokens": sentence(
            subject, generator, LONGEST, LONGEST + BESIDE
        )
    }
    agree_with_right_code(found, case)


@each(STACKS)
def test_hidden_positions(
    exercise: str, candidate: Candidate, seed: int, generator: Generator
) -> None:
    """What stands at hidden positions makes no difference to the others."""
    right = right_reading(exercise, candidate, seed)
    for factor, longer in ((LONGER_QUERIES, "three"), (_FAR_LONGER, "twelve")):
        found = at_hidden_positions(right, generator, factor)
        if found is not None and not near(*found, right.subject.tolerance):
            raise wrong(
                "With queries and keys {} times as long, and other ids at the hidden positions, "
                "the answer at the others changes: some of what the mask hides is still let "
                "through.",
                known(longer),
            )


def _give_others(evidence: Evidence, other: Any, args: tuple[Any, ...], scale: float) -> None:
    own = (evidence.written or evidence).values
    try:
        other.run(*args)  # some sizes come with the first call
        other.write({name: scale * value for name, value in own.items()})
    except CandidateError:
        return
    other.run(*args)


def _expected(right: Reading, args: Any) -> Tensor:
    with torch.no_grad():
        return right.subject.run(right.roles, *args)


def _agree_in_size(right: Reading, args: Any, tolerance: float, what: str) -> None:
    """Raise where an answer of large numbers is wrong by more than a share of the largest."""
    expected = _expected(right, args)
    size = expected.abs().max()
    agree(right.evidence.module(*args) / size, expected / size, tolerance, what)


def _with_zeros(part: Tensor) -> Tensor:
    """The same with the first sentence, a first token and, in each, a token in between all 0."""
    other = part.clone()
    other[0] = other[1, 0] = other[:, part.shape[1] // 2] = 0
    return other


def _mask(subject: ModuleSubject, given: Any, hidden: bool) -> Tensor:
    """[batch, seq] for ids, [batch, 1, key] for vectors; `hidden`: some are, the first among them.

    Where the answer is that of the first token, that one is never hidden.
    """
    batch, length = given[-1].shape[:2]
    mask = torch.ones(batch, length, dtype=torch.long)
    if hidden:
        mask[0, 0] = 0
        mask[1, length // 2] = 0
        mask[2, : length - 1] = 0
        if subject.exercise == "TransformerForSequenceClassification":
            mask[:, 0] = 1
    return mask if subject.exercise in STACKS else mask.unsqueeze(1)


def _scores(right: Reading, hidden_state: Tensor, memory: Tensor) -> Tensor:
    """How large they are [batch, heads, query, key], but for what biases add."""
    query, key = (
        (x @ right.roles[f"{name}.weight"].T).unflatten(-1, (-1, LAYER.width)).transpose(1, 2)
        for name, x in (("query", hidden_state), ("key", memory))
    )
    return (query @ key.mT).abs() / query.shape[-1] ** 0.5
