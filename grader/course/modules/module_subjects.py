"""The module exercises with all that they are judged against; knows no candidate."""

from dataclasses import replace
from functools import cache, partial
from typing import Any

import torch
from torch import Generator, Tensor

from ...diagnosis.interpretation.held import Values
from ...diagnosis.interpretation.module_subject import ModuleSubject
from ...diagnosis.interpretation.places import Places
from ...diagnosis.misconceptions.function_subject import Probe
from ...diagnosis.tolerances import FUNCTION
from .layouts import layouts
from .module_diagnosis import diagnose_module
from .one_of_each import with_one_of_each
from .probes import (
    cross_probes,
    embeddings_probes,
    only_id_probes,
    plain_probes,
    real_tokens,
    sequence_probes,
    single,
    stack_probes,
    stack_single,
)
from .sizes import (
    BATCH,
    EQUAL,
    LEAST,
    LENGTH,
    LONG_STACK,
    OTHER_STACK,
    PROMISED_EPS,
    SQUARE_STACK,
    STACK,
    TINY_STACK,
    StackSizes,
    config,
)

NORM_EPS = 0.1
# Layers of a deep one: as many as BERT has where it is to be BERT, else as many as a small one.
DEEP = {"TransformerEncoder": 8, "BertEncoder": 12}
# What follows the only id: a mask, token types.
_BESIDE_IDS = {
    **{"Embeddings": (0,), "TransformerEncoder": (1,), "BertEncoder": (1, 0)},
    "TransformerForSequenceClassification": (1,),
}
_MOST_TOKENS = {"TransformerDecoderLayer": 2_000}
_HIDDEN, _WIDTH, _FEATURES = 12, 7, 7  # of a head alone, and of a norm
_QUERY_DIM, _KEY_DIM, _SCORE_DIM = 6, 8, 5
# What features come to, by both linear maps' sizes.
_FARTHEST, _NARROW, _WIDE = -2.7, 0.1, 50.0


def _at_the_farthest(places: Places, values: Values) -> dict[str, Tensor] | None:
    """Values with every feed-forward network's hidden features near −2.7; None without one.

    There GELU and its approximation by a tanh lie farthest apart, by 5 %; on ordinary values by
    less than right stacks may.
    """
    firsts, shifts, seconds = (
        [name for name in places.numbers if name.endswith(tail)]
        for tail in ("expand.weight", "expand.bias", "contract.weight")
    )
    if not (firsts and shifts and seconds):
        return None
    narrowed = places.multiplied(values, firsts, _NARROW)
    widened = places.multiplied(narrowed, seconds, _WIDE)
    return places.changed(widened, dict.fromkeys(shifts, _FARTHEST))


def module_subject(exercise: str, other: bool = False) -> ModuleSubject | None:
    """The subject of a module exercise, at the usual sizes or at others; None if there is none."""
    fixed = None if other else _fixed().get(exercise)
    return fixed or _sized(OTHER_STACK if other else STACK).get(exercise)


def equal_sizes(exercise: str) -> ModuleSubject:
    """The subject of a module at large sizes, which make all of its maps square."""
    return _fixed(EQUAL).get(exercise) or _sized(SQUARE_STACK)[exercise]


def least_sizes(exercise: str) -> ModuleSubject:
    """The subject of a module whose every size is 1; no reading of its numbers is to be found."""
    least = _fixed(1).get(exercise) or _sized(LEAST)[exercise]
    if exercise not in _BESIDE_IDS:
        return least
    probes = partial(only_id_probes, _BESIDE_IDS[exercise])
    return replace(least, probes=probes, single_token=None)


def longest_sentence(exercise: str) -> tuple[ModuleSubject, int] | None:
    """The subject of a module that is promised so many tokens and no more; None of others."""
    most = _MOST_TOKENS.get(exercise)
    return None if most is None else (_sized(LONG_STACK)[exercise], most)


def deep_stack(exercise: str) -> ModuleSubject:
    """The subject of a stack of many layers; of those in DEEP alone."""
    return _sized(replace(TINY_STACK, layers=DEEP[exercise]))[exercise]


_subject = partial(
    ModuleSubject,
    axes=("sentence", "token", "feature"),
    diagnose=diagnose_module,
    layouts=layouts,
    adapt=with_one_of_each,
    telling_numbers=_at_the_farthest,
    placing=frozenset({"split_heads", "merge_heads"}),
)


@cache
def _sized(stack: StackSizes) -> dict[str, ModuleSubject]:
    """The exercises that are built from a config, at these sizes."""
    hidden, given = stack.layer.hidden, (config(stack),)
    plain = partial(plain_probes, hidden)
    sequence, one = partial(sequence_probes, hidden), partial(single, hidden)
    cross, pair = partial(cross_probes, hidden), partial(single, hidden, sequences=2)
    subjects = (
        _subject("MultiHeadAttention", given, sequence, single_token=one),
        _subject("CrossAttention", given, cross, single_token=pair),
        _subject("FeedForward", given, plain, tolerance=FUNCTION),
        _subject("TransformerEncoderLayer", given, sequence, single_token=one),
        _subject("PostNormEncoderLayer", given, sequence, single_token=one),
        _subject("TransformerDecoderLayer", given, cross, single_token=pair),
        _subject("Embeddings", (config(stack, PROMISED_EPS),), partial(embeddings_probes, stack)),
        _subject("Pooler", given, plain, axes=("sentence", "feature")),
        _stack("TransformerEncoder", stack, final_norm="norm.", real_tokens=real_tokens),
        _stack("BertEncoder", stack, real_tokens=real_tokens),
        _stack(
            "TransformerForSequenceClassification",
            stack,
            final_norm="encoder.norm.",
            axes=("sentence", "label"),
        ),
    )
    return {subject.exercise: subject for subject in subjects}


@cache
def _fixed(equal: int = 0) -> dict[str, ModuleSubject]:
    """The exercises that are given their sizes one by one; `equal`: all are this number."""
    dims = (equal,) * 3 if equal else (_QUERY_DIM, _KEY_DIM, _SCORE_DIM)
    hidden, width, loud = (equal, equal, 0.0) if equal else (_HIDDEN, _WIDTH, 4.0)
    features = equal or _FEATURES
    head = _subject(
        "AttentionHead",
        (hidden, width),
        partial(sequence_probes, hidden, loud=loud),
        single_token=partial(single, hidden),
    )
    norm_probes = partial(_norm_probes, features)
    norm = _subject("LayerNorm", (features, NORM_EPS), norm_probes, tolerance=2e-5)
    additive = _subject(
        "AdditiveScores",
        dims,
        partial(_additive_probes, *dims[:2]),
        axes=("sentence", "query", "key"),
        layouts=partial(layouts, bias_free=True),
        always_on=frozenset({"with_biases"}),
    )
    return {subject.exercise: subject for subject in (head, norm, additive)}


def _stack(exercise: str, stack: StackSizes, final_norm: str = "", **more: Any) -> ModuleSubject:
    """Several layers; `final_norm`: what the names of its last norm begin with, which is free.

    Such a stack is given no token types.
    """
    return _subject(
        exercise,
        (config(stack),),
        partial(stack_probes, stack, not final_norm),
        single_token=partial(stack_single, stack),
        tolerance=2e-4,
        is_deep=True,
        optional=final_norm,
        without_optional=frozenset({"without_final_norm"} if final_norm else ()),
        layouts=partial(layouts, spare_tables=frozenset({"token_type"} if final_norm else ())),
        **more,
    )


def _norm_probes(features: int, generator: Generator) -> tuple[Probe, ...]:
    shift = torch.randn(BATCH, LENGTH, 1, generator=generator)
    x = torch.randn(BATCH, LENGTH, features, generator=generator)
    return (
        Probe((x + shift,), gradient=True),
        Probe((x * 0.2 + 2 * shift,), gradient=True),
        Probe((torch.randn(2, 6, features, generator=generator) * 5,)),
        Probe((x * 1e-5,), label="tokens 100,000 times smaller"),  # any fixed ε shows
    )


def _additive_probes(query_dim: int, key_dim: int, generator: Generator) -> tuple[Probe, ...]:
    def draw(batch: int, queries: int, keys: int, gradient: bool) -> Probe:
        query = torch.randn(batch, queries, query_dim, generator=generator)
        key = torch.randn(batch, keys, key_dim, generator=generator)
        return Probe((query, key), gradient=gradient)

    return (draw(BATCH, 4, 7, True), draw(2, 9, 1, False), draw(1, 3, 3, True))
