"""Says what a module's answers show of its operations where no reading of it fits."""

from collections.abc import Callable
from math import prod
from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate_module import CandidateModule
from ...candidate.failures import CandidateError
from ...candidate.message import Message, say
from ...diagnosis.interpretation.module_subject import ModuleSubject
from ...diagnosis.right_modules import made_like
from ...diagnosis.sameness import is_float
from ...diagnosis.tolerances import FUNCTION, MODULE
from .sizes import LAYER

_TOKENWISE = ("FeedForward", "LayerNorm")
_UNORDERED = (
    *("AttentionHead", "MultiHeadAttention", "TransformerEncoderLayer", "PostNormEncoderLayer"),
)
_CAUSAL = ("TransformerDecoderLayer",)
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


def operations(exercise: str, module: CandidateModule, *given: Tensor) -> Message | None:
    """A sentence about tokens that influence each other as they should not, if they do."""
    known: tuple[tuple[tuple[str, ...], Callable[..., Message | None]], ...] = (
        (_TOKENWISE, _neighbours),
        (_UNORDERED, _order),
        (_UNORDERED, _repetition),
        (_CAUSAL, _future),
    )
    for exercises, look in known:
        try:
            if exercise in exercises and (fact := look(module, *given)):
                return fact
        except CandidateError:  # at sizes that it cannot do, it shows nothing
            continue
    return None


def influences(
    module: CandidateModule, args: tuple[Any, ...], generator: Generator
) -> Message | None:
    """A sentence where sentences of a batch influence each other; None where they do not."""
    changed = [
        torch.cat([part[:1], part[1:] + torch.randn(part[1:].shape, generator=generator)])
        if is_float(part)
        else part
        for part in args
    ]
    first, second = module.run(*args).value, module.run(*changed).value
    if not isinstance(first, Tensor) or not isinstance(second, Tensor):
        return None
    if first.shape != second.shape or first.dim() < 2 or len(first) < 2:
        return None
    if bool((first[0] - second[0]).abs().max() > FUNCTION):
        return say(
            "When other sentences of the batch change, the answer for sentence 0 changes too: an "
            "operation runs over, or mixes up, the batch axis."
        )
    return None


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


def masking(module: CandidateModule, x: Tensor, mask: Tensor) -> Message:
    """What becomes of hidden tokens, for a mask [batch, 1, key] beside x [batch, key, width]."""
    try:
        rest = _masking(module, x, mask)
    except CandidateError:
        rest = say(".")
    return say("Without a mask its values are right; with one they are not{}", rest)


def _masking(module: CandidateModule, x: Tensor, mask: Tensor) -> Message:
    answer, free = module.run(x, mask).value, module.run(x).value
    if _alike(answer, free):
        return say(": the mask makes no difference.")
    visible = mask[:, 0] != 0
    moved = torch.where(visible[..., None], x, _other(x))
    if _alike(answer, module.run(moved, mask).value, visible):
        return say(
            ". Other numbers at hidden tokens change nothing, as it should be: so is the weight "
            "shared rightly among the visible ones?"
        )
    alone = all(
        _alike(module.run(a, m).value, module.run(b, m).value, seen)
        for a, b, m, seen in zip(
            x.split(1), moved.split(1), mask.split(1), visible.split(1), strict=True
        )
    )
    if alone:
        return say(
            ": hidden tokens have a say. In a batch of one sentence they have none, so "
            "with several the sentences meet masks that are not their own."
        )
    return say(": when a hidden token's vector changes, the answers for visible ones change.")


def _neighbours(module: CandidateModule, x: Tensor) -> Message | None:
    moved = torch.cat([x[:, :-1], _other(x[:, -1:])], 1)
    if _same_before_the_last(module.run(x).value, module.run(moved).value):
        return None
    return say(
        "When one token changes, the answers for other tokens change too. Here each token should "
        "be treated by itself: which operation reaches across the sequence?"
    )


def _order(module: CandidateModule, x: Tensor) -> Message | None:
    order = torch.arange(x.shape[1]).roll(1)
    answer, other = module.run(x).value, module.run(x[:, order]).value
    if not _alike(answer, answer) or _alike(answer[:, order], other):
        return None
    return say(
        "When the tokens of a sentence change places, their answers do not just change places with "
        "them: their order plays a part, which it must not where no mask is given. Are numbers of "
        "different tokens mixed up where axes are split, joined or exchanged? Is a token hidden "
        "unasked?"
    )


def _repetition(module: CandidateModule, x: Tensor) -> Message | None:
    few = module.run(x[:, :1].expand(-1, 2, -1)).value
    many = module.run(x[:, :1].expand(-1, 5, -1)).value
    if not isinstance(many, Tensor) or _alike(few, many[:, :2]):
        return None
    return say(
        "For a sentence that is one token repeated, the answer depends on how often it is "
        "repeated, as if the weights of a query did not sum to 1 over the keys."
    )


def _future(module: CandidateModule, x: Tensor, *memory: Tensor) -> Message | None:
    moved = torch.cat([x[:, :-1], _other(x[:, -1:])], 1)
    answer, other = module.run(x, *memory).value, module.run(moved, *memory).value
    if _same_before_the_last(answer, other):
        return None
    between = slice(1, -1)
    if x.shape[1] > 2 and _alike(answer[:, between], other[:, between]):
        return say(
            "When the last token changes, the answer for the first one changes too, but none of "
            "those between: what is left that the first token may attend to?"
        )
    return say(
        "When the last token changes, the answers for earlier ones change too: what comes later is "
        "not hidden."
    )


def _other(x: Tensor) -> Tensor:
    """Other vectors, for a norm too."""
    return 2 * x.flip(-1)


def _same_before_the_last(one: object, other: object) -> bool:
    if not isinstance(one, Tensor) or not isinstance(other, Tensor):
        return True
    return _alike(one[:, :-1], other[:, :-1])


def _alike(one: object, other: object, where: Tensor | None = None) -> bool:
    """Equal up to rounding; at the places [batch, seq] of `where` alone, if it is given."""
    if not isinstance(one, Tensor) or not isinstance(other, Tensor) or one.shape != other.shape:
        return False
    if where is not None:
        one, other = one[where], other[where]
    return bool(((one - other).abs() <= MODULE * (1 + other.abs())).all())
